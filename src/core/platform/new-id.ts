import { v4 } from 'uuid';
import type { NewId } from '../base/seams.js';

export const newId: NewId = () => v4();
