import type { StageChange } from '../delivery/listener.js';
import type { Stage } from '../delivery/payload.js';
import { progressPayload } from '../delivery/stage.js';
import type { OperationRecord } from '../journal/record.js';
import type { RunnerContext } from './runner-context.js';

/** Tells the flow each change of stage of one operation. */
export class Stages {
  /** The request waits for the rate limit. */
  isQueued = false;
  /** The stage that the flow was told last. */
  private announced: Stage | undefined;

  constructor(
    private readonly context: Pick<RunnerContext, 'clock' | 'dispatcher' | 'echo'>,
    private readonly record: () => OperationRecord,
  ) {}

  now(): StageChange | undefined {
    const record = this.record();
    const { operationId: id, origin } = record;
    const payload = progressPayload(record, this.isQueued, this.context.clock.now());
    return payload && { id, origin, payload };
  }

  announce(): void {
    const change = this.now();
    if (change === undefined || change.payload.stage === this.announced) return;
    this.announced = change.payload.stage;
    this.context.dispatcher.stage(change);
    this.context.echo.stage(change);
  }
}
