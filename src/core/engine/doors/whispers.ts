import type { Progress, StageChange } from '../../delivery/listener.js';
import type { Doors } from '../../journal/doors.js';
import type { Origin } from '../../operation/order.js';

/** How far payments have come, for the nodes of other processes: a hint that may get lost. */

type Whisper = { progress: Progress; node: string } | { stage: Omit<StageChange, 'origin'>; node: string };

export function whisperProgress(
  doors: Doors,
  environment: string,
  replica: string,
  { node }: Origin,
  progress: Progress,
): void {
  doors.whisper(replica, environment, JSON.stringify({ progress, node } satisfies Whisper));
}

export function whisperStage(
  doors: Doors,
  environment: string,
  replica: string,
  { origin: { node }, ...stage }: StageChange,
): void {
  doors.whisper(replica, environment, JSON.stringify({ stage, node } satisfies Whisper));
}

/** Undefined where it is none. */
export function whisperIn(text: string): Whisper | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
