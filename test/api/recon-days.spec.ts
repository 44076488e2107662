import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { ChainKeys } from '../../src/transparency-log/chain-keys.js';
import { houseStream } from '../../src/ledger/events/adjustment.events.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { timestamp } from '../../src/ledger/time.js';
import { verifyDays } from '../../src/transparency-log/verify-days.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { bankDay, bankFile, remittance } from '../support/recon.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';
import { PROFILE } from '../support/statement-files.js';

const BANK = {
  ...{ mode: 'test', name: 'bca', kind: 'BANK', currencies: ['IDR'], account: '123-456 7890', format: 'camt053' },
  ...{ time_zone: 'Asia/Jakarta', reason: 'the account that is paid into' },
};
const CSV = 'text/csv';
const KEY = randomBytes(32);

describe('days of a bank', () => {
  let service: TestService;
  let finance: string;
  let siti: { person_id: string; key: string };
  let ani: { key: string };
  let budi: { key: string };
  let citra: { key: string };

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY: KEY.toString('base64') });
    finance = (await newFinanceKey(service)).key;
    citra = await newOperator(service, 'Citra', ['approver']);
    // Adds the second controller last: from then on a change of roles requires a proposal.
    siti = await newOperator(service, 'Siti', ['preparer']);
    ani = await newOperator(service, 'Ani', ['controller', 'preparer']);
    budi = await newOperator(service, 'Budi', ['controller']);
    await eventually(async () => (await get('/audit/recon/sources', budi.key)).status === 200);
    await importInto('test', bankDay(1, 0, [10]), bankDay(3, 10, [-3]));
  });
  afterAll(() => service.stop());

  const get = (path: string, key = finance, accept = 'application/json'): Promise<Answer> => service.call('GET', path, { key, headers: { accept } });
  /** A request responds before its close has ended when that takes seconds; its repeat receives the same close. */
  const close = async (day: string, key = siti.key, source = 'test-bca'): Promise<Answer> => {
    let answer: Answer;
    const send = () => service.call('POST', `/audit/recon/sources/${source}/close`, { key, body: { day, reason: 'all of it is in' } });
    await eventually(async () => (answer = await send()).body.status !== 'OPEN');
    return answer!;
  };
  /** Adds a bank account as a source and imports its statement of these days. */
  const importInto = async (mode: 'test' | 'live', ...days: readonly string[]): Promise<void> => {
    expect((await service.call('POST', '/audit/recon/sources', { key: ani.key, body: { ...BANK, mode } })).status).toBe(200);
    const [path, headers] = [`/audit/recon/sources/${mode}-bca/statements`, { 'content-type': 'application/octet-stream' }];
    expect((await service.call('POST', path, { key: siti.key, body: Buffer.from(bankFile(...days)), headers })).status).toBe(201);
  };
  const code = ({ status, body }: Answer): unknown[] => [status, body.code, body.detail];

  it('a preparer closes days in order, and unknown lines are booked to suspense', async () => {
    expect((await close('2026-11-11', finance)).status).toBe(403);
    expect(code(await close('2026-11-12'))).toEqual([409, 'state-conflict', 'Days are closed in order: the next of test-bca is 2026-11-11.']);
    expect((await close('2026-11-11', siti.key, 'test-none')).status).toBe(404);
    expect((await close('yesterday')).status).toBe(400);
    const answer = await close('2026-11-11');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...{ source: 'test-bca', mode: 'test', n: 1, day: '2026-11-11', status: 'COMPLETE', matcher: 2, rows: 1, parts: 1, booked_parts: 1 },
        figures: [{ currency: 'IDR', closing: 1_000, book_cash: 1_000, payouts: 0, returns: 0, under_way: 0, differences: 0, residual: 0 }],
        breaks: expect.arrayContaining([{ kind: 'BANK_UNKNOWN', currency: 'IDR', count: 2, amount: 1_300 }]),
        opened_by: siti.person_id,
      },
    });
    expect((await close('2026-11-11')).body).toEqual(answer.body);
    expect((await get('/audit/suspense')).body.items).toMatchObject([
      { reason: 'BANK_UNKNOWN', status: 'OPEN', amount: 1_000, merchant_id: null, source: 'test-bca', mode: 'test', resolved_as: null },
    ]);
    const [books] = (await get('/audit/trial-balance?Mode=test')).body.currencies;
    expect(books.difference).toBe(0);
    expect(books.accounts.filter(({ balance }: { balance: number }) => balance !== 0)).toMatchObject([
      { account: 'bank', balance: -1_000 },
      { account: 'suspense', balance: 1_000 },
    ]);
  });

  it('a day without a statement is closed when a later statement continues from the last balance', async () => {
    expect((await close('2026-11-12')).body).toMatchObject({
      n: 2,
      status: 'COMPLETE',
      rows: 0,
      parts: 0,
      figures: [{ closing: 1_000, residual: 0 }],
    });
    expect((await close('2026-11-13')).body).toMatchObject({
      n: 3,
      status: 'COMPLETE',
      rows: 1,
      figures: [{ closing: 700, book_cash: 700, residual: 0 }],
    });
    expect(code(await close('2026-11-14'))).toEqual([409, 'state-conflict', 'Statements up to 2026-11-14 are missing of IDR.']);
    expect(code(await close('2026-11-12'))).toEqual([409, 'state-conflict', 'Days of test-bca are closed up to 2026-11-13.']);
  });

  it('closed days are listed, each with its statement', async () => {
    const { items } = (await get('/audit/recon/days?Source=test-bca')).body;
    expect(items.map(({ day }: { day: string }) => day)).toEqual(['2026-11-11', '2026-11-12', '2026-11-13']);
    expect((await get(`/audit/recon/days/${items[1].id}`)).body).toEqual(items[1]);
    expect((await get(`/audit/recon/days/${items[0].id.replace(/.{4}$/, '0000')}`)).status).toBe(404);
    const page = (await get('/audit/recon/days?Limit=1&From=2026-11-12&Mode=test')).body;
    expect(page).toMatchObject({ items: [{ day: '2026-11-12' }], next_after: items[1].id });
    expect((await get(`/audit/recon/days?After=${page.next_after}&To=2026-11-13`)).body).toEqual({ items: [items[2]], next_after: null });
    expect((await get('/audit/recon/days?Mode=live')).body.items).toEqual([]);
    const then = (await get(`/audit/recon/days?AsOf=${items[1].position}`)).body.items;
    expect(then.map(({ day, status }: { day: string; status: string }) => [day, status])).toEqual([
      ['2026-11-11', 'COMPLETE'],
      ['2026-11-12', 'OPEN'],
    ]);
    const csv = (await get('/audit/recon/days', finance, CSV)).text.split('\r\n');
    expect(csv[0]).toContain('id,source,mode,n,day,status,position');
    expect(csv).toHaveLength(5);
  });

  it('after a close, receivables list the payments that no batch has paid', async () => {
    const merchant = await service.newMerchant();
    const created = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    await service.call('POST', created.body.action.simulation_url, { body: { outcome: 'succeed' } });
    const read = async () => (await get('/audit/recon/receivable?Mode=test')).body.items;
    await eventually(async () => (await read()).length > 0);
    const [owed] = await read();
    expect(owed).toMatchObject({ mode: 'test', processor: 'SIMULATOR', currency: 'IDR', age: '0-1', overdue: false, items: 1 });
    const { accounts } = (await get('/audit/trial-balance?Mode=test')).body.currencies[0];
    expect(owed.amount).toBe(-accounts.find(({ account }: { account: string }) => account === 'processor').balance);
    expect((await get('/audit/recon/receivable?Mode=live')).body).toEqual({ items: [], next_after: null });
    // As of the last close, before the charge was paid.
    const then = await get(`/audit/recon/receivable?AsOf=${(await get('/audit/recon/days')).body.items.at(-1).position}`);
    expect([then.body.items, Number(then.headers.get('as-of-position')) > 0]).toEqual([[], true]);
    expect((await get('/audit/recon/receivable?AsOf=2999-01-01T00:00:00Z')).status).toBe(400);
    expect((await get('/audit/recon/receivable', finance, CSV)).text).toContain(`test,SIMULATOR,IDR,0-1,false,1,${owed.amount}`);
  });

  it('an approved proposal books the shortfall of a batch’s credit', async () => {
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test' });
    const { rows } = await pool.query<{ reference: string }>('select payment_reference as reference from recon.items');
    const sim = { mode: 'test', name: 'sim', kind: 'PROCESSOR', currencies: ['IDR'], format: 'csv', profile: PROFILE, processor: 'SIMULATOR' };
    const set = { key: ani.key, body: { ...sim, time_zone: 'Asia/Jakarta', due_days: 3, reason: 'what it remits' } };
    expect((await service.call('POST', '/audit/recon/sources', set)).status).toBe(200);
    const send = (source: string, file: string): Promise<Answer> => {
      const sent = { key: siti.key, body: Buffer.from(file), headers: { 'content-type': 'application/octet-stream' } };
      return service.call('POST', `/audit/recon/sources/${source}/statements`, sent);
    };
    expect((await send('test-sim', remittance([{ batch: 'B-9', reference: rows[0]!.reference, gross: 100 }], '2026-11-13'))).status).toBe(201);
    const details = '<NtryDtls><TxDtls><Refs><EndToEndId>B-9</EndToEndId></Refs></TxDtls></NtryDtls>';
    // The bank credits 95 of the batch's 99.
    expect((await send('test-bca', bankFile(bankDay(4, 7, [95], { details })))).status).toBe(201);
    const [short] = (await get('/audit/recon/breaks?Kind=REMITTANCE_SHORT')).body.items;
    expect(short).toMatchObject({ status: 'OPEN', line: { amount: 9_500 }, remittance: { batch: 'B-9', amount: 9_900 } });
    const body = { kind: 'MATCH_DIFFERENCE', content: { break_id: short.id, account: 'costs' }, reason: 'their bank keeps 4' };
    const key = newIdempotencyKey();
    const propose = (): Promise<Answer> => service.call('POST', '/audit/proposals', { key: siti.key, headers: key, body });
    const made = await propose();
    expect(made).toMatchObject({ status: 201, body: { content: { amount: -400, event_id: null, batch_source: 'test-sim', batch: 'B-9' } } });
    const { id, digest } = made.body;
    const approved = await service.call('POST', `/audit/proposals/${id}/approve`, { key: citra.key, body: { digest, reason: 'as agreed' } });
    expect(approved.status).toBe(200);
    await eventually(async () => (await get(`/audit/proposals/${id}`)).body.status === 'EXECUTED');
    // A repeat is recognised by its request, regardless of the break's state.
    expect(await propose()).toMatchObject({ status: 201, body: { id, status: 'EXECUTED' } });

    let closed: Answer;
    await eventually(async () => (closed = await close('2026-11-14')).body.status === 'COMPLETE');
    expect(closed!.body).toMatchObject({ rows: 2, figures: [{ closing: 10_200, book_cash: 10_200, differences: -400, residual: 0 }] });
    expect((await get(`/audit/recon/breaks/${short.id}`)).body.status).toBe('RESOLVED');
    expect((await get('/audit/recon/matches?Source=test-bca')).body.items).toMatchObject([
      { remittance: { batch: 'B-9', amount: 9_900 }, difference: -400, difference_to: 'costs' },
    ]);
    const { accounts } = (await get('/audit/trial-balance?Mode=test')).body.currencies[0];
    const balances = Object.fromEntries(accounts.map(({ account, balance }: { account: string; balance: number }) => [account, balance]));
    expect(balances).toMatchObject({ processor: 0, bank: -10_200, costs: -500, losses: 0 });
    expect((await get('/audit/recon/receivable?Mode=test')).body.items).toEqual([]);
    const keys = new ChainKeys(await loadServiceSecret(service.stores.databaseUrl, KEY));
    try {
      const verified = verifyDays({ store: service.stores.eventStore, pool, keys, tables: [], signal: new AbortController().signal });
      expect(await verified).toEqual({ days: 4, wrong: null });
    } finally {
      await pool.end();
    }
  }, 60_000);

  it('a month closes after its days, and lines booked later appear as corrections', async () => {
    const [moment, stream] = [timestamp(Date.parse('2026-10-30T05:00:00Z')), houseStream('live', 'IDR')];
    const about = {
      item_id: null,
      charge_id: null,
      processor: null,
      source: 'live-bca',
      position: null,
      items: null,
      relates_to: '2026-10',
      adjusted_on: moment,
    };
    const opening = { merchant_id: null, mode: 'live', currency: 'IDR', proposal_id: randomUUID(), kind: 'OPENING', amount: 400, ...about } as const;
    const booked = newEvent({ type: 'HouseAdjusted', data: opening }, { ...systemContext(), now: moment });
    await service.stores.eventStore.append(stream, 'no-stream', [booked]);
    await importInto('live', bankDay(1, 4, [6], { day: '2026-10-30' }), bankDay(2, 10, [-3], { day: '2026-10-31' }));
    const propose = (): Promise<Answer> => {
      const body = { kind: 'MONTH_CLOSE', content: { mode: 'live', month: '2026-10' }, reason: 'all days are closed' };
      return service.call('POST', '/audit/proposals', { key: ani.key, headers: newIdempotencyKey(), body });
    };
    await eventually(async () => (await propose()).body.errors?.[0].code === 'days-open');
    for (const day of ['2026-10-30', '2026-10-31']) expect((await close(day, siti.key, 'live-bca')).body).toMatchObject({ day, status: 'COMPLETE' });
    let made = await propose();
    await eventually(async () => (made = await propose()).status === 201);
    const { id, digest } = made.body;
    const approved = await service.call('POST', `/audit/proposals/${id}/approve`, { key: budi.key, body: { digest, reason: 'as agreed' } });
    expect(approved.status).toBe(200);
    await eventually(async () => (await get(`/audit/proposals/${id}`)).body.status === 'EXECUTED');
    const { body } = await get('/audit/periods/2026-10?Mode=live');
    const balances = (books: any[]) =>
      books[0].accounts.filter(({ balance }: any) => balance !== 0).map(({ account, balance }: any) => [account, balance]);
    const asClosed = [
      ['bank', -400],
      ['equity', 400],
    ];
    const asCorrected = [
      ['bank', -700],
      ['suspense', 300],
      ['equity', 400],
    ];
    expect([body.digest_holds, balances(body.as_closed), balances(body.as_corrected)]).toEqual([true, asClosed, asCorrected]);
    const { items } = (await get('/audit/periods/2026-10/corrections?Mode=live')).body;
    expect(items.map(({ account, debit, credit, relates_to }: any) => [account, debit, credit, relates_to])).toEqual([
      ['bank', 600, 0, '2026-10'],
      ['suspense', 0, 600, '2026-10'],
      ['suspense', 300, 0, '2026-10'],
      ['bank', 0, 300, '2026-10'],
    ]);
  });
});
