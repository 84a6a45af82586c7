import { v4 } from 'uuid';
import type { NewId } from './seams.js';

export const newId: NewId = () => v4();
