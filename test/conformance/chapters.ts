import { ANSWERS } from './answers.js';
import { CODES } from './codes.js';
import { DETAILS } from './details.js';
import { CAPABILITIES, DECLINES, HTTP_STATUSES, PATTERNS, TERMINAL_ERRORS } from './errors.js';
import { TRIGGER_AMOUNTS, VARIANTS } from './facts.js';
import { AMOUNTS, AUTHENTICATION, DEVICES, ENVIRONMENTS, GROUPS } from './ground.js';
import { LIMITS } from './limits.js';
import { BY_NODES } from './nodes.js';
import { ENDPOINTS, OPERATIONS } from './operations.js';
import { ACCEPTED, OPTIONS } from './options.js';
import { EVENTS, RECOVERY, RETRIES } from './recovery.js';
import { BACK_OFFICE_REQUEST_RULES, REQUEST_RULES } from './requests.js';
import { RESULTS } from './results.js';
import type { Row } from './row.js';
import { FIN_STATUSES, TYPES } from './states.js';
import { STATUS } from './status.js';
import { TRANSITIONS } from './transitions.js';

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
  FIN_STATUSES,
  TYPES,
  TRANSITIONS,
  ANSWERS,
  STATUS,
  AUTHENTICATION,
  PATTERNS,
  HTTP_STATUSES,
  TERMINAL_ERRORS,
  CODES,
  CAPABILITIES,
  DECLINES,
  EVENTS,
  RECOVERY,
  RETRIES,
  LIMITS,
  TRIGGER_AMOUNTS,
  VARIANTS,
  DETAILS,
  BY_NODES,
];
