/** What was open when an environment closed: a deploy that takes its journal away must not do so in silence. */

interface Left {
  folder: string;
  /** Operations. */
  open: number;
}

/** By environment. */
const leftBehind = new Map<string, Left>();

export function leaveBehind(environment: string, left: Left): void {
  if (left.open > 0) leftBehind.set(environment, left);
}

/** What an environment that starts with another journal has to say of the one before it. */
export function warningFor(environment: string, folder: string): string | undefined {
  const left = leftBehind.get(environment);
  leftBehind.delete(environment);
  return left === undefined || left.folder === folder ? undefined : warningOf(left);
}

export function warningOf({ folder, open }: Left): string {
  return (
    `${open} payments are open in the journal in ${folder}, and nobody follows them any more: what became of them is ` +
    'told once an environment with the same id uses that journal again'
  );
}
