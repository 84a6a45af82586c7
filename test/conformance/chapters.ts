import { AMOUNTS, AUTHENTICATION, DEVICES, ENVIRONMENTS, GROUPS } from './ground.js';
import { ENDPOINTS, OPERATIONS } from './operations.js';
import { ACCEPTED, OPTIONS } from './options.js';
import { BACK_OFFICE_REQUEST_RULES, REQUEST_RULES } from './requests.js';
import { RESULTS } from './results.js';
import type { Row } from './row.js';

/** Every chapter of the table, in the order of the API description. */
export const CHAPTERS: readonly (readonly Row[])[] = [
  ENVIRONMENTS,
  GROUPS,
  AMOUNTS,
  DEVICES,
  OPERATIONS,
  ENDPOINTS,
  REQUEST_RULES,
  BACK_OFFICE_REQUEST_RULES,
  OPTIONS,
  ACCEPTED,
  RESULTS,
  AUTHENTICATION,
];
