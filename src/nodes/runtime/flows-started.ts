import type { NodeAPI } from 'node-red';

/** Who wants to know of a deploy, and of a start or stop of the flows. */
interface Deploy {
  /** Before the first node closes. */
  begins(): void;
  /**
   * All nodes are there, and those that wait for the flows have run. Where Node-RED refuses to start what is new: all that it left
   * running. Never comes where nothing runs.
   */
  ends(): void;
}

/** Events of Node-RED carry what a deploy changes. The same object in the event that a start begins with, and in its last. */
interface FlowsEvent {
  diff?: unknown;
  /** What is stopped, and started: `full` is everything. */
  type?: string;
}

/** Between the stop and the start of a deploy Node-RED cleans its context stores, and starts nothing where that fails. Ms. */
const START_WITHIN = 30_000;

/** Node-RED tells open editors so. */
interface RuntimeEvent {
  id?: string;
  payload?: RuntimeState;
}

/** Settings that Node-RED writes itself, such as whether somebody stopped the flows. */
interface Settings {
  available(): boolean;
  get(name: string): unknown;
}

interface RuntimeState {
  state?: string;
  /** Why it starts nothing. */
  error?: string;
  /** Only where it could not load the flows, and without a value where it has no name to give. */
  project?: string | undefined;
}

/** Why Node-RED starts nothing of a deploy. Where that is of the modified nodes alone, the others go on running all the same. */
const REFUSALS: ReadonlySet<string | undefined> = new Set(['missing-types', 'missing-modules']);

/** The flows of one Node-RED. */
class Flows {
  isUp = false;
  /** Nothing runs, and no start is under way: somebody stopped the flows, or Node-RED did not start them. */
  areStopped = false;
  /** They run once, when all nodes are there. */
  readonly preparations = new Set<() => void>();
  readonly started = new Set<() => void>();
  readonly stopped = new Set<() => void>();
  readonly deploys = new Set<Deploy>();
  /**
   * What starts: a deploy may begin while the one before it still starts its nodes, and the end of that one says nothing.
   * `any`: it began before anybody listened.
   */
  private starting: FlowsEvent | 'any' | undefined = 'any';
  private startIsDue: NodeJS.Timeout | undefined;

  /** All callers share these listeners, because an emitter with more than ten warns of a leak. */
  constructor(
    events: NodeAPI['events'],
    private readonly log: NodeAPI['log'],
    private readonly settings: Settings,
  ) {
    events.on('flows:stopping', () => this.begin());
    events.on('flows:starting', (event?: FlowsEvent) => {
      this.begin();
      this.starting = { diff: event?.diff };
    });
    events.on('flows:started', (event?: FlowsEvent) => {
      const { starting } = this;
      if (starting === 'any' || (starting !== undefined && starting.diff === event?.diff)) this.end();
    });
    events.on('flows:stopped', (event?: FlowsEvent) => {
      // A deploy of modified nodes leaves the others running.
      if (this.isUp || event?.type === 'full') return;
      clearTimeout(this.startIsDue);
      this.startIsDue = setTimeout(() => this.noteNoStart(), START_WITHIN).unref();
    });
    events.on('runtime-event', (event?: RuntimeEvent) => {
      if (event?.id !== 'runtime-state' || event.payload === undefined || this.isUp) return;
      const isDeploy = this.starting === undefined && !this.areStopped;
      if (isDeploy && REFUSALS.has(event.payload.error)) this.end();
      else if (!this.isStarting && this.isStop(event.payload)) this.noteStop();
    });
  }

  /** Its nodes are being made. What Node-RED says meanwhile is no end of that, such as a conflict in the repository of its project. */
  private get isStarting(): boolean {
    return !this.isUp && typeof this.starting === 'object';
  }

  /** Node-RED says the same when it ends, and before it starts another project. */
  private isStop(payload: RuntimeState): boolean {
    if ('project' in payload) return true;
    const { state, error } = payload;
    // Without a project it starts the flows without the credentials that it could not read.
    if (error !== undefined) return error !== 'credentials_load_failed';
    const { settings } = this;
    return state === 'stop' && settings.available() && settings.get('runtimeFlowState') === 'stop';
  }

  private noteStop(): void {
    this.areStopped = true;
    for (const run of [...this.stopped]) this.trying(run);
  }

  private begin(): void {
    clearTimeout(this.startIsDue);
    this.isUp = false;
    this.areStopped = false;
    this.starting = undefined;
    for (const deploy of [...this.deploys]) deploy.begins();
  }

  private end(): void {
    clearTimeout(this.startIsDue);
    const once = [...this.preparations];
    this.preparations.clear();
    for (const prepare of once) this.trying(prepare);
    this.isUp = true;
    for (const run of [...this.started]) this.trying(run);
    for (const deploy of [...this.deploys]) this.trying(() => deploy.ends());
  }

  private noteNoStart(): void {
    this.log.error(
      'cloud-terminal: Node-RED stopped nodes for a deploy, and did not start them again. The payment nodes that still run go on; restart Node-RED.',
    );
    this.end();
  }

  /** What one node throws must not keep the others from being told. */
  private trying(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.log.error(`cloud-terminal: ${String(error)}`);
    }
  }
}

const all = new WeakMap<object, Flows>();

function flowsOf({ events, log, settings }: NodeAPI): Flows {
  const known = all.get(events);
  if (known !== undefined) return known;
  const flows = new Flows(events, log, settings as unknown as Settings);
  all.set(events, flows);
  return flows;
}

/**
 * Whether every node is there that the flows have, so that messages reach their nodes. Node-RED makes one after another, in
 * several turns, and drops what is sent to one that it has not made yet, or is about to replace.
 */
export function areFlowsUp(RED: NodeAPI): boolean {
  return flowsOf(RED).isUp;
}

/** Whether nothing of the flows runs, and nothing is about to start. */
export function areFlowsStopped(RED: NodeAPI): boolean {
  return flowsOf(RED).areStopped;
}

/** Calls `run` whenever the flows stay stopped. Returns how to stop that. */
export function onFlowsStopped(RED: NodeAPI, run: () => void): () => void {
  const { stopped } = flowsOf(RED);
  stopped.add(run);
  return () => stopped.delete(run);
}

/** Calls `run` whenever all flows have started. Returns how to stop that. */
export function onFlowsStarted(RED: NodeAPI, run: () => void): () => void {
  const { started } = flowsOf(RED);
  started.add(run);
  return () => started.delete(run);
}

/** Calls `run` once, when all nodes are there, and before what {@link onFlowsStarted} calls. Returns how to stop that. */
export function beforeFlowsStarted(RED: NodeAPI, run: () => void): () => void {
  const { preparations } = flowsOf(RED);
  preparations.add(run);
  return () => preparations.delete(run);
}

/** Returns how to stop listening. */
export function onDeploy(RED: NodeAPI, deploy: Deploy): () => void {
  const { deploys } = flowsOf(RED);
  deploys.add(deploy);
  return () => deploys.delete(deploy);
}

/** Calls `run` once, now or as soon as the flows are up. */
export function onceFlowsAreUp(RED: NodeAPI, run: () => void): void {
  if (areFlowsUp(RED)) {
    run();
    return;
  }
  const stop = onDeploy(RED, {
    begins: () => undefined,
    ends: () => {
      stop();
      run();
    },
  });
}
