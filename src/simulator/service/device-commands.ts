import type { Merchant } from '../model/merchant.js';
import type { Variants } from '../model/variants.js';
import type { Terminal } from '../terminal/terminal.js';
import { type Body, isObject, problemsOf } from '../wire/checks.js';
import { type Answer, flatError, invalidBody, NOT_FOUND, terminalError } from '../wire/errors.js';
import { COMMANDS } from './back-office/request-rules.js';

const LOCALE = /^[a-z]{2}_[A-Z]{2}$/;
const ACCEPTED: Answer = { status: 202, body: '' };

/** Device control: `POST /devices/{deviceType}/{serialNumber}/{command}`. */
export class Commands {
  constructor(
    private readonly terminals: ReadonlyMap<string, Terminal>,
    private readonly variants: Variants,
  ) {}

  /** `segments`: device type, serial number, command. */
  answer([type, serial = '', command = '', ...more]: readonly string[], body: unknown, merchant: Merchant): Answer {
    const check = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (check === undefined || more.length > 0) return NOT_FOUND;
    const problems = problemsOf(check, body);
    const outOfRange = problems.find(({ code }) => code === 'range');
    if (outOfRange !== undefined) return flatError(400, `${outOfRange.path} ${outOfRange.message}`);
    if (problems.length > 0 || !isObject(body)) return invalidBody(problems);
    if (command === 'set-locale' && !LOCALE.test(String(body.locale))) {
      return flatError(400, '/locale should be of the form xx_YY');
    }
    const isOwn = merchant.terminals.some((one) => one.serial_number === serial && one.terminal_type === type);
    const terminal = isOwn ? this.terminals.get(serial) : undefined;
    if (terminal === undefined) return terminalError(1004, this.variants.terminalErrors);
    if (!terminal.connected) return terminalError(1002, this.variants.terminalErrors);
    carryOut(terminal, command, body);
    return ACCEPTED;
  }
}

/** A forced reboot happens even during a payment; otherwise a busy terminal does not reboot. */
function carryOut(terminal: Terminal, command: string, body: Body): void {
  if (command !== 'reboot') terminal.settings.set(command, body);
  else if (body.force === true || !terminal.busy) terminal.restartApplication();
}
