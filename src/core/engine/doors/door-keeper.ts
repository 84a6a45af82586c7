import type { RelayedCall } from '../../api/transport/transport.js';
import { LeaseLostError } from '../../base/errors.js';
import { asciiJson } from '../../base/json.js';
import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { Clock, HttpAnswer } from '../../base/seams.js';
import type { Dispatcher } from '../../delivery/dispatcher.js';
import type { Heard } from '../../delivery/heard.js';
import { carried } from '../../delivery/remote/carried-error.js';
import { IncomingDeliveries } from '../../delivery/remote/incoming-deliveries.js';
import { RemoteDeliveries } from '../../delivery/remote/remote-deliveries.js';
import { type Doors, type InboxEntry, type OpenRequest, RequestGoneError } from '../../journal/doors.js';
import type { BackOfficeDraft } from '../../operation/back-office-order.js';
import type { Order, Origin } from '../../operation/order.js';
import type { CallbackAnswer } from '../callback-receiver.js';
import type { CancelTarget } from '../cancellation.js';
import type { Asked } from '../record-factory.js';
import { type AskedBodies, aboutAnswer, aboutRequest, CALL_WAIT } from './asked.js';
import { hintProgress, hintStage } from './progress-hints.js';
import { relayedAnswer } from './relayed-answer.js';

/** What the engine does for doors. */
export interface LeaderActions {
  order(order: Order, asked: Asked): Promise<unknown>;
  backOfficeOrder(order: BackOfficeDraft, origin: Origin, asked: Asked): Promise<unknown>;
  cancel(target: CancelTarget): Promise<boolean>;
  check(operationId: string): boolean;
  /** Sends what counts against the rate of the key, as long as somebody waits for the answer. */
  call(call: RelayedCall, isAwaited: () => boolean): Promise<HttpAnswer>;
  callback(attemptId: string, result: Record<string, unknown>): Promise<CallbackAnswer>;
}

/** Processes that have ended are looked for no more often than this, ms. */
const SWEPT_EVERY = 1000;

interface KeeperOptions {
  clock: Clock;
  doors: Doors;
  environment: string;
  seal: SealedJson;
  dispatcher: Dispatcher;
  heard: Heard;
  log: (level: 'warn' | 'error', text: string) => void;
}

/** The leader's side of the doors: does what they ask, settles from their callbacks, and gives them the results. */
export class DoorKeeper {
  private readonly remote: RemoteDeliveries;
  private readonly incoming: IncomingDeliveries;
  private readonly inHand = new Set<string>();
  /** Requests that were dealt with since the last look began: a list that was on its way meanwhile may still show them. */
  private readonly justDone = new Set<string>();
  /** Places of callbacks that this process has not the secret for: one that has it settles from them. */
  private readonly unopened = new Set<number>();
  private stopWatching: () => void = () => undefined;
  private isStopped = false;
  private sweptAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: KeeperOptions,
    private readonly actions: LeaderActions,
  ) {
    const { doors, environment, seal, dispatcher, heard, log } = options;
    const here = dispatcher.deliverHere.bind(dispatcher);
    this.remote = new RemoteDeliveries(doors, environment, seal, here, log);
    const teller = { deliver: here, drop: (id: string) => dispatcher.drop(id) };
    this.incoming = new IncomingDeliveries(doors, environment, seal, teller, heard, log);
    const { remote } = this;
    dispatcher.elsewhere = {
      replica: doors.replica,
      replicaOf: (origin) => remote.replicaOf(origin),
      deliver: (...delivery) => remote.deliver(...delivery),
      progress: (replica, origin, progress) => hintProgress(doors, environment, replica, origin, progress),
      stage: (replica, change) => hintStage(doors, environment, replica, change),
    };
  }

  start(): void {
    const { doors, environment } = this.options;
    this.stopWatching = doors.watch(environment, { leads: true, look: () => this.look() });
  }

  /** Begins with nothing more: the next leader does. */
  stop(): void {
    this.isStopped = true;
    this.stopWatching();
  }

  /** Resolves once what was told here is noted, or the journal cannot be reached. */
  settled(): Promise<void> {
    return this.incoming.settled();
  }

  private async look(): Promise<boolean> {
    const { doors, environment } = this.options;
    for (const name of this.justDone) this.inHand.delete(name);
    this.justDone.clear();
    await this.sweepNowAndThen();
    for (const request of await doors.requests.open(environment))
      this.takeInHand(request.id, () => this.answer(request));
    for (const entry of await doors.inbox.list(environment, [...this.unopened])) {
      this.takeInHand(`callback ${entry.place}`, () => this.settle(entry));
    }
    const isWaiting = await this.remote.look();
    await this.incoming.look();
    return isWaiting || this.inHand.size > 0;
  }

  private async sweepNowAndThen(): Promise<void> {
    const { doors, clock } = this.options;
    if (clock.now() - this.sweptAt < SWEPT_EVERY) return;
    await doors.sweep();
    this.sweptAt = clock.now();
  }

  private takeInHand(name: string, work: () => Promise<void>): void {
    if (this.isStopped || this.inHand.has(name)) return;
    this.inHand.add(name);
    work()
      .catch((error) => this.options.log('error', `a request of another Node-RED: ${String(error)}`))
      .finally(() => this.justDone.add(name));
  }

  private async answer(request: OpenRequest): Promise<void> {
    const { requests } = this.options.doors;
    try {
      const value = await this.execute(request);
      // An order is answered by the transaction that records it.
      if (value !== undefined) await requests.answer(request.id, asciiJson({ value }));
    } catch (error) {
      // Nobody waits for it any more; or the next leader takes it.
      if (error instanceof RequestGoneError || error instanceof LeaseLostError || this.isStopped) return;
      await requests.answer(request.id, asciiJson({ error: carried(error) }));
    }
  }

  private async execute(request: OpenRequest): Promise<unknown> {
    const { id, kind, waitedMs } = request;
    const { clock, doors, seal } = this.options;
    switch (kind) {
      case 'order': {
        const { order } = this.opened<'order'>(request);
        await this.actions.order(order, { id, waitedMs });
        return undefined;
      }
      case 'back-office-order': {
        const { order, origin } = this.opened<'back-office-order'>(request);
        await this.actions.backOfficeOrder(order, origin, { id, waitedMs });
        return undefined;
      }
      case 'cancel':
        return this.actions.cancel(this.opened<'cancel'>(request).target);
      case 'check':
        return this.actions.check(this.opened<'check'>(request).operationId);
      case 'call': {
        const { call } = this.opened<'call'>(request);
        const awaitedUntil = clock.now() + CALL_WAIT - waitedMs;
        await doors.requests.begin(id);
        const answer = await this.actions.call(call, () => clock.now() < awaitedUntil);
        return seal.close(relayedAnswer(answer), aboutAnswer(id));
      }
    }
  }

  private opened<K extends keyof AskedBodies>({ id, body }: OpenRequest): AskedBodies[K] {
    return this.options.seal.open(body, aboutRequest(id)) as AskedBodies[K];
  }

  private async settle({ place, attemptId, body }: InboxEntry): Promise<void> {
    const { doors, seal, log } = this.options;
    let result: Record<string, unknown>;
    try {
      result = seal.open(body, aboutCallback(attemptId)) as Record<string, unknown>;
    } catch (error) {
      // It was acknowledged, and may be the only witness.
      this.unopened.add(place);
      log('error', `the callback of ${attemptId}: ${String(error)}; it is kept until then`);
      return;
    }
    const answer = await this.actions.callback(attemptId, result);
    if (answer !== 'unavailable') await doors.inbox.remove(place);
  }
}

/** For the seal of a callback's body. */
export function aboutCallback(attemptId: string): string {
  return `callback ${attemptId}`;
}
