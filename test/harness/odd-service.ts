import type { HttpAnswer, HttpRequest } from '../../src/core/base/seams.js';
import { type Payments, payments } from './payments.js';

export type Entry = Record<string, unknown>;
type Serve = (request?: HttpRequest) => Promise<HttpAnswer>;

/** A page of a proxy in the place of an answer. */
export const CUT: HttpAnswer = { status: 502, body: '<html>Bad Gateway</html>' };

/**
 * Payments at a service that differs from the simulator.
 * @param answer what it answers to a request; undefined: as the simulator does. `serve` is the simulator.
 * @param list how its status service lists a chain
 */
export function atOddService({
  answer,
  list = (chain) => chain,
}: {
  answer?: (request: HttpRequest, serve: Serve) => Promise<HttpAnswer> | undefined;
  list?: (chain: Entry[]) => Entry[];
}): Payments {
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const serve: Serve = (one = request) => world.simulator.send(one);
        const special = answer?.(request, serve);
        if (special !== undefined) return special;
        const got = await serve();
        if (!request.url.endsWith('/status/all') || got.status !== 200) return got;
        const chain = JSON.parse(got.body);
        return Array.isArray(chain) ? { ...got, body: JSON.stringify(list(chain)) } : got;
      },
    },
  });
  return world;
}

/** The token of a card that was stored. */
export async function storedCard(world: Payments): Promise<string> {
  const { card } = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  return card.token ?? '';
}

/** A sale or a hold of 10.00 EUR, which the status service shows by now. */
export async function original(world: Payments, operation: 'sale' | 'preAuthorization' = 'sale'): Promise<string> {
  const { transactionId = '' } = await world.after(world.sale({ operation }));
  await world.clock.advance(20_000);
  return transactionId;
}
