import { randomUUID } from 'node:crypto';
import type { NewId } from './seams.js';

export const newId: NewId = () => randomUUID();
