const ROOT = /^(.*)\/payment-admin\/virtual-terminal\/$/.exec(location.pathname)?.[1];

/**
 * What Node-RED's editor keeps in this browser. Nothing outside Node-RED, where such a key would be somebody else's, nor
 * where the browser lets no page keep anything.
 * @param nameAt the key, for an editor at this path
 */
export function keptByEditor(nameAt: (root: string) => string): string | undefined {
  if (ROOT === undefined) return undefined;
  try {
    return localStorage.getItem(nameAt(ROOT)) ?? undefined;
  } catch {
    return undefined;
  }
}
