/** Services write ids in small letters or in capitals. */
export function isSameId(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
