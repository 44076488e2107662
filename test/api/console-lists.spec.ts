import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import type { SuspenseItemDto } from '../../src/web/finance-api/approvals/suspense.dto.js';
import { accountStream, type PayoutRequested } from '../../src/ledger/events/account.events.js';
import type { ChargeCreated, ChargePaid } from '../../src/ledger/events/charge.events.js';
import type { ChargeRefundClaimed } from '../../src/ledger/events/refund.events.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { formatAmount } from '../../src/platform/text/format.js';
import { chargesKind } from '../../src/web/console/records/lists.js';
import { findNewest } from '../../src/web/console/records/newest.js';
import type { Answer } from '../support/service.js';
import { newFinanceKey, writeHistory, type RandomHistory } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

let service: TestService;
let merchants: TestMerchant[];
let history: RandomHistory;
let cookie: string;
let finance: string;

const page = (path: string): Promise<Answer> => service.call('GET', path, { headers: { cookie, 'min-ledger-position': history.position } });
const links = ({ text }: Answer): string[] => [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
const rowsOf = ({ text }: Answer): number => text.split(/<tbody[^>]*>/)[1]?.split(/<tr[^>]*>/).length ?? 1;
/** Creates a charge. Later pages wait until they can show it. */
async function create(merchant: TestMerchant, overrides: object = {}): Promise<any> {
  const { body, headers } = await service.call('POST', '/v1/charges', {
    key: merchant.key,
    body: { ...CHARGE_ORDER, ...overrides },
    headers: newIdempotencyKey(),
  });
  history = { ...history, position: headers.get('ledger-position')! };
  return body;
}

/** Returns the first time of each row. */
const timesOf = ({ text }: Answer): string[] => [...text.matchAll(/<tr[^>]*>.*?<time datetime="([^"]+)"/gs)].map(([, time]) => time!);

function isNewestFirst(answer: Answer): void {
  const times = timesOf(answer);
  expect(times).toEqual(times.toSorted().reverse());
}

/** Reads every page from `path` on by following the pages' own links. @returns the ids in their order */
async function walk(path: string, idOf: RegExp, look: (page: Answer) => void = () => undefined): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await page(next);
    expect([next, answer.status]).toEqual([next, 200]);
    look(answer);
    ids.push(...[...answer.text.matchAll(idOf)].map(([, id]) => id!));
    next = links(answer).find(
      (href) => href.startsWith(path.split('?')[0]!) && answer.text.includes(`rel="next" href="${href.replaceAll('&', '&amp;')}"`),
    );
  }
  return ids;
}

beforeAll(async () => {
  service = await startTestService({ ROLES: 'api,projector' });
  merchants = [await service.newMerchant(), await service.newMerchant({ name: 'Warung Dua' })];
  history = await writeHistory(service, merchants, 1_200, 3);
  const { key } = await newFinanceKey(service);
  finance = key;
  const answer = await service.call('POST', '/console/login', {
    body: new URLSearchParams({ key }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
  });
  cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
});
afterAll(() => service.stop());

/** Appends second payments of paid charges. */
async function payTwice(paid: RandomHistory['events']): Promise<RandomHistory['events']> {
  const { eventStore } = service.stores;
  const added: OrdinalEvent[] = [];
  for (const { stream, data } of paid) {
    const { charge_id, merchant_id, currency, processor } = data as ChargePaid;
    const [newest] = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
    const second = { charge_id, merchant_id, currency, processor, amount: 77_700, payment_reference: 'second', received_on: timestamp(Date.now()) };
    const event = newEvent(
      { type: 'ChargePaymentUnmatched', data: { ...second, reason: 'second-payment' } },
      { ...systemContext(), now: second.received_on },
    );
    const appended = await eventStore.append(stream, newest!.revision, [event]);
    if (!appended.ok) throw new Error('the charge has changed');
    history = { ...history, position: appended.position.toString(36) };
    added.push({ ...newest!, ...event, ordinal: 0 });
  }
  return added;
}

/** Resolves an item as an approved proposal does. */
async function resolve({ id, merchant_id, charge_id, currency, amount }: SuspenseItemDto): Promise<void> {
  if (merchant_id === null) throw new Error('the item is of no merchant');
  const stream = accountStream(merchant_id, currency);
  const [newest] = await service.stores.eventStore.read(stream, { direction: 'backwards', limit: 1 });
  const now = timestamp(Date.now());
  const of = { merchant_id, currency, proposal_id: randomUUID(), kind: 'UNMATCHED_TO_MERCHANT', direction: null, amount } as const;
  const data = { ...of, fee_amount: 0, net_amount: amount, item_id: id, charge_id, relates_to: now.slice(0, 7), adjusted_on: now };
  const appended = await service.stores.eventStore.append(stream, newest ?? 'no-stream', [
    newEvent({ type: 'AccountAdjusted', data }, { ...systemContext(), now }),
  ]);
  if (!appended.ok) throw new Error('the account has changed');
  history = { ...history, position: appended.position.toString(36) };
}

describe('lists of the console', () => {
  const LISTS = [
    ['charges', 'ChargeCreated', /\/history\/charge-([0-9a-f-]{36})"/g],
    ['payouts', 'PayoutRegistered', /\/history\/payout-([0-9a-f-]{36})"/g],
    ['customers', 'CustomerCreated', /\/history\/customer-([0-9a-f-]{36})"/g],
  ] as const;

  it.each(LISTS)('contain all %s of all merchants and of each merchant, the newest first', async (name, type, idOf) => {
    const began = history.events.filter((event) => event.type === type);
    const deleted = new Set(history.events.filter((event) => event.type === 'CustomerDeleted').map(({ stream }) => stream));
    const expected = (merchantId?: string): string[] =>
      began
        .filter(({ stream, metadata }) => !deleted.has(stream) && (merchantId === undefined || metadata.merchant_id === merchantId))
        .map(({ stream }) => stream.slice(-36))
        .toSorted();
    if (name !== 'customers') expect(expected().length).toBeGreaterThan(60);
    // Random histories are not written in the order of their times.
    expect((await walk(`/console/${name}`, idOf, isNewestFirst)).toSorted()).toEqual(expected());
    for (const { merchant_id } of merchants) {
      const found = await walk(`/console/${name}?MerchantId=${merchant_id}`, idOf, isNewestFirst);
      // Random histories register some payouts twice, and others never.
      const requested = history.events.filter((event) => event.type === 'PayoutRequested' && event.metadata.merchant_id === merchant_id);
      const own = name === 'payouts' ? requested.map(({ data }) => (data as PayoutRequested).payout_id) : expected(merchant_id);
      expect(found.toSorted()).toEqual(own.toSorted());
    }
    const file = await page(`/console/${name}.csv`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    const ids = file.text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(ids.toSorted()).toEqual(expected());
  });

  it('each filter selects the same records within a merchant, across merchants and in the file', async () => {
    const one = await create(merchants[0]!, { reference_id: 'Nasi Goreng 12', description: 'meja tujuh' });
    const { merchant_id } = merchants[0]!;
    const today = new Date().toISOString().slice(0, 10);
    const idOf = /\/history\/charge-([0-9a-f-]{36})"/g;
    for (const filter of [
      'SearchText=goreng',
      'SearchText=MEJA%20T',
      `Id=${one.id}`,
      'Status=PENDING',
      'Status=SUCCEEDED&Currency=IDR',
      'ChannelCode=qr_qris&Status=pending',
      `DateFrom=${today}`,
      'DateFrom=2026-01-15',
      'DateFrom=2026-01-01&DateTo=2026-01-31&Status=EXPIRED',
      'DateTo=2020-01-01',
    ]) {
      const within = (await walk(`/console/charges?MerchantId=${merchant_id}&${filter}`, idOf)).toSorted();
      const across = await walk(`/console/charges?${filter}`, idOf);
      const file = await page(`/console/charges.csv?MerchantId=${merchant_id}&${filter}`);
      const lines = file.text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(','));
      expect([filter, lines.map(([id]) => id!).toSorted()]).toEqual([filter, within]);
      const all = await page(`/console/charges.csv?${filter}`);
      expect(
        all.text
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[0]),
      ).toEqual(across);
      expect(within.every((id) => across.includes(id))).toBe(true);
      if (filter !== 'DateTo=2020-01-01') expect(across.length).toBeGreaterThan(0);
    }
    expect(rowsOf(await page(`/console/charges?MerchantId=${randomUUID()}`))).toBe(1);
    expect((await page(`/console/charges?Id=${randomUUID()}`)).text).toContain('No charge matches.');
  });

  it('a filter by time ends the list at its first day, and reads no older record', async () => {
    const { databaseUrl } = service.stores;
    const pool = createPool({ url: databaseUrl, applicationName: 'test' });
    const kind = chargesKind(pool);
    const looks: number[] = [];
    const counted = { ...kind, rowsOf: (began: Parameters<typeof kind.rowsOf>[0]) => (looks.push(began.length), kind.rowsOf(began)) };
    const since = '2999-01-01T00:00:00.000+00:00';
    const of = { mode: 'test', matches: ({ created_on }: { readonly created_on: string }) => created_on >= since } as const;
    expect(await findNewest(pool, counted, { ...of, since }, undefined, 50)).toEqual({ items: [], next_after: null });
    expect(looks).toHaveLength(1);
    expect(await findNewest(pool, counted, of, undefined, 50)).toEqual({ items: [], next_after: null });
    expect(looks.length).toBeGreaterThan(1);
    // Without the filter itself, only the end is seen: ten minutes before the first day, because clocks of writers differ.
    const { items: all } = await findNewest(pool, kind, { mode: 'test' }, undefined, 1_000);
    const end = all[Math.floor(all.length / 2)]!.created_on;
    const newer = all.filter(({ created_on }) => created_on >= end);
    expect([newer.length > 0, newer.length < all.length]).toEqual([true, true]);
    const bounded = { mode: 'test', since: timestamp(Date.parse(end) + 600_000) } as const;
    expect(await findNewest(pool, kind, bounded, undefined, 1_000)).toEqual({ items: newer, next_after: null });
    await pool.end();
    const { text } = await page('/console/charges?DateFrom=2999-01-01');
    expect([text.includes('No charge matches.'), text.includes('Thousands of newer records')]).toEqual([true, false]);
  });

  it('filter settlements by state, and show every event with its type and merchant', async () => {
    const opened = history.events.filter(({ type }) => type === 'SettlementOpened');
    const closed = new Set(history.events.filter(({ type }) => type === 'SettlementClosed').map(({ stream }) => stream));
    const idOf = /\/console\/settlements\/([0-9a-f-]{36})"/g;
    const ids = (events: typeof opened): string[] => events.map(({ data }) => (data as { settlement_id: string }).settlement_id).reverse();
    expect(await walk('/console/settlements', idOf)).toEqual(ids(opened));
    expect(await walk('/console/settlements?State=OPEN', idOf)).toEqual(ids(opened.filter(({ stream }) => !closed.has(stream))));
    const { merchant_id } = merchants[1]!;
    const shown = await walk(`/console/events?Type=ChargePaid&MerchantId=${merchant_id}`, /\/console\/history\/charge-([0-9a-f-]{36})"/g);
    const paid = history.events.filter(({ type, metadata }) => type === 'ChargePaid' && metadata.merchant_id === merchant_id);
    expect(shown).toEqual(paid.map(({ stream }) => stream.slice(-36)).reverse());
    const file = await page(`/console/events.csv?Type=ChargePaid&MerchantId=${merchant_id}`);
    expect(
      file.text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[1]!.slice(-36)),
    ).toEqual(shown);
    const stream = await page('/console/events?Stream=charge-x&Type=ChargePaid');
    expect([stream.status, stream.headers.get('location')]).toEqual([303, '/console/history/charge-x?Type=ChargePaid']);
  });
});

/** Pays a charge of this merchant and requests these refunds in this order. */
async function refund(merchant: TestMerchant, ...amounts: readonly number[]): Promise<{ chargeId: string; ids: string[] }> {
  const { id: chargeId, action } = await create(merchant);
  await service.call('POST', action.simulation_url, { body: { outcome: 'succeed' } });
  const ids: string[] = [];
  for (const amount of amounts) {
    const options = { key: merchant.key, body: { amount }, headers: newIdempotencyKey() };
    const { body, headers } = await service.call('POST', `/v1/charges/${chargeId}/refunds`, options);
    history = { ...history, position: headers.get('ledger-position')! };
    ids.push(body.id);
  }
  return { chargeId, ids };
}

describe('refunds in the console', () => {
  it('lists refunds of all merchants and of each, with every filter, and the same in the file', async () => {
    const [one, two] = [await refund(merchants[0]!, 1_000, 2_000), await refund(merchants[1]!, 3_000)];
    const [first, second] = one.ids as [string, string];
    const cancelled = await service.call('POST', `/v1/refunds/${second}/cancel`, { key: merchants[0]!.key });
    history = { ...history, position: cancelled.headers.get('ledger-position')! };
    const [third] = two.ids as [string];
    for (const [query, expected] of [
      ['', [third, second, first]],
      [`?MerchantId=${merchants[0]!.merchant_id}`, [second, first]],
      ['?Status=cancelled', [second]],
      [`?MerchantId=${merchants[0]!.merchant_id}&Status=PENDING`, [first]],
      [`?ChargeId=${two.chargeId}`, [third]],
      [`?ChargeId=${one.chargeId}&Status=PENDING&Currency=IDR`, [first]],
      ['?Currency=SGD', []],
      ['?DateTo=2020-01-01', []],
    ] as const) {
      const { text } = await page(`/console/refunds${query}`);
      const table = text.slice(text.indexOf('<table'));
      expect([query, expected.filter((id) => !table.includes(id))]).toEqual([query, []]);
      const file = await page(`/console/refunds.csv${query}`);
      const lines = file.text.trim().split('\r\n');
      expect([query, lines.slice(1).map((line) => line.split(',')[0])]).toEqual([query, expected]);
      expect(rowsOf({ text: table } as Answer)).toBe(1 + expected.length);
    }
    expect((await page('/console/refunds?Status=LOST')).status).toBe(400);
  });

  it('a refund that the processor holds for too long is an exception', async () => {
    const { chargeId, ids } = await refund(merchants[0]!, 1_234);
    expect((await page('/console/exceptions')).text).not.toContain(ids[0]);
    const { eventStore } = service.stores;
    const [newest] = await eventStore.read(`charge-${chargeId}`, { direction: 'backwards', limit: 1 });
    const { refund_id, merchant_id, currency, amount, fee_amount, net_amount } = newest!.data as ChargeRefundClaimed;
    const submitted_on = timestamp(Date.now() - 2 * 3_600_000);
    const of = { charge_id: chargeId, merchant_id, currency, refund_id, amount, fee_amount, net_amount };
    const event = newEvent({ type: 'ChargeRefundSubmitted', data: { ...of, submitted_on } }, { ...systemContext(), now: submitted_on });
    const appended = await eventStore.append(`charge-${chargeId}`, newest!.revision, [event]);
    if (!appended.ok) throw new Error('the charge has changed');
    history = { ...history, position: appended.position.toString(36) };
    const { text } = await page('/console/exceptions');
    expect(text.replace(/\s+/g, ' ')).toContain('Refunds long at the processor <small>1</small>');
    expect(text).toContain(ids[0]);
  });
});

/** Opens a dispute of a paid charge of this merchant. */
async function dispute(merchant: TestMerchant, play: object): Promise<{ id: string; chargeId: string }> {
  const { id: chargeId, action } = await create(merchant);
  await service.call('POST', action.simulation_url, { body: { outcome: 'succeed' } });
  const { body, headers } = await service.call('POST', action.simulation_url, { body: { outcome: 'dispute-open', ...play } });
  history = { ...history, position: headers.get('ledger-position')! };
  return { id: body.dispute.id, chargeId };
}

describe('disputes in the console', () => {
  const DAY_SECONDS = 86_400;
  const dayIn = (days: number): string => timestamp(Date.now() + days * DAY_SECONDS * 1_000).slice(0, 10);
  let first: { id: string; chargeId: string };
  let inquiry: typeof first;
  let accepted: typeof first;
  beforeAll(async () => {
    const [one, two] = merchants as [TestMerchant, TestMerchant];
    first = await dispute(one, { due_in_seconds: 2 * DAY_SECONDS });
    inquiry = await dispute(two, { stage: 'INQUIRY', due_in_seconds: 20 * DAY_SECONDS });
    accepted = await dispute(one, { due_in_seconds: DAY_SECONDS });
    const { headers } = await service.call('POST', `/v1/disputes/${accepted.id}/accept`, { key: one.key });
    history = { ...history, position: headers.get('ledger-position')! };
  });

  it('lists disputes of all merchants and of each, with every filter, and the same in the file', async () => {
    for (const [query, expected] of [
      ['', [accepted, inquiry, first]],
      [`?MerchantId=${merchants[0]!.merchant_id}`, [accepted, first]],
      ['?Status=lost', [accepted]],
      [`?MerchantId=${merchants[1]!.merchant_id}&Status=INQUIRY`, [inquiry]],
      [`?ChargeId=${first.chargeId}&Currency=IDR`, [first]],
      [`?DueBefore=${dayIn(3)}`, [first]],
      [`?DueBefore=${dayIn(21)}`, [inquiry, first]],
      [`?MerchantId=${merchants[0]!.merchant_id}&DueBefore=${dayIn(21)}`, [first]],
      ['?Currency=SGD', []],
      ['?DateTo=2020-01-01', []],
    ] as const) {
      const { text } = await page(`/console/disputes${query}`);
      const table = text.slice(text.indexOf('<table'));
      const ids = expected.map(({ id }) => id);
      expect([query, ids.filter((id) => !table.includes(id))]).toEqual([query, []]);
      expect(rowsOf({ text: table } as Answer)).toBe(1 + ids.length);
      const file = await page(`/console/disputes.csv${query}`);
      const rows = file.text.trim().split('\r\n').slice(1);
      expect([query, rows.map((row) => row.split(',')[0])]).toEqual([query, ids]);
    }
    expect((await page('/console/disputes?Status=PENDING')).status).toBe(400);
  });

  it('a dispute that is due soon without an answer is an exception', async () => {
    const { text } = await page('/console/exceptions');
    expect(text.replace(/\s+/g, ' ')).toContain('Disputes due soon <small>1</small>');
    expect(text).toContain(first.id);
    for (const { id } of [inquiry, accepted]) expect(text).not.toContain(id);
  });
});

describe('the exceptions of the console', () => {
  it('contain every late and every unmatched payment, open settlements and debts', async () => {
    const late = history.events.filter(({ type, data }) => type === 'ChargePaid' && (data as { late_after: string | null }).late_after !== null);
    expect(late.length).toBeGreaterThan(0);
    const unmatched = [...history.events.filter(({ type }) => type === 'ChargePaymentUnmatched'), ...(await payTwice(late.slice(0, 2)))];
    const { text } = await page('/console/exceptions');
    expect(text.replace(/\s+/g, ' ')).toContain(`Late payments <small>${late.length}</small>`);
    expect(text.replace(/\s+/g, ' ')).toContain(`Unmatched payments <small>${unmatched.length}</small>`);
    const idOf = /\/console\/history\/charge-([0-9a-f-]{36})"/g;
    for (const [kind, payments] of [
      ['late', late],
      ['unmatched', unmatched],
    ] as const) {
      const found = await walk(`/console/payments?Kind=${kind}`, idOf, isNewestFirst);
      expect(found.toSorted()).toEqual(payments.map(({ stream }) => stream.slice(-36)).toSorted());
    }
    const file = await page(`/console/payments.csv?MerchantId=${merchants[0]!.merchant_id}`);
    const own = [...late, ...unmatched].filter(({ metadata }) => metadata.merchant_id === merchants[0]!.merchant_id);
    expect(file.text.trim().split('\r\n')).toHaveLength(1 + own.length);
    const overview = await page('/console');
    expect(overview.text).toContain(`Unmatched payments: ${unmatched.length}`);
    // A resolved item no longer needs attention.
    const [first, ...left] = (await service.call('GET', '/audit/suspense?Limit=1000', { key: finance })).body.items;
    expect(left).toHaveLength(unmatched.length - 1);
    await resolve(first);
    expect((await page('/console/exceptions')).text.replace(/\s+/g, ' ')).toContain(`Unmatched payments <small>${left.length}</small>`);
    const idOfItem = /\/console\/suspense\/([0-9a-f-]{36})"/g;
    expect(await walk('/console/suspense', idOfItem)).toEqual(left.map(({ id }: any) => id));
    expect(await walk('/console/suspense?Order=newest', idOfItem)).toEqual(left.map(({ id }: any) => id).reverse());
    expect((await page('/console/suspense?Status=ALL')).text).toContain('given to the merchant');
    expect((await page('/console/suspense.csv')).text.trim().split('\r\n')).toHaveLength(1 + left.length);
    const settled = new Set(
      history.events
        .filter(({ type }) => type === 'FundsSettled')
        .map(({ data }) => data as { merchant_id: string; currency: string; settlement_number: number })
        .map(({ merchant_id, currency, settlement_number }) => `settlement-${merchant_id}-${currency}-${settlement_number}`),
    );
    const open = history.events.filter(({ type, stream }) => type === 'SettlementOpened' && !settled.has(stream));
    for (const { data } of open.slice(0, 20)) expect(text).toContain(`/console/settlements/${(data as { settlement_id: string }).settlement_id}`);
    const balances = (await Promise.all(merchants.map(({ key }) => service.call('GET', '/v1/balances', { key })))).flatMap(({ body }) => body);
    const owed = balances.filter(({ available_amount }) => available_amount < 0);
    expect([...text.matchAll(/class="money owed" value="(-\d+)"/g)].map(([, value]) => Number(value)).toSorted()).toEqual(
      owed.map(({ available_amount }) => available_amount).toSorted(),
    );
  });
});

describe('heads of tables that order their list', () => {
  /** Each head with a link: its title, its direction, and its address. */
  const headsOf = (text: string) =>
    [...text.matchAll(/<th scope="col"[^>]*?(?: aria-sort="(\w+)")?>\s*<a href="([^"]+)">([^<]+)<\/a>/g)].map(([, is, address, title]) => ({
      ...{ title, is, address: address!.replaceAll('&amp;', '&') },
    }));

  it('a merchant’s charges are ordered by each head, and keep their filters', async () => {
    const { merchant_id } = merchants[0]!;
    const { text } = await page(`/console/charges?MerchantId=${merchant_id}&Currency=IDR`);
    const heads = headsOf(text);
    expect(heads.map(({ title, is }) => [title, is])).toEqual([
      ['Amount', undefined],
      ['Status', undefined],
      ['Created (UTC)', 'descending'],
    ]);
    const sorted = (await page(heads[0]!.address)).text;
    expect(headsOf(sorted).map(({ is }) => is)).toEqual(['descending', undefined, undefined]);
    const amounts = [...sorted.matchAll(/<td class="figure"[^>]*data-title="Amount">\s*<data[^>]*value="(\d+)"/g)].map(([, amount]) =>
      Number(amount),
    );
    expect(amounts.length).toBeGreaterThan(10);
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
    expect(sorted).toContain('Charges, by amount, the highest first');
    expect(sorted).not.toMatch(/>RM /);
    expect(headsOf((await page('/console/charges')).text)).toEqual([]);
  });

  it.each(['journal', 'suspense?Status=ALL'])('the time of %s turns its order round, twice back to the first', async (list) => {
    const rows = async (address: string) =>
      [...(await page(address)).text.matchAll(/<th scope="row"[^>]*>\s*<a href="([^"]+)"/g)].map(([, to]) => to);
    const [first] = headsOf((await page(`/console/${list}`)).text);
    const [second] = headsOf((await page(first!.address)).text);
    expect([first!.is, second!.is].toSorted()).toEqual(['ascending', 'descending']);
    expect(await rows(second!.address)).toEqual(await rows(`/console/${list}`));
    expect(await rows(first!.address)).not.toEqual(await rows(second!.address));
  });
});

describe('the page of a charge', () => {
  it('begins with the details of the charge, each moment in UTC and in the merchant’s time zone', async () => {
    const { id, code, created_on } = await create(merchants[0]!, { reference_id: 'INV-1', amount: 12_345 });
    const { text } = await page(`/console/history/charge-${id}`);
    expect(text).toMatch(/<h1><bdi>Charge of Rp\s123,45<\/bdi><\/h1>/);
    expect(text).toContain(`<code>${code}</code> of `);
    const details = /<dl class="facts">.*?<\/dl>/s.exec(text)![0];
    for (const detail of ['PENDING', 'INV-1', 'value="12345"', 'QR_QRIS', `datetime="${created_on}"`, ' WIB']) expect(details).toContain(detail);
  });
});

describe('the sums below a list of a merchant', () => {
  /** Random histories register some payouts twice, and others never: the file of the console, which lists registrations, is not that of their list. */
  const fileOf = async (list: string, query: string): Promise<string> =>
    list === 'payouts'
      ? (await service.call('GET', `/audit/payouts${query}`, { key: finance, headers: { accept: 'text/csv' } })).text
      : (await page(`/console/${list}.csv${query}`)).text;
  const DATES = ['&DateFrom=2020-01-01', '&DateTo=2020-01-01'];

  it.each(['charges', 'refunds', 'disputes', 'payouts', 'settlements'])('those of %s are the sums of the file, with every filter', async (list) => {
    let added = 0;
    for (const { merchant_id } of merchants)
      for (const filter of ['', '&Currency=IDR', '&Currency=SGD', '&Status=SUCCEEDED', ...(list === 'payouts' ? [] : DATES)]) {
        const query = `?MerchantId=${merchant_id}${filter}`;
        const shown = await page(`/console/${list}${query}`);
        if (shown.status === 400) continue;
        const file: Readonly<Record<string, string>>[] = parse(await fileOf(list, query), { columns: true });
        const sums = new Map<string, bigint>();
        for (const { currency, amount, net_amount } of file)
          sums.set(currency!, (sums.get(currency!) ?? 0n) + BigInt((list === 'settlements' ? net_amount : amount)!));
        const written = [...sums].sort().map(([each, sum]) => formatAmount(sum, each));
        const below = /<p class="sums">[^]*?<\/p>/.exec(shown.text)?.[0] ?? '';
        expect([query, [...below.matchAll(/<data[^>]*>([^<]*)</g)].map(([, text]) => text)]).toEqual([query, written]);
        added += sums.size;
      }
    expect(added).toBeGreaterThan(1);
  });
});

describe('records that reach the log late', () => {
  const HOUR_MS = 3_600_000;

  async function append(stream: string, expected: 'no-stream' | number, event: Parameters<typeof newEvent>[0]): Promise<void> {
    const appended = await service.stores.eventStore.append(stream, expected, [newEvent(event, { ...systemContext(), now: timestamp(Date.now()) })]);
    if (!appended.ok) throw new Error('the stream has changed');
    history = { ...history, position: appended.position.toString(36) };
  }

  it('a charge is listed by its own time of creation', async () => {
    const { id } = await create(merchants[0]!);
    const [created] = await service.stores.eventStore.read(`charge-${id}`, { limit: 1 });
    const data = created!.data as ChargeCreated;
    const earlier = { ...data, charge_id: randomUUID(), code: 'CHG_0000000000000000', created_on: timestamp(Date.parse(data.created_on) - 10) };
    await append(`charge-${earlier.charge_id}`, 'no-stream', { type: 'ChargeCreated', data: earlier });
    const first = await page('/console/charges');
    isNewestFirst(first);
    const times = timesOf(first);
    expect(times.indexOf(earlier.created_on)).toBe(times.indexOf(data.created_on) + 1);
  });

  it('a payment is listed by its time of receipt, on any page', async () => {
    const paid = history.events.find(({ type, data }) => type === 'ChargePaid' && (data as { late_after: string | null }).late_after !== null)!;
    const [newest] = await service.stores.eventStore.read(paid.stream, { direction: 'backwards', limit: 1 });
    const { charge_id, merchant_id, currency, processor } = paid.data as ChargePaid;
    const idOf = /<time datetime="([^"]+)"/g;
    const before = await walk('/console/payments', idOf);
    const oldest = before.toSorted()[0]!;
    const received_on = timestamp(Date.parse(oldest) - HOUR_MS);
    const payment = { charge_id, merchant_id, currency, processor, amount: 77_700, payment_reference: 'third', received_on };
    await append(paid.stream, newest!.revision, { type: 'ChargePaymentUnmatched', data: { ...payment, reason: 'second-payment' } });
    const times = await walk('/console/payments', idOf);
    expect(times).toEqual([...before.toSorted().reverse(), received_on]);
  });
});
