import type { NodeAPI } from 'node-red';

/** Asks every open editor to say that it is there, and is what it says. */
const ROLL_CALL = 'payments/editors';
/** How long an answer may take, ms. */
const ANSWERED_IN = 10_000;

/** Calls `onFirst` when the first editor opens, and `onLast` when the last one has closed. */
export class OpenEditors {
  /** Connections by their session; an editor that connects again has a new one. */
  private readonly sessions = new Set<string>();
  private isWatching = false;
  private unanswered: NodeJS.Timeout | undefined;

  constructor(
    private readonly RED: NodeAPI,
    private readonly onFirst: () => void,
    private readonly onLast: () => void,
  ) {
    const note = ({ session }: { session: string }): void => {
      this.sessions.add(session);
      this.begin();
    };
    RED.events.on('comms:connection-added', note);
    RED.events.on(`comms:message:${ROLL_CALL}`, note);
    RED.events.on('comms:connection-removed', ({ session }: { session: string }) => {
      this.sessions.delete(session);
      this.endIfNone();
    });
  }

  /**
   * Somebody asks for operations: an editor that was open when this package was installed, and connected before anybody counted,
   * or no editor at all. Counts as one until the roll call has shown.
   */
  noteAsking(): void {
    if (this.sessions.size > 0) return;
    this.begin();
    this.RED.comms.publish(ROLL_CALL, true, false);
    clearTimeout(this.unanswered);
    this.unanswered = setTimeout(() => this.endIfNone(), ANSWERED_IN).unref();
  }

  private begin(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    this.onFirst();
  }

  private endIfNone(): void {
    if (this.sessions.size > 0 || !this.isWatching) return;
    this.isWatching = false;
    this.onLast();
  }
}
