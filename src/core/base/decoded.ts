/**
 * The text of a body, whichever way what lies in between has written it. JSON begins with ASCII characters: a mark in front of them,
 * or the zeros beside them, say how.
 */
export function decoded(body: Buffer): string {
  return written(body).replace(/^\ufeff/, '');
}

function written(body: Buffer): string {
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return utf16(body);
  if (first !== undefined && first !== 0 && second === 0) return utf16(body);
  const isOtherWay = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return isOtherWay && body.length % 2 === 0 ? utf16(Buffer.from(body).swap16()) : body.toString('utf8');
}

function utf16(body: Buffer): string {
  return body.toString('utf16le');
}
