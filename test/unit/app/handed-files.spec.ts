import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadEncryptionKey } from '../../../src/app/encryption-key.js';
import { readEnvironment } from '../../../src/app/environment.js';
import { chainedEvent, leafOf } from '../../../src/transparency-log/leaf.js';
import { verifyAdvice, verifyFile } from '../../../src/transparency-log/verify-file.js';
import { readHolidaysFile } from '../../../src/domain/calendar/holidays-file.js';
import { jsonOf } from '../../../src/cli/json-file.js';
import type { RecordedEvent } from '../../../src/platform/event-store/event-store.js';
import { readText } from '../../../src/platform/text/text-file.js';
import { readCredentialsFile } from '../../../src/rails/settings/credentials-file.js';

const BOM = '\ufeff';
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const ENCODINGS: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(BOM + text)],
  ['UTF-8 with CRLF', (text) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ['UTF-16LE with a byte order mark and CRLF, as PowerShell writes it', (text) => Buffer.from(BOM + text.replaceAll('\n', '\r\n'), 'utf16le')],
  ['UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16BE with a byte order mark', (text) => bigEndian(BOM + text)],
  ['UTF-16BE', bigEndian],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargebook-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(bytes: Buffer, name: string = randomUUID()): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, bytes, { mode: 0o600 });
  await chmod(file, 0o600);
  return file;
}

const HASH = 'a'.repeat(64);
const HEAD = { position: 3, events: 3, hash: HASH, signature: 'x', sealed_on: '2026-03-02T08:00:00.000+00:00' };
const KEPT = { hashes: [HASH], from: [] };
const CONSISTENCY = { first: { events: 3, hash: HASH }, second: { events: 3, hash: HASH }, consistency_path: [], head: HEAD };
const lines = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** An export of one event whose text has letters beyond ASCII. */
function anExport(): { readonly text: string; readonly root: string } {
  const { event } = JSON.parse(readFileSync(new URL('../../golden/ChargeCreated.1.json', import.meta.url), 'utf8')) as { event: RecordedEvent };
  const recorded = { ...event, data: { ...event.data, description: 'Café in Ålesund' }, position: 1n } as RecordedEvent;
  const key = Buffer.alloc(32, 7);
  const leaf_hash = leafOf(recorded, key).toString('hex');
  return { text: `${JSON.stringify({ ...chainedEvent(recorded, 1, key), leaf_hash })}\n`, root: leaf_hash };
}

const signal = new AbortController().signal;

describe.each(ENCODINGS)('a file in %s', (_, encoded) => {
  it('readText returns the text of the file', async () => {
    expect(await readText(await fileOf(encoded('{"a":\n"Café"}\n')))).toBe('{"a":\n"Café"}\n');
  });

  it('verification accepts the file as a kept proof', async () => {
    expect(await verifyFile(await fileOf(encoded(lines(CONSISTENCY))), KEPT, signal)).toMatchObject({ fault: null, events: 3 });
  });

  it('verification accepts the file as an export of events', async () => {
    const { text, root } = anExport();
    expect(await verifyFile(await fileOf(encoded(text)), { hashes: [root], from: [] }, signal)).toMatchObject({ fault: null, events: 1 });
  });

  it('every reader accepts the file: remittance advice, settings, credentials, holidays, encryption key and .env', async () => {
    const advice = {
      ...{ document: { payout_id: 'p', position: 1, settlements: [], amount: 0, not_covered: 0 } },
      ...{ digest: HASH, public_key: HASH, signature: 'x' },
    };
    expect(await verifyAdvice(await fileOf(encoded(lines(advice))), HASH)).toMatchObject({ payout_id: 'p' });
    expect(await jsonOf(await fileOf(encoded(lines({ kind: 'bank' }))))).toEqual({ kind: 'bank' });
    const credentials = { secret_key: 'xnd_development_0123456789abcdef', callback_token: '0123456789abcdef' };
    expect(await readCredentialsFile(await fileOf(encoded(lines(credentials))), { kind: 'xendit', mode: 'sandbox' })).toEqual(credentials);
    expect(await readHolidaysFile(await fileOf(encoded(lines({ ID: ['2026-12-25'] }))))).toEqual([
      { country: 'ID', year: 2026, days: ['2026-12-25'] },
    ]);
    const key = Buffer.alloc(32, 9);
    await fileOf(encoded(`${key.toString('base64')}\n`), 'encryption-key');
    expect(await loadEncryptionKey({ encryptionKey: undefined, dataDir: folder }, 'postgres://none')).toEqual(key);
    await fileOf(encoded('BOOKS_TIMEZONE=Asia/Jakarta\nCHARGE_TTL_SECONDS=77\n'), '.env');
    expect(environmentIn(folder)).toMatchObject({ booksTimeZone: 'Asia/Jakarta', chargeTtlSeconds: 77 });
  });
});

/** The environment that a process started there reads. */
function environmentIn(directory: string): ReturnType<typeof readEnvironment> {
  const [before, names] = [process.cwd(), ['BOOKS_TIMEZONE', 'CHARGE_TTL_SECONDS'] as const];
  process.chdir(directory);
  try {
    return readEnvironment();
  } finally {
    process.chdir(before);
    for (const name of names) delete process.env[name];
  }
}

describe('an encoding that cannot be read', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const utf32 = (text: string): Buffer => Buffer.concat([...text].map((letter) => Buffer.from([letter.charCodeAt(0), 0, 0, 0])));

  it('names Latin-1 and Windows-1252 as encodings that cannot be read', async () => {
    const named = /is no text in UTF-8 or UTF-16, but perhaps in Windows-1252 or Latin-1: save it as UTF-8/;
    const proof = await fileOf(latin1(lines({ ...CONSISTENCY, note: 'Café' })));
    await expect(verifyFile(proof, KEPT, signal)).rejects.toThrow(named);
    await expect(verifyAdvice(proof, HASH)).rejects.toThrow(named);
    await expect(jsonOf(proof)).rejects.toThrow(named);
    await expect(readCredentialsFile(proof, { kind: 'xendit', mode: 'sandbox' })).rejects.toThrow(named);
  });

  it('names UTF-32 as an encoding that cannot be read', async () => {
    const file = await fileOf(utf32(lines(CONSISTENCY)));
    await expect(verifyFile(file, KEPT, signal)).rejects.toThrow('is in UTF-32');
    await expect(jsonOf(file)).rejects.toThrow('is in UTF-32');
  });

  it('reports the line of an export whose encoding was changed', async () => {
    const { text, root } = anExport();
    expect(await verifyFile(await fileOf(latin1(text)), { hashes: [root], from: [] }, signal)).toMatchObject({ broken_at: 1 });
  });
});
