/** The variables that a text of a config node names, for the editor and for the run time. */

/**
 * The variable whose value Node-RED puts in the place of a text when it starts the node. `$(VAR)` is the older form; where the
 * variable is not set both are left as they are, and must not pass for an address or a secret.
 */
export function wholeVariable(text: string): string | undefined {
  const [, name, older] = /^\$(?:\{([^}]+)\}|\((\S+)\))$/.exec(text.trim()) ?? [];
  return name ?? older;
}

/** Also one that is a part of the text, which Node-RED never replaces. In the older form that is text like any other. */
export function variableIn(text: string): string | undefined {
  return wholeVariable(text) ?? /\$\{([^}]+)\}/.exec(text)?.[1];
}
