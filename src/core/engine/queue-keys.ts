import { type OperationRecord, originalIn } from '../journal/record.js';

/**
 * Operations wait for each other on one terminal, about one original transaction, and in one batch.
 * @param baseUrl of the service: a serial number is one terminal there, whichever environment names it
 */
export function queueKeys({ kind, request, terminal, operationId }: OperationRecord, baseUrl: string): string[] {
  const original = originalIn({ request });
  const about = original === undefined ? [] : [`original ${original}`];
  if (terminal !== undefined) {
    const { terminal_type, serial_number } = terminal;
    const service = new URL(baseUrl).href.replace(/\/$/, '');
    return [...about, [kind === 'terminal' ? kind : 'batch', service, terminal_type, serial_number].join(' ')];
  }
  return original === undefined ? [`own ${operationId}`] : about;
}
