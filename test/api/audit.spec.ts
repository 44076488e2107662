import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { revokeKey } from '../../src/domain/merchants/merchant.commands.js';
import { switchOperator } from '../../src/domain/operators/operator.commands.js';
import { moneyMove, movesMoney } from '../../src/ledger/postings.js';
import { later, milliseconds, timestamp } from '../../src/ledger/time.js';
import { openDispute } from '../support/disputes.js';
import { eventually, within } from '../support/eventually.js';
import { exactly, newFinanceKey, newOperator, writeHistory, type RandomHistory } from '../support/finance.js';
import { randomNumbers } from '../support/random-numbers.js';
import { PostedSums, type MovingEvent } from '../support/ledger-oracle.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const PATHS = [
  '/audit/events',
  '/audit/journal',
  '/audit/journal/totals',
  '/audit/trial-balance',
  '/audit/settlements',
  '/audit/disputes',
  '/audit/merchants',
  '/audit/operators',
  `/audit/settlements/${randomUUID()}`,
  `/audit/merchants/${randomUUID()}/terms`,
];
const PLATFORM = ['processor', 'bank', 'returns', 'suspense', 'fees', 'costs', 'tax', 'losses', 'equity'] as const;

let service: TestService;
let merchants: TestMerchant[];
let history: RandomHistory;
let key: string;

const audit = async (path: string, accept?: string): Promise<Answer> =>
  service.call('GET', path, { key, headers: { 'min-ledger-position': history.position, ...(accept === undefined ? {} : { accept }) } });

const lines = ({ text }: Answer): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => exactly({ text: line }));

const modeOf = (merchantId: string): string => (merchantId === merchants[2]!.merchant_id ? 'live' : 'test');

/** Returns the items of all pages in order. */
async function paged(path: string, query: URLSearchParams, limit: number): Promise<any[]> {
  const all: any[] = [];
  for (let after = ''; ;) {
    const page = new URLSearchParams(query);
    page.set('limit', String(limit));
    if (after !== '') page.set('AFTER', after);
    const answer = await audit(`${path}?${page}`);
    expect(answer.status).toBe(200);
    const { items, next_after } = exactly(answer) as { items: any[]; next_after: string | number | null };
    expect(items.length).toBeLessThanOrEqual(limit);
    all.push(...items);
    if (next_after === null) return all;
    expect(items.length).toBe(limit);
    after = `${next_after}`;
  }
}

beforeAll(async () => {
  // Without a worker only the history's events happen.
  service = await startTestService({ ROLES: 'api,projector' });
  merchants = [await service.newMerchant(), await service.newMerchant(), await service.newMerchant({ mode: 'live' })];
  key = (await newFinanceKey(service)).key;
  history = await writeHistory(service, merchants, 700, 42, 9_007_199_254_740_000);
});
afterAll(() => service.stop());

describe('/audit/events', () => {
  let all: any[];
  beforeAll(async () => {
    all = lines(await audit('/audit/events', 'application/x-ndjson'));
  });

  it('numbers every event of the log, at any page length', async () => {
    expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1));
    const written = history.events.map(({ id, stream, revision }) => ({ id, stream, revision }));
    expect(all.slice(-written.length).map(({ id, stream, revision }) => ({ id, stream, revision }))).toEqual(written);
    expect(await paged('/audit/events', new URLSearchParams(), 97)).toEqual(all);
    expect((await audit('/audit/events')).body.items).toHaveLength(100);
    expect(Object.keys(all[0])).toEqual([
      'position',
      'stream',
      'revision',
      'id',
      'type',
      'occurred_on',
      'merchant_id',
      'actor',
      'correlation_id',
      'causation_id',
      'data',
    ]);
  });

  it('filters return the events that a client with the whole log would select', async () => {
    const random = randomNumbers(7);
    const pick = (name: 'stream' | 'type' | 'merchant_id'): string => all[random(all.length)][name] ?? randomUUID();
    for (let run = 0; run < 30; run += 1) {
      const query = new URLSearchParams();
      if (random(2) === 0) query.set('Type', random(2) === 0 ? pick('type') : pick('type').toLowerCase());
      if (random(2) === 0) query.set('MerchantId', pick('merchant_id'));
      if (random(3) === 0) query.set('Stream', pick('stream'));
      const after = random(3) === 0 ? random(all.length + 5) : 0;
      const expected = all.filter(
        ({ position, stream, type, merchant_id }) =>
          position > after &&
          (!query.has('Stream') || stream === query.get('Stream')) &&
          (!query.has('Type') || type.toLowerCase() === query.get('Type')!.toLowerCase()) &&
          (!query.has('MerchantId') || merchant_id === query.get('MerchantId')),
      );
      if (after > 0) query.set('After', String(after));
      expect(lines(await audit(`/audit/events?${query}`, 'application/x-ndjson'))).toEqual(expected);
      query.delete('After');
      if (after === 0) expect(await paged('/audit/events', query, 60 + random(60))).toEqual(expected);
    }
  });

  it('rejects unknown, malformed and repeated filters with 400; an unknown stream has no events', async () => {
    for (const query of [
      'Type=ChargeSwallowed',
      'MerchantId=me',
      'After=-1',
      'After=x',
      'Limit=0',
      'Limit=1001',
      'Kind=x',
      'Type=ChargePaid&type=ChargePaid',
    ])
      expect((await audit(`/audit/events?${query}`)).body).toMatchObject({ status: 400, code: 'validation-failed' });
    expect((await audit('/audit/events?Stream=charge-nobody')).body).toEqual({ items: [], next_after: null });
  });

  it('shows no hash of a key, no signature key and nothing personal', async () => {
    const { key: own } = merchants[0]!;
    await service.call('POST', '/v1/merchants/me/web-hook', {
      key: own,
      body: { web_hook_uri: 'https://hooks.example.com/', signature_key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', events: [] },
    });
    const created = await service.call('POST', '/v1/customers', { key: own, headers: newIdempotencyKey(), body: { name: 'Siti Aminah' } });
    expect(created.status).toBe(201);
    expect((await audit(`/audit/events?Stream=customer-${created.body.id}`)).body.items).toHaveLength(1);
    const everything = (await audit('/audit/events', 'application/x-ndjson')).text;
    for (const secret of ['Siti', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '0123456789"']) expect(everything).not.toContain(secret);
    for (const { data } of lines({ text: everything } as Answer)) {
      for (const field of ['key_hash', 'sealed_key', 'bank_account_number', 'bank_account_name'])
        if (field in data) expect(data[field]).toBe('[sealed]');
    }
  });

  it('shows a charge as soon as its create request returns', async () => {
    const charge = await service.call('POST', '/v1/charges', { key: merchants[0]!.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
    const { body } = await service.call('GET', `/audit/events?Stream=charge-${charge.body.id}`, { key });
    expect(body.items).toEqual([expect.objectContaining({ type: 'ChargeCreated', revision: 0, merchant_id: merchants[0]!.merchant_id })]);
    const [found] = body.items;
    expect((await service.call('GET', `/audit/events?After=${found.position - 1}&Limit=1`, { key })).body.items).toEqual([found]);
  });
});

describe('the Mode filter of /audit', () => {
  const LISTS = ['events', 'journal', 'settlements', 'refunds', 'payouts', 'disputes', 'merchants'];
  const ownerOf = (item: any): string => item.merchant_id ?? item.id;

  it('lists return only items of merchants in that mode, at any page length, and the two modes together return all of them', async () => {
    for (const list of LISTS) {
      const all = lines(await audit(`/audit/${list}`, 'application/x-ndjson')).filter((item) => item.merchant_id !== null);
      for (const mode of ['live', 'test']) {
        const theirs = all.filter((item) => modeOf(ownerOf(item)) === mode);
        expect([list, lines(await audit(`/audit/${list}?Mode=${mode}`, 'application/x-ndjson'))]).toEqual([list, theirs]);
        expect([list, await paged(`/audit/${list}`, new URLSearchParams({ Mode: mode.toUpperCase() }), 19)]).toEqual([list, theirs]);
      }
    }
  });

  it('merchant and stream filters of the other mode return no items', async () => {
    const { merchant_id } = merchants[2]!;
    for (const list of LISTS.filter((each) => each !== 'merchants'))
      expect([list, (await audit(`/audit/${list}?Mode=test&MerchantId=${merchant_id}`)).body.items]).toEqual([list, []]);
    expect((await audit(`/audit/events?Stream=merchant-${merchant_id}&Mode=test`)).body.items).toEqual([]);
    expect((await audit(`/audit/events?Stream=merchant-${merchant_id}&Mode=live`)).body.items).toHaveLength(2);
    expect((await audit('/audit/events?Stream=merchant-finance&Mode=live')).body.items).toEqual([]);
    expect((await audit(`/audit/trial-balance?Mode=test&MerchantId=${merchant_id}`)).body).toEqual({ currencies: [] });
  });

  it('trial balance of one mode: returns that mode’s currencies only; without the filter, live precedes test', async () => {
    const { currencies } = exactly(await audit('/audit/trial-balance'));
    const modes = currencies.map(({ mode }: any) => mode);
    expect(modes).toEqual([...modes].sort());
    expect(new Set(modes)).toEqual(new Set(['live', 'test']));
    for (const mode of ['live', 'test']) {
      const theirs = currencies.filter((each: any) => each.mode === mode);
      expect(exactly(await audit(`/audit/trial-balance?Mode=${mode}`))).toEqual({ currencies: theirs });
      const [, ...rows] = (await audit(`/audit/trial-balance?Mode=${mode}`, 'text/csv')).text.trimEnd().split('\r\n');
      expect(rows.map((row) => row.split(',').at(-1))).toEqual(theirs.flatMap(({ accounts }: any) => accounts).map(() => mode));
    }
  });

  it('rejects any other mode with 400', async () => {
    for (const list of [...LISTS, 'trial-balance', 'desk/queue'])
      expect([list, (await audit(`/audit/${list}?Mode=both`)).body]).toMatchObject([
        list,
        { code: 'validation-failed', errors: [{ parameter: 'Mode' }] },
      ]);
  });
});

describe('/audit/journal', () => {
  let all: any[];
  beforeAll(async () => {
    all = lines(await audit('/audit/journal', 'application/x-ndjson'));
  });

  it('returns every line once, at any page length, and debits equal credits in each event', async () => {
    for (const limit of [1_000, 50, 3]) expect(await paged('/audit/journal', new URLSearchParams(), limit)).toEqual(all);
    const sums = new Map<string, bigint>();
    for (const { event_id, debit, credit } of all) sums.set(event_id, (sums.get(event_id) ?? 0n) + BigInt(credit) - BigInt(debit));
    expect(new Set(sums.values())).toEqual(new Set([0n]));
    expect(all.length).toBeGreaterThan(200);
    expect(all.some(({ balance_after }) => typeof balance_after === 'string')).toBe(true);
  });

  it('filters return the lines that a client with the whole journal would select', async () => {
    const random = randomNumbers(11);
    const some = () => all[random(all.length)];
    for (let run = 0; run < 30; run += 1) {
      const query = new URLSearchParams();
      if (random(2) === 0) query.set('MerchantId', some().merchant_id);
      if (random(2) === 0) query.set('Currency', some().currency.toLowerCase());
      if (random(3) === 0) query.set('DateFrom', some().occurred_on);
      if (random(3) === 0) query.set('DateTo', some().occurred_on);
      if (random(6) === 0) query.set('EventId', some().event_id);
      if (random(2) === 0) query.set('Account', some().account.toUpperCase());
      const expected = all.filter(
        (line) =>
          (!query.has('MerchantId') || line.merchant_id === query.get('MerchantId')) &&
          (!query.has('Currency') || line.currency.toLowerCase() === query.get('Currency')) &&
          (!query.has('DateFrom') || line.occurred_on >= query.get('DateFrom')!) &&
          (!query.has('DateTo') || line.occurred_on <= query.get('DateTo')!) &&
          (!query.has('EventId') || line.event_id === query.get('EventId')) &&
          (!query.has('Account') || line.account === query.get('Account')!.toLowerCase()),
      );
      // The journal of a period is in the order of booking. The sort is stable, so that ties stay in the order of the log.
      const isOfTime = query.has('DateFrom') || query.has('DateTo');
      const inOrder = isOfTime ? expected.sort((a, b) => milliseconds(a.occurred_on) - milliseconds(b.occurred_on)) : expected;
      const found = await paged('/audit/journal', query, 20 + random(90));
      const isRunning = query.has('Account') && query.has('Currency') && query.has('MerchantId');
      expect(found.map(({ running_balance }) => running_balance !== null)).toEqual(found.map(() => isRunning));
      expect(found.map((line) => ({ ...line, running_balance: null }))).toEqual(inOrder);
      if (query.has('EventId')) continue;
      const totals = new Map<string, { debit: bigint; credit: bigint }>();
      for (const { mode, currency, account, debit, credit } of expected) {
        const key = [mode, currency, account].join();
        const before = totals.get(key) ?? { debit: 0n, credit: 0n };
        totals.set(key, { debit: before.debit + BigInt(debit), credit: before.credit + BigInt(credit) });
      }
      const { accounts } = exactly(await audit(`/audit/journal/totals?${query}`));
      for (const { mode, currency, account, opening_balance, debit, credit, closing_balance } of accounts) {
        const key = [mode, currency, account].join();
        expect([key, BigInt(debit), BigInt(credit)]).toEqual([key, totals.get(key)?.debit ?? 0n, totals.get(key)?.credit ?? 0n]);
        expect(BigInt(opening_balance) + BigInt(credit) - BigInt(debit)).toBe(BigInt(closing_balance));
        totals.delete(key);
      }
      expect([...totals.keys()]).toEqual([]);
      const [header, ...rows] = (await audit(`/audit/journal/totals?${query}`, 'text/csv')).text.trimEnd().split('\r\n');
      expect(header).toBe('mode,currency,account,opening_balance,debit,credit,closing_balance');
      expect(rows).toEqual(accounts.map((total: object) => Object.values(total).join()));
    }
  });

  it('a period that ends before it begins has no lines, and balances that stand still', async () => {
    const [from, to] = [all[Math.floor(all.length / 2)].occurred_on, all[0].occurred_on].map(encodeURIComponent);
    expect((await audit(`/audit/journal?DateFrom=${from}&DateTo=${to}`)).body.items).toEqual([]);
    const { accounts } = exactly(await audit(`/audit/journal/totals?DateFrom=${from}&DateTo=${to}`));
    expect(accounts.length).toBeGreaterThan(0);
    for (const { opening_balance, debit, credit, closing_balance } of accounts)
      expect([debit, credit, closing_balance]).toEqual([0, 0, opening_balance]);
  });

  it('a line leads to its event by position, and the event to its lines by id', async () => {
    const line = all[Math.floor(all.length / 2)];
    const [event] = (await audit(`/audit/events?After=${line.position - 1}&Limit=1`)).body.items;
    expect(event).toMatchObject({ id: line.event_id, position: line.position, merchant_id: line.merchant_id });
    expect(exactly(await audit(`/audit/journal?EventId=${event.id}`)).items).toEqual(all.filter(({ event_id }) => event_id === event.id));
    expect(exactly(await audit(`/audit/journal?After=${line.position - 1}&Limit=1`)).items[0].position).toBe(line.position);
  });

  it('CSV has the same rows as JSON, and respects the limit', async () => {
    const csv = await audit('/audit/journal', 'text/csv');
    expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="journal.csv"',
    ]);
    const [header, ...rows] = csv.text.trimEnd().split('\r\n');
    expect(header).toBe(
      'position,event_id,line,merchant_id,currency,account,debit,credit,balance_before,balance_after,occurred_on,mode,proposal_id,relates_to,' +
        'type,charge_id,code,payout_id,refund_id,dispute_id,settlement_number,running_balance',
    );
    expect(rows).toEqual(all.map((line) => Object.values(line).join(',')));
    expect((await audit('/audit/journal?Limit=7', 'text/csv')).text.trimEnd().split('\r\n')).toHaveLength(8);
  });

  it('rejects malformed cursors with 400', async () => {
    for (const after of ['-1', '1-', 'x', '1-2-3', '99999999999999999']) expect((await audit(`/audit/journal?After=${after}`)).status).toBe(400);
  });
});

describe('/audit/trial-balance', () => {
  const balances = (answer: Answer): Map<string, bigint> =>
    new Map(
      exactly(answer).currencies.flatMap(({ mode, currency, accounts }: any) =>
        accounts.map(({ account, merchant_id, balance }: any) => [`${mode} ${currency} ${account} ${merchant_id}`, BigInt(balance)]),
      ),
    );

  /** Returns the balances of all accounts as the sums of the postings of `events`. */
  const expectedAt = (events: readonly MovingEvent[]): Map<string, bigint> => {
    const owners = new Map<string, PostedSums>();
    for (const event of events) {
      if (!movesMoney(event)) continue;
      const { merchant_id } = moneyMove(event);
      for (const owner of [merchant_id, 'null']) {
        const name = `${modeOf(merchant_id)} ${event.data.currency} ${owner}`;
        if (!owners.has(name)) owners.set(name, new PostedSums());
        owners.get(name)!.add(event);
      }
    }
    const expected = new Map<string, bigint>();
    for (const [name, posted] of owners) {
      const [mode = '', currency = '', owner = ''] = name.split(' ');
      const accounts = owner === 'null' ? PLATFORM : (['pending', 'available', 'reserved', 'refunding', 'disputed'] as const);
      for (const account of accounts) expected.set(`${mode} ${currency} ${account} ${owner}`, posted.sums()[account]);
    }
    return expected;
  };

  it('accounts equal the postings at every booking of the history, and the difference is 0', async () => {
    const moving = history.events.filter((event) => movesMoney(event as unknown as MovingEvent));
    const last = new Map<string, string>();
    const bookings = moving.map(({ metadata: { occurred_on }, data }) => {
      const { merchant_id, currency } = data as unknown as MovingEvent['data'];
      const before = last.get(`${merchant_id} ${currency}`);
      const booked = before === undefined ? occurred_on : later(before, occurred_on);
      last.set(`${merchant_id} ${currency}`, booked);
      return booked;
    });
    for (const booked of new Set(bookings)) {
      const answer = await audit(`/audit/trial-balance?AsOf=${encodeURIComponent(booked)}`);
      const seen = moving.filter((_, index) => milliseconds(bookings[index]!) <= milliseconds(booked));
      expect(balances(answer)).toEqual(expectedAt(seen as unknown as MovingEvent[]));
      for (const { difference, total_debit, total_credit } of exactly(answer).currencies)
        expect([difference, total_debit]).toEqual([0, total_credit]);
    }
    expect(balances(await audit('/audit/trial-balance'))).toEqual(expectedAt(moving as unknown as MovingEvent[]));
  });

  it('one merchant’s part is in balance by itself', async () => {
    for (const { merchant_id } of merchants) {
      const answer = exactly(await audit(`/audit/trial-balance?MerchantId=${merchant_id}`));
      const theirs = history.events.filter(({ metadata }) => metadata.merchant_id === merchant_id) as unknown as MovingEvent[];
      const expected = expectedAt(theirs);
      for (const { currency, accounts, difference } of answer.currencies) {
        expect(difference).toBe(0);
        for (const { account, balance } of accounts) {
          const owner = PLATFORM.includes(account) ? 'null' : merchant_id;
          expect(BigInt(balance)).toBe(expected.get(`${modeOf(merchant_id)} ${currency} ${account} ${owner}`));
        }
      }
    }
    expect((await audit(`/audit/trial-balance?MerchantId=${randomUUID()}`)).body).toEqual({ currencies: [] });
  });

  it('returns CSV, rejects a moment in the future with 400, and is empty before the first booking', async () => {
    const { currencies } = exactly(await audit('/audit/trial-balance'));
    const [header, ...rows] = (await audit('/audit/trial-balance', 'text/csv')).text.trimEnd().split('\r\n');
    expect(header).toBe('currency,account,merchant_id,debit,credit,balance,mode');
    expect(rows).toHaveLength(currencies.flatMap(({ accounts }: any) => accounts).length);
    expect((await audit('/audit/trial-balance?AsOf=2099-01-01T00:00:00Z')).status).toBe(400);
    expect((await audit('/audit/trial-balance?AsOf=2020-01-01T00:00:00Z')).body).toEqual({ currencies: [] });
  });
});

describe('/audit/settlements and /audit/merchants', () => {
  it('lists every settlement with its totals, and reads each with its lines', async () => {
    const closed = new Map(
      history.events.flatMap(({ type, data }) => (type === 'SettlementClosed' ? [[(data as any).settlement_id, data as any] as const] : [])),
    );
    const all = await paged('/audit/settlements', new URLSearchParams(), 7);
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(closed.keys()));
    for (const { id, number, lines: count, totals, merchant_id, currency } of all) {
      const event = closed.get(id);
      expect([number, count, merchant_id, currency]).toEqual([event.settlement_number, event.lines.length, event.merchant_id, event.currency]);
      expect([String(totals.net_amount), totals.charges]).toEqual([event.totals.net_amount, event.totals.charges]);
      const detail = exactly(await audit(`/audit/settlements/${id}`));
      expect(detail.lines).toHaveLength(count);
      const sum = detail.lines.reduce((total: bigint, line: any) => total + BigInt(line.net_amount), 0n);
      expect(sum).toBe(BigInt(totals.net_amount));
    }
    const { merchant_id } = merchants[1]!;
    expect(await paged('/audit/settlements', new URLSearchParams({ MerchantId: merchant_id, Currency: 'IDR' }), 3)).toEqual(
      all.filter((each) => each.merchant_id === merchant_id && each.currency === 'IDR'),
    );
    expect((await audit(`/audit/settlements/${randomUUID()}`)).status).toBe(404);
    expect((await audit(`/audit/settlements?After=${randomUUID()}`)).status).toBe(400);
    expect((await audit('/audit/settlements', 'text/csv')).text.trimEnd().split('\r\n')).toHaveLength(all.length + 1);
  });

  it('lists the merchants in the order of their registration, harmless in a spreadsheet', async () => {
    const listed = await paged('/audit/merchants', new URLSearchParams(), 2);
    expect(listed.map(({ id }) => id)).toEqual(merchants.map(({ merchant_id }) => merchant_id));
    expect(JSON.stringify(listed)).not.toContain('email');
    const { merchant_id } = await service.newMerchant({ name: '=HYPERLINK("http://evil","x")' });
    const csv = await audit('/audit/merchants', 'text/csv');
    expect(csv.text).toContain(`${merchant_id},"'=HYPERLINK(""http://evil"",""x"")",`);
  });
});

describe('/audit/merchants/{merchant}/terms', () => {
  it('the terms have the fees, bounds and settlement that the merchant itself reads', async () => {
    const { merchant_id, key: own } = merchants[0]!;
    const [me, channels] = await Promise.all(['', '/channels'].map((path) => service.call('GET', `/v1/merchants/me${path}`, { key: own })));
    const { fees } = me!.body;
    const { items } = (await audit(`/audit/merchants/${merchant_id}/terms`)).body;
    const of = (use: string): any[] => items.filter((item: any) => item.use === use);
    const feeOf = ({ fee_type: type, fee_value: value }: any) => ({ type, value });
    expect(of('CHARGE').map((item) => ({ channel_code: item.channel_code, fee: feeOf(item) }))).toEqual(fees.charges);
    expect(of('PAYOUT').map((item) => ({ currency: item.currency, fee: feeOf(item) }))).toEqual(fees.payouts);
    expect(of('DISPUTE').map((item) => ({ currency: item.currency, fee: feeOf(item) }))).toEqual(fees.disputes);
    expect(
      of('CHARGE').map(({ channel_code, currency, min_amount, max_amount, settlement_cycle: settlement }) => ({
        ...{ code: channel_code.toLowerCase(), currency, min_amount, max_amount, settlement },
      })),
    ).toEqual(
      channels!.body.map(({ code, currency, min_amount, max_amount, settlement }: any) => ({
        code,
        currency,
        min_amount,
        max_amount,
        settlement,
      })),
    );
    const rows = (await audit(`/audit/merchants/${merchant_id}/terms`, 'text/csv')).text.trimEnd().split('\r\n');
    expect(rows[0]).toBe('use,channel_code,currency,enabled,fee_type,fee_value,min_amount,max_amount,settlement_cycle');
    expect(rows).toHaveLength(items.length + 1);
    expect((await audit(`/audit/merchants/${randomUUID()}/terms`)).status).toBe(404);
  });
});

describe('/audit/disputes', () => {
  const opened: Answer['body'][] = [];
  beforeAll(async () => {
    for (const [merchant, stage] of [
      [merchants[0]!, 'CHARGEBACK'],
      [merchants[1]!, 'CHARGEBACK'],
      [merchants[0]!, 'INQUIRY'],
    ] as const) {
      const { body } = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
      await service.call('POST', body.action.simulation_url, { body: { outcome: 'succeed' } });
      const id = await openDispute(service.stores.eventStore, body.id, stage);
      const shown = async () => (await service.call('GET', `/v1/disputes/${id}`, { key: merchant.key })).body;
      await eventually(async () => (await shown()).dispute_status !== undefined);
      opened.push(await shown());
    }
    const [, accepted] = opened;
    const { body, headers } = await service.call('POST', `/v1/disputes/${accepted.id}/accept`, { key: merchants[1]!.key });
    opened[1] = body;
    history = { ...history, position: headers.get('ledger-position')! };
  });

  it('lists disputes of all merchants in the order of the log, as pages, NDJSON and CSV', async () => {
    const expected = opened.map((dispute) => ({ ...dispute, age_days: 0 }));
    expect(await paged('/audit/disputes', new URLSearchParams(), 1)).toEqual(expected);
    expect(lines(await audit('/audit/disputes', 'application/x-ndjson'))).toEqual(expected);
    const [header, ...rows] = (await audit('/audit/disputes', 'text/csv')).text.trimEnd().split('\r\n');
    expect(header).toBe(
      Object.keys(expected[0])
        .filter((name) => name !== 'evidence')
        .join(','),
    );
    const places = ['id', 'dispute_status', 'is_final', 'lost_reason'].map((name) => header!.split(',').indexOf(name));
    expect(rows.map((row) => places.map((place) => row.split(',')[place]))).toEqual(
      opened.map(({ id, dispute_status, lost_reason }) => [id, dispute_status, 'false', lost_reason ?? '']),
    );
  });

  it('each filter and their combinations select the expected disputes; malformed filters return 400', async () => {
    const [first, accepted, inquiry] = opened;
    const due = (dispute: { due_by: string }): string => encodeURIComponent(dispute.due_by);
    for (const [query, expected] of [
      [`MerchantId=${merchants[0]!.merchant_id}`, [first, inquiry]],
      ['Currency=idr', opened],
      ['Currency=SGD', []],
      ['Status=lost', [accepted]],
      [`ChargeId=${inquiry.charge_id}`, [inquiry]],
      [`DueBefore=${due(first)}`, [first]],
      [`DueBefore=${due(inquiry)}`, [first, inquiry]],
      [`DueBefore=${due(inquiry)}&Status=INQUIRY&MerchantId=${merchants[0]!.merchant_id}`, [inquiry]],
    ] as const) {
      const { body } = await audit(`/audit/disputes?${query}`);
      expect([query, body.items.map(({ id }: { id: string }) => id)]).toEqual([query, expected.map(({ id }: { id: string }) => id)]);
    }
    for (const query of [`After=${randomUUID()}`, 'Status=OPEN', 'DueBefore=soon', 'DueAfter=2026-01-31'])
      expect((await audit(`/audit/disputes?${query}`)).body).toMatchObject({ status: 400, code: 'validation-failed' });
  });
});

describe('/audit/operators', () => {
  let all: any[];
  beforeAll(async () => {
    await newOperator(service, 'Siti Rahma', ['controller', 'preparer']);
    const { person_id, key_id } = await newOperator(service, 'Budi');
    await revokeKey(service.deps, { kind: 'operator', person_id }, key_id);
    await switchOperator(service.deps, person_id, 'suspend', 'has left');
    await eventually(async () => (await audit(`/audit/operators/${person_id}`)).body.status === 'SUSPENDED');
    all = (await audit('/audit/operators')).body.items;
  });

  it('lists persons with their roles and keys, without e-mail addresses, sealed data and hashes of keys', async () => {
    const ended = { status: 'REVOKED', revoked_on: expect.any(String) };
    expect(all).toMatchObject([
      { name: 'Siti Rahma', roles: ['PREPARER', 'CONTROLLER'], status: 'ACTIVE', keys: [{ status: 'ACTIVE', revoked_on: null }] },
      { name: 'Budi', roles: [], status: 'SUSPENDED', keys: [ended] },
    ]);
    const { text } = await audit('/audit/operators', 'application/x-ndjson');
    expect(lines({ text } as Answer)).toEqual(all);
    expect(text).not.toMatch(/bank\.example|sealed|key_hash/);
  });

  it('pages and single reads return the same operators; unknown ids return 404, unknown cursors 400', async () => {
    expect(await paged('/audit/operators', new URLSearchParams(), 1)).toEqual(all);
    for (const one of all) expect((await audit(`/audit/operators/${one.id}`)).body).toEqual(one);
    expect((await audit(`/audit/operators/${randomUUID()}`)).status).toBe(404);
    expect((await audit(`/audit/operators?After=${randomUUID()}`)).body).toMatchObject({ status: 400, code: 'validation-failed' });
  });
});

describe('access to /audit', () => {
  let expired: { key: string };
  let operator: { person_id: string; key: string };
  beforeAll(async () => {
    operator = await newOperator(service, 'Ani');
    expired = await newFinanceKey(service, timestamp(Date.now() + 300));
    await eventually(async () => (await service.call('GET', '/audit/merchants', { key: expired.key })).status === 200, 300).catch(() => undefined);
    await eventually(async () => (await service.call('GET', '/audit/merchants', { key: expired.key })).status === 401);
  });

  it.each(PATHS)('%s: accepts finance and operator keys, rejects all other keys, and takes no POST', async (path) => {
    const [merchant] = merchants;
    const byMerchant = await service.call('GET', path, { key: merchant!.key });
    expect([byMerchant.status, byMerchant.body.code]).toEqual([403, 'insufficient-scope']);
    expect((await service.call('GET', path)).status).toBe(401);
    const unknown = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    for (const refused of [expired.key, unknown]) expect((await service.call('GET', path, { key: refused })).status).toBe(401);
    expect((await service.call('GET', path, { key: operator.key })).status).toBe((await service.call('GET', path, { key })).status);
    expect((await service.call('POST', path, { key, body: {} })).status).toBe(405);
  });

  it('finance and operator keys cannot read routes of merchants', async () => {
    for (const path of ['/v1/balances', '/v1/settlements', '/v1/charges'])
      for (const reader of [key, operator.key])
        expect((await service.call('GET', path, { key: reader })).body).toMatchObject({ status: 403, code: 'insufficient-scope' });
  });

  it('a suspended operator’s key returns 401 within a second, like a revoked key, and works again after the operator is restored', async () => {
    await switchOperator(service.deps, operator.person_id, 'suspend', 'on leave');
    const read = () => service.call('GET', '/audit/merchants', { key: operator.key });
    await within(1_000, () => eventually(async () => (await read()).status === 401));
    expect((await read()).body).toMatchObject({ code: 'unauthenticated', detail: 'The key is unknown, expired or revoked.' });
    await switchOperator(service.deps, operator.person_id, 'restore', 'is back');
    await within(1_000, () => eventually(async () => (await read()).status === 200));
  });

  it('a revoked key returns 401 within a second', async () => {
    const doomed = await newFinanceKey(service);
    await eventually(async () => (await service.call('GET', '/audit/merchants', { key: doomed.key })).status === 200);
    await revokeKey(service.deps, { kind: 'finance' }, doomed.key_id);
    await within(1_000, () => eventually(async () => (await service.call('GET', '/audit/merchants', { key: doomed.key })).status === 401));
  });
});
