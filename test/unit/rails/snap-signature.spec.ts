import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { minified, parsedByDigits } from '../../../src/rails/calls/exact-json.js';
import {
  asymmetricSignature,
  bodyHash,
  isAsymmetricSignature,
  isSymmetricSignature,
  readPrivateKey,
  readPublicKey,
  stringToSign,
  symmetricSignature,
  tokenStringToSign,
  type SignatureEncoding,
} from '../../../src/rails/snap/signature.js';
import { ANY_CHARACTER } from '../../support/any-character.js';
import { railFixture } from '../../support/rail-facts.js';

const SETTINGS = { seed: 20261122, numRuns: 500 };

interface Vector {
  name: string;
  algorithm: string;
  secret?: string;
  method?: string;
  path?: string;
  token?: string;
  timestamp?: string;
  body?: string;
  body_sha256?: string;
  string_to_sign?: string;
  signature?: string;
  received?: string;
  minified?: string;
}
const facts = railFixture('signatures');
const vectors = facts.vectors as readonly Vector[];
const privateKey = readPrivateKey(facts.demo_private_key_pkcs8_base64 as string);
const publicKey = readPublicKey(facts.demo_public_key_spki_base64 as string);
const encodingOf = (signature: string): SignatureEncoding => (/^[0-9a-f]+$/.test(signature) ? 'hex' : 'base64');

describe('signatures of SNAP', () => {
  it.each(vectors.filter(({ method }) => method !== undefined))('$name: builds the text to sign', (vector) => {
    const { method, path, token, body, timestamp } = vector as Required<Vector>;
    expect(stringToSign({ method, path, ...(vector.token === undefined ? {} : { token }), body: Buffer.from(body), timestamp })).toBe(
      vector.string_to_sign,
    );
  });

  it.each(vectors.filter(({ body_sha256 }) => body_sha256 !== undefined))('$name: hashes the body', ({ body, received, body_sha256 }) => {
    expect(bodyHash(Buffer.from(body ?? received!))).toBe(body_sha256);
  });

  it.each(vectors.filter(({ algorithm }) => algorithm === 'HMAC-SHA512'))('$name: signs byte for byte', ({ secret, string_to_sign, signature }) => {
    const encoding = encodingOf(signature!);
    expect(symmetricSignature(secret!, string_to_sign!, encoding)).toBe(signature);
    expect(isSymmetricSignature(secret!, string_to_sign!, encoding, signature!)).toBe(true);
    expect(isSymmetricSignature(`${secret}.`, string_to_sign!, encoding, signature!)).toBe(false);
    expect(isSymmetricSignature(secret!, string_to_sign!, encoding, signature!.slice(1))).toBe(false);
  });

  it.each(vectors.filter(({ algorithm }) => algorithm === 'SHA256withRSA'))('$name: verifies the signature', ({ string_to_sign, signature }) => {
    expect(isAsymmetricSignature(publicKey, string_to_sign!, 'base64', signature!)).toBe(true);
    expect(isAsymmetricSignature(publicKey, `${string_to_sign} `, 'base64', signature!)).toBe(false);
    expect(isAsymmetricSignature(publicKey, string_to_sign!, 'hex', signature!)).toBe(false);
  });

  it('reproduces the signatures of the demo byte for byte, with its key', () => {
    for (const { string_to_sign, signature } of vectors.filter(({ algorithm }) => algorithm === 'SHA256withRSA')) {
      expect(asymmetricSignature(privateKey, string_to_sign!, 'base64')).toBe(signature);
    }
    expect(tokenStringToSign('G1234325-SNAP', '2024-03-01T08:27:49.024Z')).toBe(vectors[0]!.string_to_sign);
  });

  it.each(facts.negative as { name: string; of: string; string_to_sign: string }[])('$name: rejects the signature', ({ of, string_to_sign }) => {
    const { secret, signature } = vectors.find(({ name }) => name === of)!;
    expect(isSymmetricSignature(secret!, string_to_sign, 'base64', signature!)).toBe(false);
  });

  it('minifies a body as the fixture does', () => {
    const { received, minified: expected } = vectors.find((vector) => vector.minified !== undefined)!;
    expect(minified(Buffer.from(received!)).toString()).toBe(expected);
  });
});

describe('keys', () => {
  const pem = { type: 'pkcs8', format: 'pem' } as const;

  it('reads PEM, and base64 of DER', () => {
    expect(readPrivateKey(privateKey.export(pem).toString()).equals(privateKey)).toBe(true);
    expect(readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString()).equals(publicKey)).toBe(true);
  });

  it('rejects keys that are short, of another kind or in the wrong field, without showing them', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const curve = generateKeyPairSync('ed25519');
    expect(() => readPrivateKey(short.privateKey.export(pem).toString())).toThrow('The private key is no RSA key of at least 2048 bits.');
    expect(() => readPrivateKey(curve.privateKey.export(pem).toString())).toThrow('no RSA key');
    expect(() => readPrivateKey('SECRET-secret')).toThrow(/^The private key cannot be read\.$/);
    expect(() => readPublicKey(privateKey.export(pem).toString())).toThrow('The public key is a private one.');
    expect(() => readPublicKey('')).toThrow(/^The public key cannot be read\.$/);
  });
});

describe('minifying', () => {
  const white = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
  /** White space where JSON allows it: around tokens, outside strings. */
  const spaced = fc.tuple(fc.json(), fc.array(white, { minLength: 1, maxLength: 9 })).map(([json, whites]) => {
    let [isInString, turn, text] = [false, 0, ''];
    for (let at = 0; at < json.length; at += 1) {
      const character = json[at]!;
      if (isInString && character === '\\') {
        text += json.slice(at, at + 2);
        at += 1;
        continue;
      }
      if (character === '"') isInString = !isInString;
      const mayStand = !isInString && '{}[]:,'.includes(character);
      const space = (): string => whites[turn++ % whites.length]!;
      text += mayStand ? space() + character + space() : character;
    }
    return { json, text };
  });

  it('removes the white space between tokens, and nothing else', () => {
    fc.assert(
      fc.property(spaced, ({ json, text }) => expect(minified(Buffer.from(text)).toString()).toBe(minified(Buffer.from(json)).toString())),
      SETTINGS,
    );
    fc.assert(
      fc.property(fc.json(), (json) => expect(JSON.parse(minified(Buffer.from(json)).toString())).toEqual(JSON.parse(json))),
      SETTINGS,
    );
  });

  it('leaves strings unchanged, whatever their content', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        const json = JSON.stringify(text);
        expect(minified(Buffer.from(` ${json}\n`)).toString()).toBe(Buffer.from(json).toString());
      }),
      SETTINGS,
    );
  });

  it('minifying again changes nothing, also in text that is not JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((json) => Buffer.from(json)),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          const once = minified(bytes);
          expect(minified(once)).toEqual(once);
          expect(once.length).toBeLessThanOrEqual(bytes.length);
        },
      ),
      SETTINGS,
    );
  });

  it('minifies nothing to nothing', () => {
    expect(bodyHash(Buffer.alloc(0))).toBe(createHash('sha256').digest('hex'));
  });
});

describe('reading numbers by their digits', () => {
  /** The same value with every number as the text of it. */
  const texts = (value: unknown): unknown =>
    typeof value === 'number'
      ? JSON.stringify(value)
      : Array.isArray(value)
        ? value.map(texts)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, texts(inner)]))
          : value;

  it('returns the same as JSON.parse, except for numbers', () => {
    const json = fc.json().filter((text) => !text.includes('__proto__'));
    fc.assert(
      fc.property(json, (text) => expect(parsedByDigits(Buffer.from(text))).toEqual(texts(JSON.parse(text)))),
      SETTINGS,
    );
  });

  it('keeps digits that a float would lose', () => {
    expect(parsedByDigits(Buffer.from('[1.00, -2.50e3, 12345678901234567.89, "7"]'))).toEqual(['1.00', '-2.50e3', '12345678901234567.89', '7']);
  });

  it.each(['01', '1.', '-', '1.2.3', '1e', '[1', '"\\', '"a', '{"a":1,}', '', '1 2', '{1:2}'])('rejects %j as JSON.parse does', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parsedByDigits(Buffer.from(text))).toThrow(SyntaxError);
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(() => parsedByDigits(Buffer.from([0x22, 0xff, 0x22]))).toThrow(SyntaxError);
  });
});
