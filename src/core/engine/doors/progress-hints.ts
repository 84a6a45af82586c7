import { asciiJson } from '../../base/json.js';
import type { Progress, StageChange } from '../../delivery/listener.js';
import type { Doors } from '../../journal/doors.js';
import type { Origin } from '../../operation/order.js';

/** How far payments have come, for the nodes of other processes: a hint that may get lost. */

type ProgressHint = { progress: Progress; node: string } | { stage: Omit<StageChange, 'origin'>; node: string };

export function hintProgress(
  doors: Doors,
  environment: string,
  replica: string,
  { node }: Origin,
  progress: Progress,
): void {
  doors.hint(replica, environment, asciiJson({ progress, node } satisfies ProgressHint));
}

export function hintStage(
  doors: Doors,
  environment: string,
  replica: string,
  { origin: { node }, ...stage }: StageChange,
): void {
  doors.hint(replica, environment, asciiJson({ stage, node } satisfies ProgressHint));
}

/** Undefined where it is none. */
export function progressHintIn(text: string): ProgressHint | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
