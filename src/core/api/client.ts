import type { HttpAnswer } from '../base/seams.js';
import { Batch } from './batch.js';
import { Commands } from './device-settings.js';
import { Devices } from './devices.js';
import { Moto } from './moto.js';
import { Preauthorization } from './preauthorization.js';
import { Reversal } from './reversal.js';
import { Status } from './status.js';
import { Tip } from './tip.js';
import { Token } from './token.js';
import { Transactions } from './transactions.js';
import { type RelayedCall, Transport, type TransportOptions } from './transport/transport.js';

/** Client of the whole service for one merchant's key. */
export class Client {
  readonly devices: Devices;
  readonly transactions: Transactions;
  readonly status: Status;
  readonly reversal: Reversal;
  readonly moto: Moto;
  readonly preauthorization: Preauthorization;
  readonly tip: Tip;
  readonly token: Token;
  readonly batch: Batch;
  readonly commands: Commands;

  private readonly transport: Transport;

  constructor(options: TransportOptions) {
    const transport = new Transport(options);
    this.transport = transport;
    this.devices = new Devices(transport);
    this.transactions = new Transactions(transport);
    this.status = new Status(transport);
    this.reversal = new Reversal(transport);
    this.moto = new Moto(transport);
    this.preauthorization = new Preauthorization(transport);
    this.tip = new Tip(transport);
    this.token = new Token(transport);
    this.batch = new Batch(transport);
    this.commands = new Commands(transport);
  }

  /** Sends what another process asks this one for. */
  send(call: RelayedCall, mayStart: () => boolean): Promise<HttpAnswer> {
    return this.transport.request({ ...call, mayStart });
  }

  /** To be called where another process with the same key may have sent requests just now: the first one leaves a second later. */
  startAfresh(): void {
    this.transport.startAfresh();
  }

  /** To be called once nothing is asked of it any more: what it allows in a second counts no longer for others with the same key. */
  close(): void {
    this.transport.close();
  }
}
