import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certified {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

const OID_ECDSA_SHA256 = '06082a8648ce3d040302';
const OID_COMMON_NAME = '0603550403';
const OID_ALTERNATIVE_NAMES = '0603551d11';

/** Creates a self-signed certificate for `name`, valid for an hour by default. `validUntil` is in ms since the epoch. */
export function certificate(name: string, { validUntil = Date.now() + 3_600_000 }: { validUntil?: number } = {}): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, hex(OID_ECDSA_SHA256));
  const named = der(0x30, der(0x31, der(0x30, hex(OID_COMMON_NAME), der(0x0c, Buffer.from(name)))));
  const alternatives = der(0x30, hex(OID_ALTERNATIVE_NAMES), der(0x04, der(0x30, der(0x82, Buffer.from(name)))));
  const signed = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    named,
    der(0x30, time(Math.min(validUntil, Date.now()) - 24 * 3_600_000), time(validUntil)),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternatives)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const body = der(0x30, signed, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

/** UTCTime. */
const time = (ms: number): Buffer => der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
