/**
 * The code of an issuer (ISO 8583, field 39) in its two characters: as a number it has lost the zeros in front, and the version of
 * 1993 has one more.
 */
export function inTwoCharacters(code: string): string {
  return /^0+$/.test(code) ? '00' : code.replace(/^\d$/, '0$&');
}
