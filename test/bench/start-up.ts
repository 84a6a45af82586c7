import { readFileSync } from 'node:fs';
import { ROOT, startNodeRed } from '../harness/node-red.js';

export interface StartUp {
  /** From the start of the process until its flows run and its port answers. */
  ms: number;
  /** Resident memory then. */
  megabytes: number;
}

const IDLE = [{ id: 'tab', type: 'tab', label: 'idle' }];

/** What one start of Node-RED takes, with our package or without. */
export async function measureStart(withPackage: boolean): Promise<StartUp> {
  const at = performance.now();
  const nodeRed = await startNodeRed({ flows: IDLE, settings: { nodesDir: withPackage ? [ROOT] : [] } });
  const ms = performance.now() - at;
  const megabytes = residentMegabytes(nodeRed.process.pid);
  await nodeRed.stop();
  return { ms, megabytes };
}

/** Linux only; NaN elsewhere. */
function residentMegabytes(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
