import { JournalError } from '../base/errors.js';

/**
 * What several processes with the same flows tell each other through the journal that they share. One of them leads: it drives
 * every operation. The others are doors to it. They take messages and callbacks, ask the leader through the journal, and
 * emit the results of what came in by them.
 *
 * Bodies are sealed texts: whoever reads the journal reads none of them.
 */
export interface Doors {
  /** This process, among all that share the journal. Another id for every life. */
  readonly replica: string;

  /**
   * Whether the other processes certainly still count this one as alive, so that no other one tells what came in by it. To be
   * asked right before it tells anything.
   */
  mayTell(): boolean;

  /** Grows when the others may have counted this process as dead: what it read before may have been told since. */
  readonly generation: number;

  readonly requests: Requests;
  readonly deliveries: Deliveries;
  readonly inbox: Inbox;

  /** Sends what nobody has to receive, such as how far a payment has come. Never rejects. */
  hint(replica: string, environment: string, text: string): void;

  /**
   * Looks for news of an environment whenever there may be some: a hint came, or some seconds have passed. Returns how to stop.
   */
  watch(environment: string, watcher: Watcher): () => void;

  /** Forgets processes that ended, and what was dealt with a while ago. To be called by the leader every now and then. */
  sweep(): Promise<void>;
}

/** How one part of a process looks for news. */
export interface Watcher {
  /** It does what the leader does, and is called when a door asks for something. */
  readonly leads: boolean;
  /** Looks at everything. Resolves with whether it waits for something, so that the next look should come soon. */
  look(): Promise<boolean>;
  /** Gets what another process hinted. */
  hear?(text: string): void;
}

export type RequestKind = 'order' | 'back-office-order' | 'cancel' | 'check' | 'call';

/** What a door asks of the leader. */
export interface Request {
  /** UUID v4. Of an order: the id of its message, and of its operation. */
  id: string;
  environment: string;
  kind: RequestKind;
  /** Sealed. */
  body: string;
}

/** A request that nobody has answered. */
export interface OpenRequest extends Request {
  /** How long ago it was asked, by the clock of the database, ms. */
  waitedMs: number;
}

/** The answer to an order that is recorded. The journal gives it in the transaction which records the order. */
export const ACCEPTED = 'accepted';

/** In place of an answer: the leader has begun with what it can do once only. An answer may follow. */
export const BEGUN = 'begun';

/** How long it is known what became of a request after nobody may begin with it any more, ms. */
export const REQUEST_KEPT = 10 * 60_000;

/** Requests of doors. A request is either answered or withdrawn, and never both. */
export interface Requests {
  /**
   * Asks the leader. Nobody begins with it after `forMs`.
   * @throws UncertainRequestError where it may have been asked; JournalError where it was not
   */
  ask(request: Request, forMs: number): Promise<void>;

  /** The answers there are, {@link BEGUN} included. That a request was taken back is none. */
  answers(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /**
   * Takes a request back. Undefined: nobody has begun with it, and nobody will. Otherwise its answer. Of a call that could have
   * waited until {@link REQUEST_KEPT} ago undefined says nothing.
   */
  withdraw(id: string, environment: string): Promise<string | undefined>;

  /** What the doors of an environment ask, oldest first. */
  open(environment: string): Promise<OpenRequest[]>;

  /**
   * From now on it cannot be taken back, and no later leader begins with it.
   * @throws RequestGoneError
   */
  begin(id: string): Promise<void>;

  /** Answers a request that is still open, or begun. */
  answer(id: string, answer: string): Promise<void>;
}

/** A request is neither known to have been asked, nor not to have been. */
export class UncertainRequestError extends JournalError {}

/** The request of an order was withdrawn before the order was recorded, which it never will be. */
export class RequestGoneError extends JournalError {}

/** A result for the process that its message came in by. */
export interface PostedDelivery {
  /** Id of the message. */
  message: string;
  /** Its number among the verdicts of the message. */
  sequence: number;
  environment: string;
  /** The process that the message came in by. */
  replica: string;
  /** Which key has sealed the body. */
  key: string;
  /** Sealed. */
  body: string;
}

/**
 * What became of a posted delivery. `waiting`: that process will tell it. `gone`: that process has ended, and was never given
 * it. `perhaps-told`: that process has ended, and may have told it.
 */
export type PostedState = 'waiting' | 'told' | 'gone' | 'perhaps-told';

export type UntoldDelivery = Omit<PostedDelivery, 'key'>;

export type DeliveryName = Pick<PostedDelivery, 'message' | 'sequence'>;

/** Results on their way to the processes that their messages came in by. */
export interface Deliveries {
  /**
   * Gives a result to the process that its message came in by; once, however often it is posted. Under another key it replaces
   * what that process has not told yet, as that may not open any more.
   */
  post(delivery: PostedDelivery): Promise<PostedState>;

  /** What became of posted deliveries. */
  states(names: readonly DeliveryName[]): Promise<PostedState[]>;

  /** What this process has to tell, in the order in which it was posted, without what it knows. At most so many at once. */
  untold(environment: string, known: readonly DeliveryName[]): Promise<UntoldDelivery[]>;

  /** This process has told them. */
  confirm(names: readonly DeliveryName[]): Promise<void>;
}

/** A callback that came to a door. */
export interface InboxEntry {
  /** Its place among all. */
  place: number;
  /** Of the operation's attempt that it is about. */
  attemptId: string;
  /** Sealed. */
  body: string;
}

/** Callbacks that doors have acknowledged. */
export interface Inbox {
  /** Resolves once it would survive a power cut. */
  put(environment: string, attemptId: string, body: string): Promise<void>;

  /** The oldest ones, without those at places that are known. */
  list(environment: string, known: readonly number[]): Promise<InboxEntry[]>;

  remove(place: number): Promise<void>;
}
