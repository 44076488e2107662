import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { forgetStatements } from '../../src/recon/statement-people.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { bankDay, bankFile, remittance } from '../support/recon.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';
import { ACCOUNT, PROFILE } from '../support/statement-files.js';

const BANK = {
  ...{ mode: 'test', name: 'bca', kind: 'BANK', currencies: ['IDR'], account: '123-456 7890', format: 'camt053' },
  ...{ time_zone: 'Asia/Jakarta', reason: 'the account that is paid into' },
};
const PROCESSOR = {
  ...{ mode: 'test', name: 'sim', kind: 'PROCESSOR', currencies: ['IDR'], format: 'csv', profile: PROFILE, processor: 'SIMULATOR' },
  ...{ time_zone: 'Asia/Jakarta', due_days: 3, costs: { QR_QRIS: { type: 'percentage', value: 0.63 } }, reason: 'what it remits' },
};
const PEOPLE =
  '<NtryDtls><TxDtls><Amt Ccy="IDR">10</Amt><RltdPties><Dbtr><Pty><Nm>Zebulon Quarterstaff</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>rent, as agreed</Ustrd></RmtInf></TxDtls></NtryDtls>';
const dayOne = bankFile(bankDay(1, 100, [10], { details: PEOPLE }));

describe('what banks and processors say', () => {
  let service: TestService;
  let pool: pg.Pool;
  let finance: string;
  let siti: { person_id: string; key: string };
  let ani: typeof siti;

  beforeAll(async () => {
    service = await startTestService();
    pool = new pg.Pool({ connectionString: service.stores.databaseUrl });
    [{ key: finance }, siti, ani] = await Promise.all([
      newFinanceKey(service),
      newOperator(service, 'Siti', ['preparer']),
      newOperator(service, 'Ani', ['controller']),
    ]);
    await eventually(async () => (await get('/audit/recon/sources', ani.key)).status === 200);
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await service.stop();
  }, 30_000);

  const get = (path: string, key = finance, accept = 'application/json'): Promise<Answer> => service.call('GET', path, { key, headers: { accept } });
  const set = (body: object, key = ani.key): Promise<Answer> => service.call('POST', '/audit/recon/sources', { key, body });
  const send = (source: string, file: string | Buffer, { key = siti.key, query = '' } = {}): Promise<Answer> =>
    service.call('POST', `/audit/recon/sources/${source}/statements${query}`, {
      key,
      body: Buffer.from(file),
      headers: { 'content-type': 'application/octet-stream' },
    });
  const code = ({ status, body }: Answer): [number, string] => [status, body.code];

  describe('sources', () => {
    it('are set by a controller, and shown without their account', async () => {
      expect(code(await set(BANK, siti.key))).toEqual([403, 'insufficient-role']);
      expect(code(await set(BANK, finance))).toEqual([403, 'insufficient-role']);
      const made = await set(BANK);
      expect(made).toMatchObject({
        status: 200,
        body: { id: 'test-bca', kind: 'BANK', currencies: ['IDR'], due_days: 2, version: 1, set_by: ani.person_id },
      });
      expect(made.headers.get('location')).toBe('/audit/recon/sources/test-bca');
      expect((await set({ ...BANK, due_days: 4 })).body).toMatchObject({ due_days: 4, version: 2 });
      expect((await set(PROCESSOR)).body).toMatchObject({
        id: 'test-sim',
        costs: { QR_QRIS: { type: 'PERCENTAGE', value: 0.63 } },
        profile: PROFILE,
      });
      expect((await get('/audit/recon/sources/test-sim')).body).toMatchObject({ processor: 'SIMULATOR', version: 1 });
      const { text } = await get('/audit/recon/sources');
      expect(JSON.parse(text).items.map(({ id }: { id: string }) => id)).toEqual(['test-bca', 'test-sim']);
      for (const key of [finance, ani.key]) expect((await get('/audit/events?Type=ReconSourceSet', key)).text).not.toContain(ACCOUNT);
      expect(text).not.toContain(ACCOUNT);
      expect(code(await get('/audit/recon/sources/test-none'))).toEqual([404, 'not-found']);
    });

    it('are one for the bank account of a mode and currency', async () => {
      const answer = await set({ ...BANK, name: 'bni' });
      expect([...code(answer), answer.body.detail]).toEqual([
        ...[409, 'state-conflict'],
        'Statements of the test bank account in IDR come from the source test-bca.',
      ]);
      expect((await set({ ...BANK, name: 'bni', currencies: ['MYR'] })).status).toBe(200);
      expect((await set({ ...BANK, name: 'bni', mode: 'live' })).status).toBe(200);
    });

    it.each<[string, object, string]>([
      ['no name', { name: 'B C A' }, '/name'],
      ['no time zone', { time_zone: 5 }, '/time_zone'],
      ['a wrong currency', { currencies: ['rupiah'] }, '/currencies/0'],
      ['a column that is none', { profile: { ...PROFILE, columns: { ...PROFILE.columns, colour: 'Colour' } } }, '/profile/columns/colour'],
      ['a kind that is none', { profile: { ...PROFILE, kinds: { Payment: 'MONEY' } } }, '/profile/kinds/Payment'],
      ['a cost that is none', { costs: { QR_QRIS: { type: 'FIXED', value: -1 } } }, '/costs/QR_QRIS/value'],
    ])('are refused with %s', async (_, change, pointer) => {
      const { status, body } = await set({ ...PROCESSOR, ...change });
      expect({ status, pointers: body.errors?.map((error: { pointer: string }) => error.pointer) }).toEqual({ status: 400, pointers: [pointer] });
    });

    it('are refused with settings that contradict each other', async () => {
      const { account: _, ...noAccount } = BANK;
      const answer = await set({ ...noAccount, name: 'other' });
      expect([...code(answer), answer.body.detail]).toEqual([400, 'validation-failed', 'A BANK has an account.']);
    });
  });

  describe('files', () => {
    let first: Answer;

    it('are imported by a preparer, once, and can be read line by line', async () => {
      expect(code(await send('test-bca', dayOne, { key: ani.key }))).toEqual([403, 'insufficient-role']);
      first = await send('test-bca', dayOne);
      expect(first).toMatchObject({
        status: 201,
        body: {
          ...{
            source: 'test-bca',
            status: 'ACCEPTED',
            lines: 1,
            lines_read: 1,
            dropped_lines: 0,
            booked_from: '2026-11-11',
            booked_to: '2026-11-11',
          },
          ...{ received_by: siti.person_id, accepted_by: siti.person_id, replaces: null, replaced_by: null },
          groups: [{ name: '1', number: '2026/1', currency: 'IDR', amount: 11_000, day: '2026-11-11', counts: true }],
        },
      });
      expect(first.headers.get('location')).toBe(`/audit/recon/statements/${first.body.id}`);
      const again = await send('test-bca', dayOne);
      expect([again.status, again.body]).toEqual([200, first.body]);
      const { items } = (await get(`/audit/recon/lines?Statement=${first.body.id}&Counts=true`)).body;
      expect(items).toMatchObject([{ amount: 1_000, currency: 'IDR', kind: 'TRANSFER', booking_date: '2026-11-11', counts: true }]);
      const csv = (await get('/audit/recon/lines?Source=test-bca&BookedFrom=2026-11-11&BookedTo=2026-11-11', finance, 'text/csv')).text;
      expect(csv.trim().split('\n')).toHaveLength(2);
      expect((await get('/audit/recon/lines?BookedFrom=2026-11-12')).body).toEqual({ items: [], next_after: null });
      expect((await get('/audit/recon/statements?Source=test-bca&Status=accepted')).body.items).toEqual([
        Object.fromEntries(Object.entries(first.body).filter(([name]) => name !== 'groups')),
      ]);
    });

    it('show whom they name to who works with them, until that is forgotten', async () => {
      const [{ id }] = (await get(`/audit/recon/lines?Statement=${first.body.id}`)).body.items;
      const people = { names: ['Zebulon Quarterstaff'], accounts: [], texts: ['rent, as agreed'] };
      expect((await get(`/audit/recon/lines/${id}`, siti.key)).body).toMatchObject({ id, people });
      for (const key of [finance, ani.key]) expect((await get(`/audit/recon/lines/${id}`, key)).body).toMatchObject({ id, people: null });
      await forgetStatements(pool, Date.now, [first.body.id]);
      expect((await get(`/audit/recon/lines/${id}`, siti.key)).body).toMatchObject({ id, amount: 1_000, people: null });
      expect((await pool.query('select from statement_people where statement_id = $1', [first.body.id])).rowCount).toBe(0);
      expect(code(await get('/audit/recon/lines/9'))).toEqual([404, 'not-found']);
      expect(code(await get('/audit/recon/lines/x'))).toEqual([404, 'not-found']);
    });

    it('are refused with the place and the figures, whole', async () => {
      const refused = await send('test-bca', bankFile(bankDay(3, 999, [1])));
      expect(refused).toMatchObject({ status: 422, body: { code: 'statement-refused', reason: 'gap', line: 6, found: '99900 in statement 2026/3' } });
      expect(refused.body.expected).toBe('an opening balance of 11000 IDR, with which statement 2026/1 closed');
      expect((await send('test-bca', 'PK\u0003\u0004')).body).toMatchObject({ reason: 'unreadable', line: 1 });
      expect(code(await send('test-none', dayOne))).toEqual([404, 'not-found']);
      expect((await send('test-bca', '')).body).toMatchObject({ reason: 'unreadable' });
      const body = { key: siti.key, body: {} };
      expect(code(await service.call('POST', '/audit/recon/sources/test-bca/statements', body))).toEqual([415, 'unsupported-media-type']);
      expect((await get('/audit/recon/statements')).body.items).toHaveLength(1);
    });

    it('take another one’s place, with a reason', async () => {
      const second = await send('test-bca', bankFile(bankDay(2, 110, [20])));
      const again = bankFile(bankDay(2, 110, [19, 1]));
      expect(code(await send('test-bca', again, { query: `?Replaces=${second.body.id}` }))).toEqual([400, 'validation-failed']);
      const replacing = await send('test-bca', again, { query: `?Replaces=${second.body.id}&Reason=issued+again` });
      expect(replacing).toMatchObject({ status: 201, body: { status: 'ACCEPTED', replaces: second.body.id, groups: [{ counts: true }] } });
      expect((await get(`/audit/recon/statements/${second.body.id}`)).body).toMatchObject({
        status: 'REPLACED',
        replaced_by: replacing.body.id,
        groups: [{ counts: false }],
      });
      const counting = (await get('/audit/recon/lines?Source=test-bca&Counts=true')).body.items;
      expect(counting.map(({ amount }: { amount: number }) => amount)).toEqual([1_000, 1_900, 100]);
      expect((await get('/audit/recon/lines?Source=test-bca&Limit=2')).body).toMatchObject({
        items: [{}, {}],
        next_after: expect.stringMatching(/^\d+$/),
      });
    });

    it('whose amounts are a hundredfold of what was paid are told by what is known', async () => {
      const merchant = await service.newMerchant();
      const references = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const created = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
          await service.call('POST', created.body.action.simulation_url, { body: { outcome: 'succeed' } });
          return created.body.id as string;
        }),
      ).then(async (ids) => {
        const codes = async (): Promise<string[]> => {
          const { rows } = await pool.query<{ reference: string }>(
            'select reference from ledger.charges c join recon.payments p on p.reference = c.code where c.id = any($1)',
            [ids],
          );
          return rows.map(({ reference }) => reference);
        };
        await eventually(async () => (await codes()).length === ids.length);
        return codes();
      });
      const lines = (gross: number) => references.map((reference) => ({ batch: 'B1', reference, gross }));
      // 100.00 was paid.
      expect(await send('test-sim', remittance(lines(10_000)))).toMatchObject({ status: 422, body: { reason: 'scale', line: 2 } });
      expect(await send('test-sim', remittance(lines(100)))).toMatchObject({
        status: 201,
        body: { sums: [{ currency: 'IDR', lines: 3, gross: 30_000 }] },
      });
      const { items } = (await get('/audit/recon/matches?Source=test-sim')).body;
      expect(items).toEqual(
        references.map(() =>
          expect.objectContaining({ batch: 'B1', item: expect.objectContaining({ kind: 'PAYMENT', currency: 'IDR', amount: 10_000 }) }),
        ),
      );
      expect((await get('/audit/recon/breaks?Source=test-sim')).body).toEqual({ items: [], next_after: null });
    }, 30_000);

    it('are held against the books: what is left over is a break', async () => {
      await send('test-sim', remittance([{ batch: 'B2', reference: 'nobody', gross: 7 }]));
      const found = (await get('/audit/recon/breaks?Status=open&Kind=PROCESSOR_ONLY')).body;
      expect(found).toMatchObject({
        items: [{ source: 'test-sim', kind: 'PROCESSOR_ONLY', status: 'OPEN', age: 0, item: null, line: { amount: 700, references: ['nobody'] } }],
        next_after: null,
      });
      expect((await get(`/audit/recon/breaks/${found.items[0].id}`)).body).toEqual(found.items[0]);
      expect((await get('/audit/recon/breaks?Source=test-sim', finance, 'text/csv')).text.trim().split('\n')).toHaveLength(2);
      expect((await get('/audit/recon/matches?Source=test-sim', finance, 'text/csv')).text.trim().split('\n')).toHaveLength(4);
      expect(code(await get(`/audit/recon/breaks/${first.body.id}`))).toEqual([404, 'not-found']);
      expect(code(await get(`/audit/recon/breaks?After=${first.body.id}`))).toEqual([400, 'validation-failed']);
    });

    it('leave nothing behind where files are spooled', async () => {
      expect((await readdir(tmpdir())).filter((name) => /^chargebook-[0-9a-f]{8}-[0-9a-f]{4}-/.test(name))).toEqual([]);
    });
  });
});
