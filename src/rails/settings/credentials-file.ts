import { createHash, X509Certificate, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import type { RailSet } from '../../ledger/events/rail.events.js';
import { textOf, UnreadableText } from '../../platform/text/text-file.js';
import type { Credentials } from './rail-credentials.js';
import { readPrivateKey, readPublicKey } from '../snap/signature.js';
import { KEY_PREFIX } from '../xendit/check.js';

/** The file cannot be used. The message names the field, and never quotes a value. */
export class CredentialsInvalid extends Error {
  override readonly name = 'CredentialsInvalid';
}

const FILE_BYTES_MAX = 64 * 1024;
/** RSA; also the minimum for the keys that a bank signs with. */
const KEY_BITS_MIN = 2_048;
/** Number of hex digits that identify a secret in events and lists. */
const FINGERPRINT_DIGITS = 8;

/** Long enough that its fingerprint reveals nothing. */
const secret = (max = 500) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .min(16)
    .max(max)
    .describe(`16 to ${max} characters without spaces`);
const id = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/)
    .describe('1 to 100 characters without spaces');

const XENDIT = z.strictObject({
  secret_key: secret()
    .regex(/^xnd_(development|production)_/)
    .describe('a secret key of Xendit, which begins with xnd_development_ or xnd_production_'),
  callback_token: secret(),
});

const SNAP = z.strictObject({
  client_key: id(),
  client_secret: secret(),
  private_key: z.string().refine(isPrivateKey).describe(`an RSA key of ${KEY_BITS_MIN} bits or more, unencrypted PKCS#8: PEM, or base64 of the DER`),
  public_key: z
    .string()
    .refine(isPublicKey)
    .describe(`the bank’s RSA key of ${KEY_BITS_MIN} bits or more, or a certificate of it that is valid today: PEM, or base64 of the DER`),
  partner_id: id(),
  channel_id: id(),
  source_account: z
    .string()
    .regex(/^\d{5,34}$/)
    .describe('5 to 34 digits'),
  merchant_id: id().optional(),
  terminal_id: id().optional(),
});

const SCHEMAS = { xendit: XENDIT, snap: SNAP } as const satisfies Readonly<Record<RailSet['kind'], z.ZodObject>>;
/** Fields that grant access. The others are names and numbers, whose fingerprint would reveal too much. */
const SECRETS: ReadonlySet<string> = new Set(['secret_key', 'callback_token', 'client_secret', 'private_key', 'public_key']);

/**
 * Reads a file that only its owner can read.
 * @throws CredentialsInvalid with one line that quotes nothing from the file.
 */
export async function readCredentialsFile(path: string, rail: Pick<RailSet, 'kind' | 'mode'>): Promise<Credentials> {
  return parseCredentials(await readOwnersFile(path), rail);
}

async function readOwnersFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new CredentialsInvalid(`${path} cannot be read: ${error.code ?? error.message}`);
  });
  try {
    const { mode, size } = await file.stat().then((found) => (found.isFile() ? found : { mode: 0, size: Infinity }));
    if ((mode & 0o077) !== 0)
      throw new CredentialsInvalid(`${path} can be read by others: chmod 600 ${path}, and treat the keys in it as compromised`);
    if (size > FILE_BYTES_MAX) throw new CredentialsInvalid(`${path} is no file of at most ${FILE_BYTES_MAX} bytes`);
    return textIn(await file.readFile(), path);
  } finally {
    await file.close();
  }
}

function textIn(bytes: Buffer, path: string): string {
  try {
    return textOf(bytes, path);
  } catch (error) {
    throw error instanceof UnreadableText ? new CredentialsInvalid(error.message) : error;
  }
}

/** @throws CredentialsInvalid */
export function parseCredentials(text: string, { kind, mode }: Pick<RailSet, 'kind' | 'mode'>): Credentials {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new CredentialsInvalid('the credentials are no JSON');
  }
  const { data, error } = SCHEMAS[kind].safeParse(document);
  if (error) throw new CredentialsInvalid(wrongField(kind, error.issues[0]!));
  if (kind === 'xendit') requireKeyOfMode((data as z.infer<typeof XENDIT>).secret_key, mode);
  return Object.fromEntries(Object.entries(data).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));
}

function requireKeyOfMode(secretKey: string, mode: RailSet['mode']): void {
  const wanted = KEY_PREFIX[mode];
  if (!secretKey.startsWith(wanted)) throw new CredentialsInvalid(`secret_key of a ${mode} rail begins with ${wanted}`);
}

function wrongField(kind: RailSet['kind'], issue: z.core.$ZodIssue): string {
  const shape: Readonly<Record<string, z.ZodType>> = SCHEMAS[kind].shape;
  const field = String(issue.path[0] ?? '');
  if (Object.hasOwn(shape, field)) return `${field} must be ${shape[field]!.description ?? 'a text'}`;
  return `the credentials of a rail of kind ${kind} are one JSON object with ${Object.keys(shape).join(', ')}, and nothing else`;
}

const isStrong = ({ asymmetricKeyDetails }: KeyObject): boolean => (asymmetricKeyDetails?.modulusLength ?? 0) >= KEY_BITS_MIN;

function isPrivateKey(text: string): boolean {
  try {
    return isStrong(readPrivateKey(text));
  } catch {
    return false;
  }
}

function isPublicKey(text: string): boolean {
  try {
    if (text.includes('-----BEGIN CERTIFICATE-----')) {
      const { validFrom, validTo } = new X509Certificate(text);
      if (Date.now() < Date.parse(validFrom) || Date.now() > Date.parse(validTo)) return false;
    }
    return isStrong(readPublicKey(text));
  } catch {
    return false;
  }
}

/** Returns the first digits of the SHA-256 of each secret, so that an operator can verify that it is the intended one. */
export function fingerprintsOf(credentials: Credentials): readonly { readonly field: string; readonly sha256: string }[] {
  return Object.entries(credentials)
    .filter(([field]) => SECRETS.has(field))
    .map(([field, value]) => ({ field, sha256: createHash('sha256').update(value).digest('hex').slice(0, FINGERPRINT_DIGITS) }));
}
