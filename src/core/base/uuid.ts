/** The service refuses references of any other version or variant. */
export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A service may fill the field of an id that it has not with zeros, as a GUID or not: they name nothing. */
export function isZeros(id: string): boolean {
  return /^[0-]+$/.test(id);
}
