import { ANSWERS } from './answers.mjs';
import { ATTEMPTS } from './attempts.mjs';
import { BACK_OFFICE } from './back-office.mjs';
import { CHAIN } from './chain.mjs';
import { COPIES } from './copies.mjs';
import { FLEET } from './fleet.mjs';
import { MIXED_UP } from './mixed-up.mjs';
import { POLICY } from './policy.mjs';
import { RESTART } from './restart.mjs';
import { SENDING } from './sending.mjs';
import { SETTLING } from './settling.mjs';
import { TAKE_UP } from './take-up.mjs';
import { TELLING } from './telling.mjs';
import { UNSEEN_ATTEMPTS } from './unseen-attempts.mjs';

/**
 * Defects that a payment client could well have. Each is a patch of a source, or several `patches` where one rule covers
 * for another; `find` must stand in its file exactly once. Every one of them has to be caught: by the truth test, in
 * today's world or in the `world` that it names, or, where thousands of seeds do not meet it, by the `test` that it names.
 */
export const MUTANTS = [
  ...SENDING,
  ...SETTLING,
  ...ATTEMPTS,
  ...UNSEEN_ATTEMPTS,
  ...POLICY,
  ...BACK_OFFICE,
  ...CHAIN,
  ...COPIES,
  ...ANSWERS,
  ...MIXED_UP,
  ...TELLING,
  ...RESTART,
  ...TAKE_UP,
  ...FLEET,
];

/** The patches of a defect: `file`, `find`, `replace`. */
export function patchesOf({ patches, file, find, replace }) {
  return patches ?? [{ file, find, replace }];
}
