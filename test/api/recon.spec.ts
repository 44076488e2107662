import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { findSourceDays } from '../../projections/reconciliation/matches/day-reads.js';
import { countOpenBreaks } from '../../projections/reconciliation/matches/match-reads.js';
import { timestamp } from '../../src/ledger/time.js';
import { statementFile } from '../../src/domain/reconciliation/statements/statement-file.decider.js';
import { statementStream } from '../../src/ledger/events/reconciliation.events.js';
import { decideOnStream } from '../../src/ledger/streams/decide-on-stream.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import { ConsoleVisitor } from '../support/console.js';
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
  ...{ time_zone: 'Asia/Jakarta', due_days: 3, costs: { QR_QRIS: { type: 'fixed', value: 100 } }, tax: 0, reason: 'what it remits' },
};
const PEOPLE =
  '<NtryDtls><TxDtls><Amt Ccy="IDR">10</Amt><RltdPties><Dbtr><Pty><Nm>Zebulon Quarterstaff</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>rent, as agreed</Ustrd></RmtInf></TxDtls></NtryDtls>';
const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format();
const dayOne = bankFile(bankDay(1, 100, [10], { details: PEOPLE }));

describe('statements of banks and processors', () => {
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
  });
  afterAll(async () => {
    await pool.end();
    await service.stop();
  });

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
    it('a controller sets sources, and no response shows the account', async () => {
      expect(code(await set(BANK, siti.key))).toEqual([403, 'insufficient-role']);
      expect(code(await set(BANK, finance))).toEqual([403, 'insufficient-role']);
      const made = await set(BANK);
      expect(made).toMatchObject({
        status: 200,
        body: { id: 'test-bca', kind: 'BANK', currencies: ['IDR'], due_days: 2, version: 1, set_by: ani.person_id },
      });
      expect(made.headers.get('location')).toBe('/audit/recon/sources/test-bca');
      expect(made.body.batch_names).toEqual([]);
      const batch_names = ['STL-########-*'];
      expect((await set({ ...BANK, due_days: 4, batch_names })).body).toMatchObject({ due_days: 4, version: 2, batch_names });
      expect((await set(PROCESSOR)).body).toMatchObject({
        id: 'test-sim',
        costs: { QR_QRIS: { type: 'FIXED', value: 100 } },
        tax: 0,
        profile: PROFILE,
      });
      expect((await get('/audit/recon/sources/test-sim')).body).toMatchObject({ processor: 'SIMULATOR', version: 1 });
      const { text } = await get('/audit/recon/sources');
      expect(JSON.parse(text).items.map(({ id }: { id: string }) => id)).toEqual(['test-bca', 'test-sim']);
      for (const key of [finance, ani.key]) expect((await get('/audit/events?Type=ReconSourceSet', key)).text).not.toContain(ACCOUNT);
      expect(text).not.toContain(ACCOUNT);
      expect(code(await get('/audit/recon/sources/test-none'))).toEqual([404, 'not-found']);
    });

    it('a mode and currency has one source for its bank account', async () => {
      const answer = await set({ ...BANK, name: 'bni' });
      expect([...code(answer), answer.body.detail]).toEqual([
        ...[409, 'state-conflict'],
        'Statements of the test bank account in IDR already come from the source test-bca.',
      ]);
      expect((await set({ ...BANK, name: 'bni', currencies: ['MYR'] })).status).toBe(200);
      expect((await set({ ...BANK, name: 'bni', mode: 'live' })).status).toBe(200);
    });

    it.each<[string, object, string]>([
      ['no name', { name: 'B C A' }, '/name'],
      ['no time zone', { time_zone: 5 }, '/time_zone'],
      ['a wrong currency', { currencies: ['rupiah'] }, '/currencies/0'],
      ['an unknown column', { profile: { ...PROFILE, columns: { ...PROFILE.columns, colour: 'Colour' } } }, '/profile/columns/colour'],
      ['an unknown kind', { profile: { ...PROFILE, kinds: { Payment: 'MONEY' } } }, '/profile/kinds/Payment'],
      ['the name of no profile', { profile: 'xendit' }, '/profile'],
      ['a profile that is a list', { profile: [PROFILE] }, '/profile'],
      ['an empty list of columns', { profile: { ...PROFILE, columns: { ...PROFILE.columns, fee: [] } } }, '/profile/columns/fee'],
      ['a debit without a credit', { profile: { ...PROFILE, columns: { ...PROFILE.columns, gross: { debit: 'D' } } } }, '/profile/columns/gross'],
      ['an unknown sign', { profile: { ...PROFILE, sign_texts: { C: 'TIMES' } } }, '/profile/sign_texts/C'],
      ['a tax of 101', { tax: 101 }, '/tax'],
      ['too many names of batches', { batch_names: Array(21).fill('STL-#') }, '/batch_names'],
      ['a negative cost', { costs: { QR_QRIS: { type: 'FIXED', value: -1 } } }, '/costs/QR_QRIS/value'],
    ])('sources are rejected with %s', async (_, change, pointer) => {
      const { status, body } = await set({ ...PROCESSOR, ...change });
      expect({ status, pointers: body.errors?.map((error: { pointer: string }) => error.pointer) }).toEqual({ status: 400, pointers: [pointer] });
    });

    it('settings that contradict each other are rejected with 400', async () => {
      const { account: _, ...noAccount } = BANK;
      const answer = await set({ ...noAccount, name: 'other' });
      expect([...code(answer), answer.body.detail]).toEqual([400, 'validation-failed', 'A BANK has an account.']);
      const widest = await set({ ...BANK, name: 'other', batch_names: ['##########'] });
      expect([...code(widest), widest.body.detail]).toEqual([400, 'validation-failed', expect.stringContaining('so it matches any number')]);
      // JavaScript accepts this spelling, and the database computes days of the source, too.
      const shouted = await set({ ...BANK, name: 'other', time_zone: 'Asia/JAKARTA' });
      expect([...code(shouted), shouted.body.detail]).toEqual([400, 'validation-failed', 'There is no time zone Asia/JAKARTA.']);
    });
  });

  describe('files', () => {
    let first: Answer;

    it('a preparer imports a file once, and its lines can be read', async () => {
      expect(code(await send('test-bca', dayOne, { key: ani.key }))).toEqual([403, 'insufficient-role']);
      first = await send('test-bca', dayOne);
      expect(first.status).toBe(201);
      // On a busy machine the import may return before the file is shown.
      const shown = await get(`/audit/recon/statements/${first.body.id}`);
      expect(shown).toMatchObject({
        status: 200,
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
      expect([again.status, again.body]).toEqual([200, shown.body]);
      const { items } = (await get(`/audit/recon/lines?Statement=${first.body.id}&Counts=true`)).body;
      expect(items).toMatchObject([{ amount: 1_000, currency: 'IDR', kind: 'TRANSFER', booking_date: '2026-11-11', counts: true }]);
      const csv = (await get('/audit/recon/lines?Source=test-bca&BookedFrom=2026-11-11&BookedTo=2026-11-11', finance, 'text/csv')).text;
      expect(csv.trim().split('\n')).toHaveLength(2);
      expect((await get('/audit/recon/lines?BookedFrom=2026-11-12')).body).toEqual({ items: [], next_after: null });
      expect((await get('/audit/recon/statements?Source=test-bca&Status=accepted')).body.items).toEqual([
        Object.fromEntries(Object.entries(shown.body).filter(([name]) => name !== 'groups')),
      ]);
    });

    it('lines show the named persons to preparers only, until the file’s personal data is forgotten', async () => {
      const [{ id }] = (await get(`/audit/recon/lines?Statement=${first.body.id}`)).body.items;
      const people = { names: ['Zebulon Quarterstaff'], accounts: [], texts: ['rent, as agreed'] };
      expect((await get(`/audit/recon/lines/${id}`, siti.key)).body).toMatchObject({ id, people });
      for (const key of [finance, ani.key]) expect((await get(`/audit/recon/lines/${id}`, key)).body).toMatchObject({ id, people: null });
      // As a process that stops between the event and the destruction of the key.
      const { id: statement_id, source, sha256 } = first.body as Record<'id' | 'source' | 'sha256', string>;
      const forget = { kind: 'forget', statement_id, source, reason: 'was asked to', proposal_id: null } as const;
      const { eventStore } = service.stores;
      await decideOnStream(eventStore, Date.now, statementStream(source, sha256), statementFile, (now) => ({ ...forget, now }), systemContext());
      await eventually(async () => (await get(`/audit/recon/lines/${id}`, siti.key)).body.people === null);
      expect((await get(`/audit/recon/lines/${id}`, siti.key)).body).toMatchObject({ id, amount: 1_000, people: null });
      await eventually(async () => (await pool.query('select from statement_people where statement_id = $1', [first.body.id])).rowCount === 0);
      expect(code(await get('/audit/recon/lines/9'))).toEqual([404, 'not-found']);
      expect(code(await get('/audit/recon/lines/x'))).toEqual([404, 'not-found']);
    });

    it('a refused file returns the reason with line and figures, and none of it is stored', async () => {
      const refused = await send('test-bca', bankFile(bankDay(3, 999, [1])));
      expect(refused).toMatchObject({
        status: 422,
        body: { code: 'statement-refused', reason: 'gap', line: 6, found: '999.00 in statement 2026/3' },
      });
      expect(refused.body.expected).toBe('an opening balance of 110.00 IDR, with which statement 2026/1 closed');
      expect((await send('test-bca', 'PK\u0003\u0004')).body).toMatchObject({ reason: 'unreadable', line: 1 });
      expect(code(await send('test-none', dayOne))).toEqual([404, 'not-found']);
      expect((await send('test-bca', '')).body).toMatchObject({ reason: 'unreadable' });
      const body = { key: siti.key, body: {} };
      expect(code(await service.call('POST', '/audit/recon/sources/test-bca/statements', body))).toEqual([415, 'unsupported-media-type']);
      expect((await get('/audit/recon/statements')).body.items).toHaveLength(1);
    });

    it('a file replaces another one, with a reason', async () => {
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

    it('a file with amounts a hundred times the known payments is refused', async () => {
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
      // The payment was 100.00.
      expect(await send('test-sim', remittance(lines(10_000), today()))).toMatchObject({ status: 422, body: { reason: 'scale', line: 2 } });
      expect(await send('test-sim', remittance(lines(100), today()))).toMatchObject({
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
    });

    it('a line without a payment becomes a break', async () => {
      await send('test-sim', remittance([{ batch: 'B2', reference: 'nobody', gross: 7 }], today()));
      const found = (await get('/audit/recon/breaks?Status=open&Kind=PROCESSOR_ONLY')).body;
      expect(found).toMatchObject({
        items: [{ source: 'test-sim', kind: 'PROCESSOR_ONLY', status: 'OPEN', age: 0, item: null, line: { amount: 700, references: ['nobody'] } }],
        next_after: null,
      });
      expect((await get(`/audit/recon/breaks/${found.items[0].id}`)).body).toEqual({ ...found.items[0], acts: [], suggestions: [] });
      expect((await get('/audit/recon/breaks?Source=test-sim', finance, 'text/csv')).text.trim().split('\n')).toHaveLength(2);
      expect((await get('/audit/recon/matches?Source=test-sim', finance, 'text/csv')).text.trim().split('\n')).toHaveLength(4);
      expect(code(await get(`/audit/recon/breaks/${first.body.id}`))).toEqual([404, 'not-found']);
      expect(code(await get(`/audit/recon/breaks?After=${first.body.id}`))).toEqual([400, 'validation-failed']);
    });

    it('finance finds payments and open lines by reference and amount, in the console too', async () => {
      const { items } = (await get('/audit/recon/matches?Source=test-sim')).body;
      const { charge_id, merchant_id, payment_reference: reference } = items[0].item;
      const search = async (query: string) => (await get(`/audit/search?${query}`)).body;
      const payment = { kind: 'PAYMENT', reference, merchant_id, charge_id, payout_id: null, currency: 'IDR', amount: 10_000 };
      expect(await search(`Reference=${reference.slice(0, -2)}&Mode=test`)).toMatchObject({
        items: expect.arrayContaining([expect.objectContaining(payment)]),
      });
      expect(await search(`Reference=${reference}&Mode=live`)).toEqual({ items: [], has_more: false });
      const [broken] = (await get('/audit/recon/breaks?Status=open&Kind=PROCESSOR_ONLY')).body.items;
      const { statement_id, booking_date } = broken.line;
      const line = {
        ...{ kind: 'LINE', reference: 'nobody', merchant_id: null, charge_id: null, payout_id: null, source: 'test-sim', statement_id },
        ...{ break_id: broken.id, currency: 'IDR', amount: 700, occurred_on: null, booking_date },
      };
      expect(await search('Reference=nobody')).toEqual({ items: [line], has_more: false });
      expect(await search('Amount=700&Currency=idr')).toEqual({ items: [line], has_more: false });
      expect(await search('Amount=10000&Limit=1')).toMatchObject({ items: [{ amount: 10_000 }], has_more: true });
      expect(await search('Amount=10000&Currency=SGD')).toEqual({ items: [], has_more: false });
      for (const [query, at] of [
        ...[
          ['', 'Reference'],
          ['Reference=a&Amount=1', 'Reference'],
          ['Reference=a&Currency=IDR', 'Currency'],
          ['Amount=0', 'Amount'],
        ],
        ...[
          ['Amount=1.5', 'Amount'],
          ['Amount=1&Limit=101', 'Limit'],
          [`Reference=${'a'.repeat(201)}`, 'Reference'],
          ['Amount=1&Mode=x', 'Mode'],
        ],
      ])
        expect([query, await get(`/audit/search?${query}`)]).toMatchObject([query, { status: 400, body: { errors: [{ parameter: at }] } }]);
      const visitor = await ConsoleVisitor.signIn(service, finance);
      const shown = async (text: string) => (await visitor.page(`search?Text=${encodeURIComponent(text)}`)).text;
      expect(await shown(reference)).toContain(`href="/console/history/charge-${charge_id}">Payment</a>`);
      for (const text of ['nobody', 'Rp 7,00', '7'])
        expect(await shown(text)).toContain(`href="/console/recon/breaks/${broken.id}">Line of a file, not matched</a>`);
      expect(await shown('S$7.00')).toContain('Nothing has this name');
    });

    it('a preparer runs the comparison with the books again', async () => {
      const run = (source: string, key = siti.key): Promise<Answer> =>
        service.call('POST', `/audit/recon/sources/${source}/run`, { key, body: { reason: 'it has told of a payment' } });
      expect(await run('test-sim')).toMatchObject({ status: 200, body: { source: 'test-sim', open_breaks: expect.any(Number) } });
      expect(code(await run('test-sim', ani.key))).toEqual([403, 'insufficient-role']);
      expect(code(await run('test-none'))).toEqual([404, 'not-found']);
    });

    it('preparers assign a break, add notes and match it with an item', async () => {
      const merchant = await service.newMerchant();
      const created = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
      await service.call('POST', created.body.action.simulation_url, { body: { outcome: 'succeed' } });
      const code_ = async (): Promise<string | undefined> => {
        const { rows } = await pool.query<{ code: string }>(
          'select i.code from recon.items i join ledger.charges c on c.code = i.code where c.id = $1',
          [created.body.id],
        );
        return rows[0]?.code;
      };
      await eventually(async () => (await code_()) !== undefined);
      const reference = `${(await code_())!.slice(0, -1)}#`;
      await send('test-sim', remittance([{ batch: 'B3', reference, gross: 100 }], today()));
      const { items } = (await get('/audit/recon/breaks?Source=test-sim&Status=open')).body;
      const { id } = items.find(({ line }: { line: { references: string[] } }) => line.references[0] === reference);
      const act = (name: string, body: object, key = siti.key): Promise<Answer> =>
        service.call('POST', `/audit/recon/breaks/${id}/${name}`, { key, body: { reason: 'why', ...body } });

      const { suggestions } = (await get(`/audit/recon/breaks/${id}`)).body;
      expect(suggestions[0]).toMatchObject({ distance: 1, line: null, item: { charge_id: created.body.id }, break_id: null });
      const { event_id } = suggestions[0].item;

      for (const key of [ani.key, finance]) expect(code(await act('note', {}, key))).toEqual([403, 'insufficient-role']);
      expect(code(await act('assign', { owner: ani.person_id }))).toEqual([400, 'validation-failed']);
      expect(code(await act('match', { line_id: '1' }))).toEqual([400, 'validation-failed']);
      expect(code(await act('match', { event_id: id }))).toEqual([409, 'state-conflict']);
      expect(code(await act('unmatch', {}))).toEqual([409, 'state-conflict']);
      const nowhere = await service.call('POST', `/audit/recon/breaks/${event_id}/note`, { key: siti.key, body: { reason: 'why' } });
      expect(code(nowhere)).toEqual([404, 'not-found']);

      expect(await act('assign', { owner: siti.person_id })).toMatchObject({ status: 200, body: { owner: siti.person_id, status: 'OPEN' } });
      for (let twice = 0; twice < 2; twice += 1) await act('note', { reason: 'asked them' });
      expect(await act('match', { event_id })).toMatchObject({
        status: 200,
        body: { status: 'OPEN', acts: [{ act: 'ASSIGNED' }, { act: 'NOTED', name: 'Siti' }, { act: 'MATCHED', items: [event_id] }] },
      });
      expect((await get(`/audit/recon/breaks?Owner=${siti.person_id}`)).body.items).toMatchObject([{ id }]);
      await send('test-sim', remittance([{ batch: 'B4', reference: 'nobody else', gross: 7 }], today()));
      expect((await get(`/audit/recon/breaks/${id}`)).body).toMatchObject({ status: 'RESOLVED', suggestions: [] });
      expect((await get(`/audit/recon/matches?Charge=${created.body.id}`)).body.items).toMatchObject([{ item: { event_id } }]);
    });

    it('a preparer books a payment without a notification as paid', async () => {
      const merchant = await service.newMerchant();
      const create = () => service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
      const [lost, paid] = [(await create()).body, (await create()).body];
      await service.call('POST', paid.action.simulation_url, { body: { outcome: 'succeed' } });
      const codeOf = async (id: string): Promise<string> => (await pool.query('select code from ledger.charges where id = $1', [id])).rows[0].code;
      const [code_, paidCode] = [await codeOf(lost.id), await codeOf(paid.id)];
      const lines = [
        { batch: 'B5', reference: code_, gross: 100 },
        { batch: 'B5', reference: `${paidCode}#`, gross: 100 },
      ];
      await send('test-sim', remittance(lines, today()));
      const open: { id: string; line: { references: string[] } }[] = (await get('/audit/recon/breaks?Source=test-sim&Status=open')).body.items;
      const of = (reference: string): string => open.find(({ line }) => line.references[0] === reference)!.id;
      const take = (id: string, body: object, key = siti.key): Promise<Answer> =>
        service.call('POST', `/audit/recon/breaks/${id}/take-as-paid`, { key, body: { reason: 'their portal shows it', ...body } });
      expect(code(await take(of(code_), {}, ani.key))).toEqual([403, 'insufficient-role']);
      expect(code(await take(of(code_), {}))).toEqual([400, 'validation-failed']);
      expect(code(await take(of(`${paidCode}#`), { payment_reference: 'P-1' }))).toEqual([400, 'validation-failed']);
      expect(code(await take(of(`${paidCode}#`), { payment_reference: 'P-1', charge_id: paid.id }))).toEqual([409, 'state-conflict']);
      for (let twice = 0; twice < 2; twice += 1)
        expect(await take(of(code_), { payment_reference: 'P-1' })).toMatchObject({ status: 200, body: { acts: [{ act: 'NOTED' }] } });
      expect((await service.call('GET', `/v1/charges/${lost.id}`, { key: merchant.key })).body.status).toBe('SUCCEEDED');
      await service.call('POST', '/audit/recon/sources/test-sim/run', { key: siti.key, body: { reason: 'it has told of a payment' } });
      expect((await get(`/audit/recon/breaks/${of(code_)}`)).body.status).toBe('RESOLVED');
      expect(code(await take(of(code_), { payment_reference: 'P-1' }))).toEqual([409, 'state-conflict']);
    });

    describe('proposals about breaks, files and payouts', () => {
      const propose = (kind: string, content: object, key = siti.key): Promise<Answer> =>
        service.call('POST', '/audit/proposals', { key, headers: newIdempotencyKey(), body: { kind, content, reason: 'as agreed', evidence: [] } });
      const approve = ({ body: { id, digest } }: Answer, key: string): Promise<Answer> =>
        service.call('POST', `/audit/proposals/${id}/approve`, { key, body: { digest, reason: 'as agreed' } });
      const refused = async (kind: string, content: object): Promise<string[]> =>
        (await propose(kind, content)).body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);

      it('a break is accepted until a day', async () => {
        const budi = await newOperator(service, 'Budi', ['approver']);
        await eventually(async () => (await get('/audit/recon/sources', budi.key)).status === 200);
        await send('test-sim', remittance([{ batch: 'B6', reference: 'who is that', gross: 9 }], today()));
        const { items } = (await get('/audit/recon/breaks?Source=test-sim&Status=open')).body;
        const break_id = items.at(-1).id as string;
        const made = await propose('BREAK_ACCEPT', { break_id, until: '2999-12-31' });
        expect(made.status).toBe(201);
        expect(code(await approve(made, siti.key))).toEqual([403, 'own-proposal']);
        expect(await approve(made, budi.key)).toMatchObject({ status: 200, body: { status: 'EXECUTED', target: `break-${break_id}` } });
        expect((await get(`/audit/recon/breaks/${break_id}`)).body).toMatchObject({
          ...{ status: 'ACCEPTED', accepted_until: '2999-12-31' },
          acts: [{ act: 'ACCEPTED', person_id: null, reason: 'as agreed', proposal_id: made.body.id }],
        });
        expect((await get('/audit/recon/breaks?Status=accepted')).body.items).toMatchObject([{ id: break_id }]);
        // No count of open breaks includes it any more.
        const left = (await get('/audit/recon/breaks?Source=test-sim&Status=open&Limit=1000')).body.items;
        expect(left).toHaveLength(items.length - 1);
        const days = await findSourceDays(pool, 'test', today(), timestamp(Date.now()));
        expect(days.filter(({ source }) => source === 'test-sim').reduce((sum, { breaks }) => sum + breaks, 0)).toBe(left.length);
        expect(await countOpenBreaks(pool, 'test-sim', timestamp(Date.now()))).toBe(left.length);
        expect(await refused('BREAK_ACCEPT', { break_id, until: '2020-01-31' })).toEqual(['/content until-past']);
        expect(await refused('BREAK_ACCEPT', { break_id: made.body.id, until: '2999-12-31' })).toEqual(['/content break-not-found']);
        expect(await refused('BREAK_ACCEPT', { break_id, until: '31.12.2999' })).toEqual(['/content/until wrong-format']);
      });

      it('a line with another amount is matched with its payment, and the difference is booked', async () => {
        const citra = await newOperator(service, 'Citra', ['approver']);
        await eventually(async () => (await get('/audit/recon/sources', citra.key)).status === 200);
        const merchant = await service.newMerchant();
        const created = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
        await service.call('POST', created.body.action.simulation_url, { body: { outcome: 'succeed' } });
        let reference: string | undefined;
        await eventually(async () => {
          const text = 'select i.payment_reference as reference from recon.items i join ledger.charges c on c.code = i.code where c.id = $1';
          const { rows } = await pool.query<{ reference: string }>(text, [created.body.id]);
          return (reference = rows[0]?.reference) !== undefined;
        });
        const gross = CHARGE_ORDER.amount - 3;
        await send('test-sim', remittance([{ batch: 'B8', reference: reference!, gross: gross / 100 }], today()));
        const { items } = (await get('/audit/recon/breaks?Source=test-sim&Kind=AMOUNT&Status=open')).body;
        const { id: break_id, item } = items.at(-1);
        const content = { break_id, account: 'losses' };
        const made = await propose('MATCH_DIFFERENCE', content);
        expect([made.status, made.body.content]).toEqual([
          201,
          {
            ...{ ...content, mode: 'test', currency: 'IDR', line_amount: gross, book_amount: CHARGE_ORDER.amount, amount: -3 },
            ...{ event_id: item.event_id, batch_source: null, batch: null },
          },
        ]);
        expect((await get('/audit/proposals?Kind=match_difference&Mode=test')).body.items).toMatchObject([{ id: made.body.id }]);
        expect((await get('/audit/proposals?Kind=match_difference&Mode=live')).body.items).toEqual([]);
        expect(code(await approve(made, siti.key))).toEqual([403, 'own-proposal']);
        expect(await approve(made, citra.key)).toMatchObject({ status: 200, body: { status: 'EXECUTED', target: `break-${break_id}` } });
        const act = { act: 'MATCHED', person_id: null, items: [item.event_id], batch: null, difference: -3, difference_to: 'losses' };
        expect((await get(`/audit/recon/breaks/${break_id}`)).body).toMatchObject({ status: 'OPEN', acts: [{ ...act, proposal_id: made.body.id }] });
        expect(await refused('MATCH_DIFFERENCE', content)).toEqual(['/content already-matched']);
        await service.call('POST', '/audit/recon/sources/test-sim/run', { key: siti.key, body: { reason: 'it was approved' } });
        expect((await get(`/audit/recon/breaks/${break_id}`)).body.status).toBe('RESOLVED');
        expect((await get(`/audit/recon/matches?Charge=${created.body.id}`)).body.items).toMatchObject([{ item: { event_id: item.event_id } }]);

        expect(await refused('MATCH_DIFFERENCE', content)).toEqual(['/content already-matched']);
        expect(await refused('MATCH_DIFFERENCE', { ...content, break_id: made.body.id })).toEqual(['/content break-not-found']);
        expect(await refused('MATCH_DIFFERENCE', { ...content, account: 'fees' })).toEqual(['/content/account unknown-value']);
        const other = (await get('/audit/recon/breaks?Source=test-sim&Kind=PROCESSOR_ONLY&Status=open')).body.items[0].id as string;
        expect(await refused('MATCH_DIFFERENCE', { ...content, break_id: other })).toEqual(['/content no-difference']);
      });

      it('a file’s personal data is forgotten after a controller’s approval, and the file stays', async () => {
        const named = bankFile(bankDay(3, 100, [10], { details: PEOPLE, day: '2026-11-27' }));
        const { body: file } = await send('test-bca', named);
        const statement_id = (file.id ?? (await get('/audit/recon/statements?Source=test-bca')).body.items[1].id) as string;
        const made = await propose('FORGET_FILE', { statement_id });
        expect(made.status).toBe(201);
        expect(await approve(made, ani.key)).toMatchObject({ status: 200, body: { status: 'EXECUTED' } });
        expect((await get(`/audit/recon/statements/${statement_id}`)).body).toMatchObject({ forgotten_on: expect.any(String) });
        const { rows } = await pool.query('select wrapped_key from statement_keys where statement_id = $1', [statement_id]);
        expect(rows).toEqual([{ wrapped_key: null }]);
        expect(await refused('FORGET_FILE', { statement_id })).toEqual(['/content file-forgotten']);
        expect(await refused('FORGET_FILE', { statement_id: made.body.id })).toEqual(['/content file-not-found']);
      });

      it('payouts that are not held and projections that are not stopped are rejected', async () => {
        const id = '0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d';
        expect(await refused('PAYOUT_RESOLVE', { payout_id: id, outcome: 'paid' })).toEqual(['/content not-held']);
        expect(await refused('SET_ASIDE', { projection: 'ledger', event_id: id })).toEqual(['/content not-stopped']);
      });
    });

    it('very many new breaks raise one alarm, until they are accepted or their file is replaced', async () => {
      // Looks at one source only: the bank's file has a fixed date, and all days since then without a file also raise breaks at once.
      const alarms = async () => (await get('/audit/desk/alarms')).body.items.filter(({ subject }: { subject: string }) => subject === 'test-sim');
      expect(await alarms()).toEqual([]);
      const lines = Array.from({ length: 201 }, (_, n) => ({ batch: 'B7', reference: `stranger ${n}`, gross: 9 }));
      const { body: file } = await send('test-sim', remittance(lines, today()));
      expect(await alarms()).toMatchObject([{ kind: 'MANY_BREAKS', subject: 'test-sim', detail: expect.stringContaining('201 breaks') }]);
      const visitor = await ConsoleVisitor.signIn(service, siti.key);
      const exceptions = (await visitor.page('exceptions')).text;
      expect(exceptions).toContain('201 breaks were opened');
      expect(exceptions).toContain('href="/console/recon/sources/test-sim"');
      const overview = await service.call('GET', '/console', { headers: { cookie: visitor.cookie } });
      expect(overview.text).toContain('Stopped reconciliation and proposals: 1');
      const [one] = lines;
      // Breaks that are accepted until a day raise no alarm: an operator has decided about them.
      const accepted = `insert into recon.break_acts (ordinal, break_id, act, reason, acted_on, accepted_until)
                        select -row_number() over (), id, 'ACCEPTED', 'as agreed', now(), '2999-12-31' from recon.breaks where line_id is not null and resolved_from is null`;
      await pool.query(accepted);
      expect(await alarms()).toEqual([]);
      await pool.query('delete from recon.break_acts where ordinal < 0');
      expect(await alarms()).toHaveLength(1);
      await send('test-sim', remittance([{ ...one!, reference: 'stranger alone' }], today()), { query: `?Replaces=${file.id}&Reason=wrong+file` });
      expect(await alarms()).toEqual([]);
    });

    it('the console shows breaks, and each action on a break leads to the next one', async () => {
      for (const nobody of ['nobody one', 'nobody two'])
        await send('test-sim', remittance([{ batch: nobody, reference: nobody, gross: 9 }], today()));
      const form = (body: Record<string, string>) => new URLSearchParams(body).toString();
      const encoded = { 'content-type': 'application/x-www-form-urlencoded', origin: service.url };
      const signIn = await service.call('POST', '/console/login', { body: form({ key: siti.key }), headers: encoded });
      const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!;
      const page = (path: string): Promise<Answer> => service.call('GET', `/console/${path}`, { headers: { cookie } });
      const overview = await page('recon?Status=open&Kind=PROCESSOR_ONLY&Source=test-sim');
      expect(overview.status).toBe(200);
      const ids = [...overview.text.matchAll(/recon\/breaks\/([0-9a-f-]{36})"/g)].map(([, id]) => id!);
      expect(ids.length).toBeGreaterThan(1);
      expect((await page('recon/sources/test-sim')).text).toContain('recon/files/');
      const file = (await get('/audit/recon/statements?Source=test-sim')).body.items[0].id as string;
      expect((await page(`recon/files/${file}`)).text).toContain('B1');
      const path = `recon/breaks/${ids[0]}`;
      const shown = await page(path);
      // Both sides are above the form: the page does not scroll past them.
      expect(shown.text).not.toContain('autofocus');
      const hidden = Object.fromEntries(
        [...shown.text.matchAll(/type="hidden" name="(form_token|digest)" value="([^"]*)"/g)].map(([, n, v]) => [n!, v!]),
      );
      const post = (body: Record<string, string>): Promise<Answer> =>
        service.call('POST', `/console/${path}`, { body: form({ ...hidden, reason: 'asked <them>', ...body }), headers: { ...encoded, cookie } });
      const noted = await post({ act: 'note' });
      expect([noted.status, noted.headers.get('location')]).toEqual([303, `/console/recon/breaks/${ids[1]}?Done=${encodeURIComponent(path)}`]);
      expect((await post({ act: 'take' })).status).toBe(303);
      expect((await page('recon?Owner=mine')).text).toContain(ids[0]);
      const again = (await page(path)).text;
      for (const words of ['asked &lt;them&gt;', 'Give it back', 'Siti']) expect(again).toContain(words);
      expect((await post({ act: 'match', counterpart: '' })).status).toBe(400);
      expect((await post({ act: 'match', counterpart: file })).status).toBe(409);
      expect((await post({ act: 'note', digest: 'ab'.repeat(32) })).status).toBe(403);
      expect((await page(`recon/breaks/${file}`)).status).toBe(404);
    });

    it('lists can be read as of a position or a moment, and by mode', async () => {
      const counts = async (query: string): Promise<[number, string | null]> => {
        const { body, headers } = await get(`/audit/recon/breaks?${query}`);
        return [body.items.length, headers.get('as-of-position')];
      };
      const [all, none] = await counts('Source=test-sim&Mode=test');
      expect([all > 0, none]).toEqual([true, null]);
      expect(await counts('AsOf=1')).toEqual([0, '0']);
      expect((await counts('Mode=live'))[0]).toBe(0);
      const [now, position] = await counts(`Source=test-sim&AsOf=${encodeURIComponent(new Date().toISOString())}`);
      expect(now).toBe(all);
      expect(await counts(`Source=test-sim&AsOf=${position}`)).toEqual([all, position]);
      expect((await get(`/audit/recon/matches?AsOf=${position}`)).headers.get('as-of-position')).toBe(position);
      expect((await get(`/audit/recon/lines?AsOf=${position}`)).body.items.length).toBeGreaterThan(0);
      for (const asOf of ['yesterday', '2999-01-01T00:00:00Z'])
        expect(code(await get(`/audit/recon/lines?AsOf=${asOf}`))).toEqual([400, 'validation-failed']);
      expect((await get('/audit/recon/breaks?Age=over-30')).body.items).toEqual([]);
    });

    it('CSV exports neutralise formulas in references and batches', async () => {
      const evil = ['=HYPERLINK("http://evil")', "=cmd|' /C calc'!A0", '@SUM(1+1)', '+1', '-1', '\uff1d1', ' =1'];
      const lines = evil.map((reference) => ({ batch: '=cmd|evil', reference: `"${reference.replaceAll('"', '""')}"`, gross: 9 }));
      const { status, body } = await send('test-sim', remittance(lines, today()));
      expect(status).toBe(201);
      const formula = /^\s*[=+\-@\uff1d]/;
      const isAmount = /^-?\d+$/;
      for (const [path, shows] of [
        [`lines?Statement=${body.id}`, true],
        ['breaks?Source=test-sim&Kind=PROCESSOR_ONLY', true],
        ['statements?Source=test-sim', false],
        ['matches', false],
      ] as const) {
        const { text } = await get(`/audit/recon/${path}`, finance, 'text/csv');
        const cells = parse(text, { bom: true }).flat();
        expect([path, cells.some((each) => each.startsWith("'=cmd"))]).toEqual([path, shows]);
        expect([path, cells.filter((each) => formula.test(each) && !isAmount.test(each))]).toEqual([path, []]);
      }
    });

    it('imports leave no spooled files behind', async () => {
      // Other specs also spool files there for a moment.
      await eventually(async () => !(await readdir(tmpdir())).some((name) => /^chargebook-[0-9a-f]{8}-[0-9a-f]{4}-/.test(name)));
    });
  });
});
