/** Epoch ms as the service writes dates: `YYYYMMDDHHmmssSSS`, UTC. A pure conversion: it reads no clock. */
export function timestamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\D/g, '');
}
