import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody } from '../../src/platform/http/edge/json-body.js';
import { parseTimestamp } from '../../src/platform/http/validation/timestamp.js';
import { Problem } from '../../src/platform/problem.js';
import { ANY_CHARACTER } from '../support/any-character.js';
import { BUSY } from '../support/eventually.js';
import { type EdgeApp, startEdge } from '../support/edge-app.js';

const SEED = 20260131;

let edge: EdgeApp;
let key: string;
beforeAll(async () => {
  edge = await startEdge();
  key = edge.keys.issue();
});
afterAll(() => edge.app.close());

/** Requires a response of the service's own handlers, below 500 and within the time limit. */
async function sane(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(edge.url + path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
    signal: AbortSignal.timeout(BUSY * 3_000),
  });
  const text = await response.text();
  expect(response.headers.get('request-id')).toMatch(/^req_/);
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) expect(JSON.parse(text)).toMatchObject({ status: response.status });
}

const ORDER = { amount: 10000, currency: 'IDR', channel_code: 'QR_QRIS', reference_id: 'order-1' };
const NASTY = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'amount',
  'metadata',
  'address',
  'events',
  '\u0000',
  '\ud800',
  '😀',
  '',
  '/',
  '~',
);
const anything = fc.anything({
  key: fc.oneof(NASTY, fc.string()),
  values: [fc.string({ unit: ANY_CHARACTER }), NASTY, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)],
  maxDepth: 4,
});

describe('requests with random input', () => {
  const create = (body: string | Uint8Array) =>
    sane('/v1/orders', { method: 'POST', body: body as string, headers: { 'content-type': 'application/json', 'idempotency-key': 'k' } });

  it('any JSON body causes no internal error', async () => {
    await fc.assert(
      fc.asyncProperty(anything, (body) => create(JSON.stringify(body) ?? 'null')),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('any value of one field causes no internal error', async () => {
    const field = fc.oneof(fc.constantFrom(...Object.keys(ORDER), 'description', 'metadata', 'address', 'events'), NASTY);
    await fc.assert(
      fc.asyncProperty(field, anything, (name, value) => create(JSON.stringify({ ...ORDER, [name]: value }))),
      { seed: SEED, numRuns: 400 },
    );
  });

  it('any bytes as a body cause no internal error', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), create), { seed: SEED, numRuns: 200 });
  });

  it('JSON with a cut or a changed byte causes no internal error', async () => {
    const text = Buffer.from(JSON.stringify({ ...ORDER, metadata: { a: 'b\u00e9😀' }, address: { country: 'ID' } }));
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const changed = Buffer.from(text);
        changed[at] = byte;
        return create(cut ? text.subarray(0, at) : changed);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('any path and query cause no internal error', async () => {
    const part = fc.oneof(
      fc.string({ unit: ANY_CHARACTER }).map((text) => encodeURIComponent(text)),
      fc.constantFrom('%', '%zz', '%00', '%ff', '..', '.', ';', ':id', '*', '%2f'),
    );
    const name = fc.oneof(fc.constantFrom('PageSize', 'datefrom', 'Id', 'searchtext', 'ISDESCENDING', '__proto__'), part);
    const query = fc
      .array(
        fc.tuple(name, part).map(([a, b]) => `${a}=${b}`),
        { maxLength: 5 },
      )
      .map((pairs) => pairs.join('&'));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.constant('/v1/orders'),
          part.map((id) => `/v1/orders/${id}`),
          part.map((rest) => `/${rest}`),
        ),
        query,
        (path, text) => sane(`${path}?${text}`, {}),
      ),
      { seed: SEED, numRuns: 400 },
    );
  });

  it('any value of a header causes no internal error', async () => {
    const value = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)) });
    const name = fc.constantFrom('idempotency-key', 'content-type', 'traceparent', 'accept', 'if-match', 'content-encoding', 'accept-version');
    await fc.assert(
      fc.asyncProperty(name, value, (header, text) =>
        sane('/v1/orders', {
          method: 'POST',
          body: JSON.stringify(ORDER),
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k', [header]: text },
        }),
      ),
      { seed: SEED, numRuns: 300 },
    );
  });
});

describe('parseJsonBody', () => {
  it('accepts the same texts as JSON.parse, with the same values', () => {
    const json = fc.json({ maxDepth: 6, noUnicodeString: false });
    fc.assert(
      fc.property(json, (text) => {
        expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('rejects every text that JSON.parse rejects', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (!valid) expect(() => parseJsonBody(Buffer.from(text))).toThrow(Problem);
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('never turns a fraction into an integer', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 });
    const literal = fc.tuple(fc.nat(999).map(String), digits, fc.option(fc.integer({ min: -30, max: 30 })));
    fc.assert(
      fc.property(literal, ([whole, fraction, exponent]) => {
        const text = `${whole}.${fraction}${exponent === null ? '' : `e${exponent}`}`;
        // Computes with big integers: whole.fraction × 10^exponent = digits × 10^(exponent − length of fraction).
        const power = (exponent ?? 0) - fraction.length;
        const all = BigInt(whole + fraction);
        const isInteger = power >= 0 || all % 10n ** BigInt(-power) === 0n;
        const { value } = parseJsonBody(Buffer.from(`{"value":${text},"text":"1.5"}`)) as { value: number };
        if (Math.abs(value) < 2 ** 53) expect([text, Number.isInteger(value)]).toEqual([text, isInteger]);
      }),
      { seed: SEED, numRuns: 3000 },
    );
  });
});

it('parseTimestamp agrees with Date on texts that both accept', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
      fc.integer({ min: -1439, max: 1439 }),
      (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 23);
        const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}:${String(Math.abs(offset) % 60).padStart(2, '0')}`;
        expect(parseTimestamp(local + zone)).toBe(date.toISOString().replace('Z', '+00:00'));
      },
    ),
    { seed: SEED, numRuns: 1000 },
  );
});
