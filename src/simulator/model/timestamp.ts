/** Formats epoch ms the way the service writes dates: `YYYYMMDDHHmmssSSS`, UTC. */
export function timestamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\D/g, '');
}
