import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import type { Backend } from './balancer.js';
import type { Told } from './told.js';

const WITNESS = join(ROOT, 'test/truth/kill/nodes');

/** How every replica is set up. */
export interface Setup {
  flows: object[];
  credentials: Record<string, Record<string, string>>;
  env: Record<string, string>;
}

/** One Node-RED of the fleet, which dies, stands still, and starts again on the same port. */
export class Replica implements Backend {
  private lives = 0;
  private nodeRed: RunningNodeRed | undefined;

  private constructor(
    readonly name: string,
    private readonly folder: string,
    readonly port: number,
    private readonly setup: Setup,
  ) {}

  static async in(base: string, name: string, setup: Setup): Promise<Replica> {
    const folder = join(base, name);
    await mkdir(folder);
    return new Replica(name, folder, await freePort(), setup);
  }

  get life(): string {
    return `${this.name}.${this.lives}`;
  }

  get isUp(): boolean {
    return this.nodeRed !== undefined;
  }

  async start(): Promise<void> {
    this.lives++;
    const { flows, credentials, env } = this.setup;
    this.nodeRed = await startNodeRed({
      userDir: this.folder,
      flows,
      credentials,
      settings: {
        uiPort: this.port,
        nodesDir: [ROOT, WITNESS],
        truthWitness: join(this.folder, `${this.life}.jsonl`),
      },
      env,
    });
  }

  /** SIGKILL. Returns the life that has ended. */
  async kill(): Promise<string> {
    const { nodeRed, life } = this;
    this.nodeRed = undefined;
    await nodeRed?.kill();
    return life;
  }

  /** SIGSTOP: its sockets stay open, and nobody answers. */
  freeze(): void {
    this.nodeRed?.process.kill('SIGSTOP');
  }

  thaw(): void {
    this.nodeRed?.process.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const { nodeRed } = this;
    this.nodeRed = undefined;
    await nodeRed?.stop();
  }

  /** Waits for a line of its output, from the start of this life on. */
  async printed(pattern: RegExp): Promise<void> {
    await this.nodeRed?.printed(pattern);
  }

  output(): string {
    return this.nodeRed?.output() ?? '';
  }

  /** Everything that left its payment nodes, in all its lives. */
  told(): Told[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((file) => file.endsWith('.jsonl'))
      .flatMap((file) => {
        const life = file.slice(0, -'.jsonl'.length);
        const lines = readFileSync(join(this.folder, file), 'utf8').split('\n');
        return lines.filter((line) => line !== '').map((line): Told => ({ ...JSON.parse(line), life }));
      });
  }
}
