/** Nested beyond what anybody reads. */
export function isDeep(body: string): boolean {
  return /[[{]{64}|(\{"\w+":){64}/.test(body);
}
