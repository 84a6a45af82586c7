const ROOT = /^(.*)\/payment-admin\/virtual-terminal\/$/.exec(location.pathname)?.[1];

/**
 * Reads a value that Node-RED's editor stores in this browser. Undefined outside Node-RED, where the key could be
 * another program's, and where the browser denies storage.
 * @param nameAt the key for an editor at this path
 */
export function keptByEditor(nameAt: (root: string) => string): string | undefined {
  if (ROOT === undefined) return undefined;
  try {
    return localStorage.getItem(nameAt(ROOT)) ?? undefined;
  } catch {
    return undefined;
  }
}
