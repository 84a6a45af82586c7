import { type OperationRecord, originalIn } from '../../journal/record.js';

/**
 * Operations wait for each other about one original transaction, on one terminal, and in one batch: for their original first.
 * @param service where a serial number is one terminal, whichever environment names it: see {@link serviceAddress}
 */
export function queueKeys({ kind, request, terminal, operationId }: OperationRecord, service: string): string[] {
  const original = originalIn({ request });
  const about = original === undefined ? [] : [`original ${original}`];
  if (terminal !== undefined) {
    const { terminal_type, serial_number } = terminal;
    return [...about, [kind === 'terminal' ? kind : 'batch', service, terminal_type, serial_number].join(' ')];
  }
  return original === undefined ? [`own ${operationId}`] : about;
}

/** The key of the terminal that an operation on a terminal is for. */
export function terminalKey(record: OperationRecord, service: string): string {
  return queueKeys(record, service).at(-1) ?? '';
}

/** One text for each address, however it is spelt. */
export function serviceAddress(baseUrl: string): string {
  return new URL(baseUrl).href.replace(/\/$/, '');
}
