import { crc32 } from 'node:zlib';

/** JSON behind its CRC-32 (8 hexadecimal digits). */

const CHECKSUM_DIGITS = 8;

export function checkedJson(value: object): string {
  const json = JSON.stringify(value);
  return `${checksumOf(json)}${json}`;
}

/** Undefined where a text is not as {@link checkedJson} made it. */
export function valueIn<T extends object>(text: string): T | undefined {
  const json = text.slice(CHECKSUM_DIGITS);
  return json !== '' && text.startsWith(checksumOf(json)) ? JSON.parse(json) : undefined;
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(CHECKSUM_DIGITS, '0');
}
