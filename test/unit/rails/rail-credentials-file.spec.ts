import { createHash, generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CredentialsInvalid, fingerprintsOf, parseCredentials, readCredentialsFile } from '../../../src/rails/settings/credentials-file.js';
import { CERTIFICATE_THAT_EXPIRED, SNAP_CREDENTIALS, XENDIT_CREDENTIALS } from '../../support/rail-credentials.js';

const XENDIT = { kind: 'xendit', mode: 'sandbox' } as const;
const SNAP = { kind: 'snap', mode: 'sandbox' } as const;

describe('credentials', () => {
  it('accepts credentials of either kind unchanged', () => {
    expect(parseCredentials(JSON.stringify(XENDIT_CREDENTIALS), XENDIT)).toEqual(XENDIT_CREDENTIALS);
    expect(parseCredentials(JSON.stringify(SNAP_CREDENTIALS), SNAP)).toEqual(SNAP_CREDENTIALS);
    const { merchant_id: _, terminal_id: __, ...least } = SNAP_CREDENTIALS;
    expect(parseCredentials(JSON.stringify(least), SNAP)).toEqual(least);
  });

  it('rejects credentials of Xendit for another mode than that of the rail', () => {
    const live = { ...XENDIT_CREDENTIALS, secret_key: 'xnd_production_0123456789' };
    expect(parseCredentials(JSON.stringify(live), { ...XENDIT, mode: 'live' })).toEqual(live);
    expect(() => parseCredentials(JSON.stringify(live), XENDIT)).toThrow('secret_key of a sandbox rail begins with xnd_development_');
    expect(() => parseCredentials(JSON.stringify(XENDIT_CREDENTIALS), { ...XENDIT, mode: 'live' })).toThrow('xnd_production_');
  });

  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  it.each<[string, object]>([
    ['private_key', { private_key: weak.privateKey.export(pem) }],
    ['private_key', { private_key: elliptic.privateKey.export(pem) }],
    ['private_key', { private_key: SNAP_CREDENTIALS.public_key }],
    ['private_key', { private_key: weak.privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }) }],
    ['public_key', { public_key: SNAP_CREDENTIALS.private_key }],
    ['public_key', { public_key: weak.publicKey.export({ type: 'spki', format: 'pem' }) }],
    ['public_key', { public_key: CERTIFICATE_THAT_EXPIRED }],
    ['client_secret', { client_secret: 'short' }],
    ['client_secret', { client_secret: 12345678901234567890 }],
    ['source_account', { source_account: '12 34' }],
    ['partner_id', { partner_id: '' }],
    ['nothing else', { client_secrets: 'x' }],
  ])('credentials with a wrong %s are refused, and nothing of them is repeated', (words, change) => {
    const text = JSON.stringify({ ...SNAP_CREDENTIALS, ...change });
    const refusal = errorOf(() => parseCredentials(text, SNAP));
    expect(refusal).toBeInstanceOf(CredentialsInvalid);
    expect(refusal.message).toContain(words);
    for (const value of Object.values({ ...SNAP_CREDENTIALS, ...change }).map(String)) {
      if (value.length > 4) expect(refusal.message).not.toContain(value.slice(0, 40));
    }
  });

  it.each(['', '[]', 'null', '{"secret_key":', '"xnd_development_0123456789"', '{}'])('rejects %j', (text) => {
    expect(() => parseCredentials(text, XENDIT)).toThrow(CredentialsInvalid);
  });

  it('fingerprints are the first eight digits of the SHA-256 of each secret', () => {
    const sha256 = createHash('sha256').update(XENDIT_CREDENTIALS.secret_key).digest('hex').slice(0, 8);
    expect(fingerprintsOf(XENDIT_CREDENTIALS)).toContainEqual({ field: 'secret_key', sha256 });
    expect(fingerprintsOf(SNAP_CREDENTIALS).map(({ field }) => field)).toEqual(['client_secret', 'private_key', 'public_key']);
  });
});

describe('a file of credentials', () => {
  let directory: string;
  let file: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'chargebook-rail-'));
    file = join(directory, 'xendit.json');
    await writeFile(file, JSON.stringify(XENDIT_CREDENTIALS), { mode: 0o600 });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('reads a file that only its owner can read', async () => {
    expect(await readCredentialsFile(file, XENDIT)).toEqual(XENDIT_CREDENTIALS);
  });

  it.each([0o640, 0o604, 0o620, 0o601])('rejects a file of mode %o', async (mode) => {
    await chmod(file, mode);
    await expect(readCredentialsFile(file, XENDIT)).rejects.toThrow(`chmod 600 ${file}`);
    await chmod(file, 0o600);
  });

  it('rejects a directory, a missing file and a large one', async () => {
    await expect(readCredentialsFile(directory, XENDIT)).rejects.toThrow(CredentialsInvalid);
    await expect(readCredentialsFile(join(directory, 'none'), XENDIT)).rejects.toThrow('ENOENT');
    const large = join(directory, 'large');
    await writeFile(large, 'x'.repeat(100_000), { mode: 0o600 });
    await expect(readCredentialsFile(large, XENDIT)).rejects.toThrow('65536 bytes');
  });
});

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
