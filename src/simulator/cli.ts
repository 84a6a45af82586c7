#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { systemClock } from '../core/platform/system-clock.js';
import { createHttpSend } from '../core/platform/undici-send.js';
import { serveSimulator } from './http.js';
import { type AcquirerGroup, DEFAULT_KEY } from './index.js';
import { seededIds, seededRandom } from './infra/seed.js';
import { Simulator, type SimulatorOptions } from './simulator.js';

const HELP = `Usage: cloud-terminal-simulator [options]

Serves the simulated payment service: the API below /api, the status service below /status,
its own control below /simulator, and the virtual terminal's page below /terminal.

  --port <number>       port to listen on, 0 for any free one (8090)
  --host <address>      address to listen on (127.0.0.1)
  --key <text>          API key of the merchant (${DEFAULT_KEY})
  --group <B|E|S>       acquirer group of the merchant (B)
  --rate <number>       requests per second and key, 0 for no limit (2)
  --cardholder <who>    auto: pays by itself; none: a person does (auto)
  --tap-after <ms>      how long the automatic cardholder takes (1500)
  --seed <number>       draws identifiers and codes from this seed
  --help                this text
`;

/** An invalid command line. */
class UsageError extends Error {}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const deliver = createHttpSend();
  const random = options.seed === undefined ? Math.random : seededRandom(options.seed);
  const simulator = new Simulator({
    ...options.simulator,
    clock: systemClock,
    deliver,
    random,
    newId: options.seed === undefined ? randomUUID : seededIds(random),
  });
  const served = await serveSimulator(simulator, options);
  const { key } = options;
  console.log(
    `simulator ready: api ${served.baseUrl} status ${served.statusUrl} control ${served.url}/simulator key ${key}`,
  );
  console.log(`virtual terminal: ${served.url}/terminal/`);
  const stop = (): void => {
    void served.close().then(() => deliver.close());
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

interface Options {
  port: number;
  host: string;
  key: string;
  seed: number | undefined;
  simulator: Pick<SimulatorOptions, 'merchants' | 'requestsPerSecond' | 'cardholder'>;
}

function readOptions(args: string[]): Options | 'help' {
  const { values } = parseKnown(args);
  if (values.help === true) return 'help';
  const key = values.key ?? DEFAULT_KEY;
  const cardholder = oneOf('--cardholder', values.cardholder ?? 'auto', ['auto', 'none']);
  const tapAfterMs = wholeNumber('--tap-after', values['tap-after'] ?? '1500', 3_600_000);
  return {
    port: wholeNumber('--port', values.port ?? '8090', 65_535),
    host: values.host ?? '127.0.0.1',
    key,
    seed: values.seed === undefined ? undefined : wholeNumber('--seed', values.seed, 2 ** 32 - 1),
    simulator: {
      merchants: [{ keys: [key], group: oneOf<AcquirerGroup>('--group', values.group ?? 'B', ['B', 'E', 'S']) }],
      requestsPerSecond: wholeNumber('--rate', values.rate ?? '2', 1_000_000),
      cardholder: cardholder === 'none' ? 'none' : { tapAfterMs },
    },
  };
}

function parseKnown(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        port: text,
        host: text,
        key: text,
        group: text,
        rate: text,
        cardholder: text,
        'tap-after': text,
        seed: text,
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(option: string, value: string, most: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= most)) throw new UsageError(`${option}: expected a whole number from 0 to ${most}, got "${value}"`);
  return number;
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UsageError(`${option}: expected ${allowed.join(' or ')}, got "${value}"`);
  return found;
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`cloud-terminal-simulator: ${message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
