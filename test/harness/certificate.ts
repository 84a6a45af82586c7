import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** Who vouches for servers. */
export interface Authority {
  name: string;
  key: KeyObject;
  /** PEM. */
  certificate: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = {
  ecdsaWithSha256: '06082a8648ce3d040302',
  commonName: '0603550403',
  basicConstraints: '0603551d13',
  subjectAltName: '0603551d11',
};
const YEAR = 365 * 24 * 60 * 60_000;

/** A certificate authority of its own. */
export function authority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAuthority = extension(OID.basicConstraints, der(SEQUENCE, der(0x01, Buffer.from([0xff]))));
  return { name, key: privateKey, certificate: signed(name, publicKey, { name, key: privateKey }, isAuthority) };
}

/** Certificate and key of a server, in PEM. @param host a name, or an address in digits @param from when it is valid, epoch ms */
export function serverCertificate(
  host: string,
  by: Authority,
  from = Date.now() - YEAR,
): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const named = isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, Buffer.from(host.split('.').map(Number)));
  const certificate = signed('a server', publicKey, by, extension(OID.subjectAltName, der(SEQUENCE, named)), from);
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function signed(
  subject: string,
  key: KeyObject,
  by: Pick<Authority, 'name' | 'key'>,
  extensions: Buffer,
  from = Date.now() - YEAR,
): string {
  const algorithm = der(SEQUENCE, Buffer.from(OID.ecdsaWithSha256, 'hex'));
  const content = der(
    SEQUENCE,
    // Version 3.
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(by.name),
    der(SEQUENCE, timeOf(from), timeOf(from + 2 * YEAR)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extensions)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, by.key)]));
  const lines = der(SEQUENCE, content, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function nameOf(text: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, Buffer.from(OID.commonName, 'hex'), der(0x0c, Buffer.from(text)))));
}

function timeOf(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function extension(oid: string, value: Buffer): Buffer {
  return der(SEQUENCE, Buffer.from(oid, 'hex'), der(0x04, value));
}

/** A value as a certificate has it: type, length, contents. */
function der(type: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts);
  const length = contents.length;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...head]), contents]);
}
