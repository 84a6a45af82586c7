import * as z from 'zod';
import { parseJson } from '../base/json.js';
import { isObject } from '../base/objects.js';
import type { HttpAnswer } from '../base/seams.js';
import { check } from './schema/check.js';
import { filledText, type TerminalAddress, terminalType } from './schema/fields.js';
import { type CallOptions, type Transport, unreadable } from './transport/transport.js';

/** `POST /devices/{deviceType}/{serialNumber}/{command}`: settings of a terminal. */

const level = z.int().min(0).max(100);
const onOff = z.strictObject({ status: z.boolean() });

const COMMANDS = {
  /** True shows only the payment screen. */
  'set-unattended-mode': onOff,
  'set-locale': z.strictObject({
    locale: z.string().regex(/^[a-z]{2}_[A-Z]{2}$/, 'a language and a country such as en_US'),
  }),
  reboot: z.strictObject({ force: z.boolean() }),
  'set-password-protected': onOff,
  'set-screen-brightness': z
    .strictObject({ minimumBrightnessLevel: level, maximumBrightnessLevel: level })
    .refine(({ minimumBrightnessLevel: least, maximumBrightnessLevel: most }) => least <= most, {
      path: ['maximumBrightnessLevel'],
      error: 'a level that is not below the minimum',
    }),
  /** Production devices only. */
  'set-reboot-time': z.strictObject({ hour: z.int().min(0).max(23) }),
  /** A partial update: absent settings keep their value. */
  'set-security-policy': z.strictObject({
    hideTabBar: z.boolean().optional(),
    blockSystemUI: z.boolean().optional(),
    brightness: z.boolean().optional(),
    passwordToExit: z.boolean().optional(),
  }),
} as const;

export type DeviceCommand = keyof typeof COMMANDS;
export type CommandSettings = { [Command in DeviceCommand]: z.output<(typeof COMMANDS)[Command]> };

const address = z.object({ serial_number: filledText, terminal_type: terminalType });

export class Commands {
  constructor(private readonly transport: Transport) {}

  /**
   * Returning means that the service accepted the command, not that the terminal has carried it out.
   * @throws AnswerLostError also where the answer is a page of a proxy, or says `error`
   */
  async run<Command extends DeviceCommand>(
    terminal: TerminalAddress,
    command: Command,
    settings: CommandSettings[Command],
    options: CallOptions = {},
  ): Promise<void> {
    const { serial_number, terminal_type } = check(address, terminal);
    const schema: z.ZodType<object> = COMMANDS[command];
    const { settings: body } = check(z.object({ settings: schema }), { settings });
    const path = ['devices', terminal_type, serial_number, command];
    const answer = await this.transport.request({ ...options, endpoint: 'back-office', method: 'POST', path, body });
    if (!isAcceptance(answer)) throw unreadable(answer, 'not an acceptance');
  }
}

/** The service describes no body, and may send one all the same. */
function isAcceptance({ body }: HttpAnswer): boolean {
  if (body.trimStart().startsWith('<')) return false;
  try {
    const said = parseJson(body);
    return !isObject(said) || said.error === undefined || said.error === null;
  } catch {
    return true;
  }
}
