import type { NodeAPI } from 'node-red';

/** Calls `onFirst` when the first editor opens, and `onLast` when the last one has closed. */
export class OpenEditors {
  /** Connections by their session; an editor that connects again has a new one. */
  private readonly sessions = new Set<string>();
  private isWatching = false;

  constructor(
    RED: NodeAPI,
    private readonly onFirst: () => void,
    private readonly onLast: () => void,
  ) {
    RED.events.on('comms:connection-added', ({ session }: { session: string }) => {
      this.sessions.add(session);
      this.noteOne();
    });
    RED.events.on('comms:connection-removed', ({ session }: { session: string }) => {
      this.sessions.delete(session);
      if (this.sessions.size > 0 || !this.isWatching) return;
      this.isWatching = false;
      this.onLast();
    });
  }

  /**
   * An editor asks for operations. One that was open when this package was installed connected before anybody counted.
   */
  noteOne(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    this.onFirst();
  }
}
