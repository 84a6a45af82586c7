import * as z from 'zod';
import { type CallOptions, jsonOf, type Transport, unreadable } from './transport/transport.js';

/** `GET /devices`: the terminals of a merchant. */

/** The listing also carries each terminal's shared secret, which is dropped here: nothing in this client needs it. */
const device = z
  .object({ merchant_id_alpha: z.string(), serial_number: z.string(), terminal_type: z.string() })
  .transform((listed) => ({
    ...listed,
    /** A virtual terminal represents card-not-present payments and is never sent anything. */
    virtual: listed.terminal_type === 'VT',
  }));

export type Device = z.output<typeof device>;

export class Devices {
  constructor(private readonly transport: Transport) {}

  /** Skips entries that cannot be read. */
  async list(options: CallOptions = {}): Promise<Device[]> {
    const answer = await this.transport.request({ ...options, endpoint: 'read', method: 'GET', path: ['devices'] });
    const body = jsonOf(answer);
    if (!Array.isArray(body)) throw unreadable(answer, 'not a list of devices');
    return body.flatMap((entry) => {
      const reading = device.safeParse(entry);
      return reading.success ? [reading.data] : [];
    });
  }
}
