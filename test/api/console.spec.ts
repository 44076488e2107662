import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { readConfig } from '../../src/app/config.js';
import { loadEncryptionKey } from '../../src/app/encryption-key.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { statementToken } from '../../src/domain/balances/statement-link.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { makeKey } from '../../src/platform/auth/api-key.js';
import { ChainEnd } from '../../src/transparency-log/chain.js';
import { ChainSigner } from '../../src/transparency-log/chain-keys.js';
import type { RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { revokeKey } from '../../src/domain/merchants/merchant.commands.js';
import { switchOperator } from '../../src/domain/operators/operator.commands.js';
import { timestamp } from '../../src/ledger/time.js';
import { formatAmount } from '../../src/platform/text/format.js';
import { eventually, within } from '../support/eventually.js';
import { newFinanceKey, newOperator, writeHistory, type RandomHistory } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const HOSTILE = `<script>alert(1)</script>"'\`&\u202Egnp.exe`;

let service: TestService;
let merchants: TestMerchant[];
let history: RandomHistory;
let financeKey: { key: string; key_id: string };
let cookie: string;

const ENCRYPTION_KEY = Buffer.alloc(32, 3).toString('base64');
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const own = (): Record<string, string> => ({ ...FORM, origin: service.url });

const signIn = (key: string, headers: Record<string, string> = own()): Promise<Answer> =>
  service.call('POST', '/console/login', { body: new URLSearchParams({ key }).toString(), headers });
const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')!.split(';')[0]!;
const page = (path: string, session = cookie): Promise<Answer> =>
  service.call('GET', path, { headers: { cookie: session, 'min-ledger-position': history.position } });
const links = ({ text }: Answer): string[] => [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

beforeAll(async () => {
  // Without a worker only the history's events happen.
  service = await startTestService({ ROLES: 'api,projector', ENCRYPTION_KEY });
  merchants = [await service.newMerchant(), await service.newMerchant({ name: HOSTILE })];
  financeKey = await newFinanceKey(service);
  history = await writeHistory(service, merchants, 200, 11);
  cookie = cookieOf(await signIn(financeKey.key));
});
afterAll(() => service.stop());

describe('the session of the console', () => {
  it('opens with a finance key, in a cookie that scripts and other sites do not get', async () => {
    const answer = await signIn(financeKey.key);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/console');
    const cookies = answer.headers.getSetCookie();
    for (const [index, path] of ['/console', '/at'].entries()) {
      const attributes = `; Max-Age=28800; Path=${path}; HttpOnly; SameSite=Strict`;
      expect(cookies[index]).toMatch(new RegExp(`^chargebook_console=[\\w-]+\\.\\d+\\.[0-9a-f]{16}\\.[\\w%]{43,}${attributes}$`));
    }
    expect(cookies).toHaveLength(2);
    expect(answer.headers.get('set-cookie')).not.toContain(financeKey.key);
    expect((await page('/console')).status).toBe(200);
  });

  it('a request without a session is redirected to the sign-in before its body is read', async () => {
    const body = '{"no JSON';
    const answer = await service.call('POST', '/console/chain/verify', { body, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/login']);
  });

  it('invalid keys return 401 with the reason, without a cookie, and never repeat the key', async () => {
    const expired = await newFinanceKey(service, timestamp(Date.now() + 1_000));
    // The key expires by the clock of the service, which follows the database: on a busy machine it may be behind ours.
    await eventually(async () => (await signIn(expired.key)).status === 401);
    const unknown = 'The key is unknown, expired or revoked.';
    for (const [key, said] of [
      [makeKey('fk_'), unknown],
      [expired.key, unknown],
      [
        merchants[0]!.key,
        'The console does not accept a merchant’s key. Use a finance key, which begins with fk_, or your own key, which begins with ok_.',
      ],
      [`${financeKey.key.slice(0, -1)}`, 'This is not a key of this service: it may be mistyped or truncated.'],
      ['', 'This is not a key of this service: it may be mistyped or truncated.'],
      [HOSTILE, 'This is not a key of this service: it may be mistyped or truncated.'],
    ] as const) {
      const answer = await signIn(key);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
      expect(/role="alert"[^>]*>\s*([^<]*?)\s*</.exec(answer.text)?.[1]).toBe(said);
      if (key !== '') expect(answer.text).not.toContain(key);
    }
    expect((await service.call('POST', '/console/login', { body: { key: 1 }, headers: { origin: service.url } })).status).toBe(401);
  });

  it('every page without a session leads to the sign-in, the unknown ones too', async () => {
    const { merchant_id } = merchants[0]!;
    const paths = [
      '',
      '/journal',
      '/journal.csv',
      '/trial-balance',
      '/trial-balance.csv',
      '/cash-forecast',
      '/cash-forecast.csv',
      '/charge-days.csv',
      '/journal-days.csv',
      '/merchants',
      '/merchants.csv',
      `/merchants/${merchant_id}`,
      `/merchants/${merchant_id}/balances/IDR/forecast`,
      '/settlements',
      '/exceptions',
      '/rails',
      '/calendar',
      '/moments',
      '/people',
    ];
    for (const list of ['charges', 'refunds', 'disputes', 'payouts', 'customers', 'events', 'payments', 'deliveries'])
      paths.push(`/${list}`, `/${list}.csv`);
    for (const path of [
      ...paths,
      '/settlements.csv',
      `/settlements/${randomUUID()}`,
      `/history/merchant-${merchant_id}`,
      '/events/1',
      '/nowhere/at/all',
    ]) {
      for (const session of ['', 'chargebook_console=', `${cookie}x`, cookie.replace(/\.\d+\./, '.99999999999.'), `${cookie.slice(0, -44)}.`]) {
        const answer = await page(`/console${path}`, session);
        expect([path, answer.status, answer.headers.get('location'), answer.text]).toEqual([path, 303, '/console/login', '']);
      }
    }
    expect((await service.call('GET', '/console', { key: financeKey.key })).status).toBe(303);
    expect((await page('/audit/journal')).status).toBe(401);
    expect((await page('/console/nowhere/at/all')).status).toBe(404);
  });

  it('accepts forms of the console only', async () => {
    for (const headers of [FORM, { ...FORM, origin: 'https://evil.example' }, { ...FORM, origin: 'null' }]) {
      expect((await signIn(financeKey.key, headers)).status).toBe(403);
      expect((await service.call('POST', '/console/logout', { body: '', headers: { ...headers, cookie } })).status).toBe(403);
    }
  });

  it('ends immediately when the key is revoked', async () => {
    const other = await newFinanceKey(service);
    const session = cookieOf(await signIn(other.key));
    expect((await page('/console', session)).status).toBe(200);
    await revokeKey(service.deps, { kind: 'finance' }, other.key_id);
    await within(1_000, () => eventually(async () => (await page('/console', session)).status === 303));
    expect((await signIn(other.key)).status).toBe(401);
  });

  it('opens with a person’s own key, shows the person’s name, and ends when the person is suspended', async () => {
    const { key, person_id } = await newOperator(service, HOSTILE, ['approver']);
    const session = cookieOf(await signIn(key));
    const people = await page('/console/people', session);
    expect([people.status, people.text.includes(HOSTILE)]).toEqual([200, false]);
    expect(people.text).toContain('viewer, approver');
    expect(people.text).toMatch(/<code>key_[0-9a-f]{20}<\/code>\s*<time datetime="\d{4}-/);
    expect(people.text).toMatch(/<code>cli:budi<\/code>[\s\S]*joins the desk/);
    expect(people.text).toMatch(/title="The key that this session was opened with">[^<]*&lt;script&gt;/);
    await switchOperator(service.deps, person_id, 'suspend', 'on leave');
    await within(1_000, () => eventually(async () => (await page('/console', session)).status === 303));
    expect((await signIn(key)).text).toContain('The key is unknown, expired or revoked.');
    const { text } = await page('/console/people');
    expect(text).toContain('SUSPENDED');
    expect(text).not.toMatch(/<code>key_/);
  });

  it('ends with signing out, which deletes its cookie', async () => {
    const answer = await service.call('POST', '/console/logout', { body: '', headers: { ...own(), cookie } });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/login']);
    expect(answer.headers.get('set-cookie')).toMatch(/^chargebook_console=; Max-Age=0; Path=\/console; Expires=Thu, 01 Jan 1970/);
  });
});

describe('the pages of the console', () => {
  it('the policy permits no resources, scripts, frames and forms of other origins', async () => {
    const { headers, text } = await page('/console');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'none'; connect-src 'none'; img-src 'self'; form-action 'self';/,
    );
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(text).not.toMatch(/<script| style=|https?:/);
  });

  it('show the trial balance to the minor unit', async () => {
    const { text } = await page('/console/trial-balance');
    const audit = await service.call('GET', '/audit/trial-balance', { key: financeKey.key });
    for (const { currency, total_debit, accounts } of audit.body.currencies) {
      const section = new RegExp(`<section aria-label="${currency}">.*?</section>`, 's').exec(text)![0];
      expect(section).toContain('Debits equal credits to the minor unit');
      expect(section).toContain(`value="${total_debit}"`);
      for (const account of ['pending', 'available', 'reserved']) {
        const all = accounts.filter((each: any) => each.account === account).reduce((sum: number, { balance }: any) => sum + balance, 0);
        expect(section).toContain(`<data class="money" value="${all}"`);
      }
    }
  });

  it('each figure of the trial balance leads to the lines that add up to it, now and at a past day', async () => {
    for (const asOf of ['', '?AsOf=2026-01-31']) {
      const { text } = await page(`/console/trial-balance${asOf}`);
      const figures = [...text.matchAll(/<a href="([^"]*[?&]amp;Account=[^"]*|[^"]*\?Account=[^"]*)"\s*><data class="money"\s+value="(-?\d+)"/g)];
      expect(figures.length).toBeGreaterThan(20);
      for (const [, href = '', figure = ''] of figures) {
        const address = href.replaceAll('&amp;', '&');
        const journal = await page(address);
        const values = [...journal.text.matchAll(/<data class="money" value="(-?\d+)"/g)].map(([, value]) => value!);
        const [opening, debits, credits, closing] = values;
        const tiles = /<dt>Opening balance.*?<dt>Debits.*?<dt>Credits.*?<dt>Closing balance/s.test(journal.text);
        expect([address, tiles, opening, closing]).toEqual([address, true, '0', figure]);
        const csv = await page(links(journal).find((each) => each.includes('journal.csv'))!);
        const [header = '', ...rows] = csv.text
          .trimEnd()
          .split('\r\n')
          .map((row) => row.split(','));
        const sum = (name: string): string => `${rows.reduce((total, row) => total + BigInt(row[header.indexOf(name)] ?? 0), 0n)}`;
        expect([address, sum('debit'), sum('credit')]).toEqual([address, debits, credits]);
        if (rows[0]) expect([address, rows[0][header.indexOf('running_balance')]]).toEqual([address, figure]);
      }
    }
  });

  it('lead to every line of the journal, a page at a time, in both directions', async () => {
    const audit = await service.call('GET', '/audit/journal', { key: financeKey.key, headers: { accept: 'application/x-ndjson' } });
    const all = audit.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(all.length).toBeGreaterThan(100);
    for (const order of ['oldest', 'newest']) {
      const seen: string[] = [];
      for (let next: string | undefined = `/console/journal?Order=${order}`; next !== undefined;) {
        const answer: Answer = await page(next);
        expect(answer.status).toBe(200);
        seen.push(
          ...[...answer.text.matchAll(/\/console\/events\/(\d+)">\d+<\/a\s*><span class="line">\s*line (\d+)/g)].map(
            ([, at, line]) => `${at}-${line}`,
          ),
        );
        next = links(answer).find((href) => href.includes('After='));
      }
      const positions = [...new Set(all.map(({ position }) => position))];
      if (order === 'newest') positions.reverse();
      const expected = positions.flatMap((at) => all.filter(({ position }) => position === at).map(({ line }) => `${at}-${line}`));
      expect(seen).toEqual(expected);
    }
  });

  it('link a line to its event, its record and back, with no link to a missing page', async () => {
    const walked = new Set<string>();
    const todo = ['/console', '/console/trial-balance'];
    while (todo.length > 0 && walked.size < 120) {
      const path = todo.shift()!;
      if (walked.has(path)) continue;
      walked.add(path);
      const answer = await page(path);
      expect([path, answer.status]).toEqual([path, 200]);
      if (!answer.headers.get('content-type')!.startsWith('text/html')) continue;
      expect(answer.text).not.toContain('<script');
      const [alike, others] = [/\/events\/\d+$|[?&](?:Account|DateFrom)=/, links(answer).filter((href) => href.startsWith('/console'))];
      todo.push(...others.filter((href) => !alike.test(href)), ...others.filter((href) => alike.test(href)).slice(0, 3));
    }
    for (const part of [
      '/console/merchants/',
      '/console/journal?',
      '/console/events/',
      '/console/history/account-',
      '/console/settlements/',
      '.csv',
    ]) {
      expect([...walked].some((path) => path.includes(part))).toBe(true);
    }
  });

  it('link to the history of accounts without movements, and from the newest event to none', async () => {
    const [newest] = links(await page('/console/events')).filter((href) => /\/events\/\d+$/.test(href));
    expect((await page(newest!)).text).not.toContain('rel="next"');
    const { merchant_id } = await service.newMerchant();
    const histories = links(await page(`/console/merchants/${merchant_id}`)).filter((href) => href.includes('/history/account-'));
    expect(histories).toHaveLength(3);
    for (const path of histories) {
      const answer = await page(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.text).toContain('There is no event yet.');
    }
    for (const account of [`${merchant_id}-USD`, `${randomUUID()}-IDR`]) expect((await page(`/console/history/account-${account}`)).status).toBe(404);
  });

  it('fold only accounts without movements', async () => {
    const { text } = await page('/console/trial-balance');
    const audit = await service.call('GET', '/audit/trial-balance', { key: financeKey.key });
    const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();
    for (const { currency, accounts } of audit.body.currencies) {
      const section = new RegExp(`<section aria-label="${currency}">.*?</section>`, 's').exec(text)![0];
      const [, shown, folded = ''] = /(<table>.*?<\/table>)(?:.*?<details>(.*?)<\/details>)?/s.exec(section)!;
      const namesIn = (markup: string): string[] =>
        sorted([...markup.matchAll(/<th scope="row"[^>]*>\s*<a[^>]*><span[^>]*>(\w+)</g)].map(([, name]) => name!));
      const moved = sorted(accounts.filter(({ debit, credit }: any) => debit > 0 || credit > 0).map(({ account }: any) => account));
      expect(moved.length).toBeGreaterThan(3);
      expect(namesIn(shown!)).toEqual(moved);
      expect(namesIn(folded)).toEqual(expect.arrayContaining(['costs', 'equity', 'losses', 'tax']));
      expect(namesIn(folded).filter((name) => moved.includes(name))).toEqual([]);
    }
  });

  it('show the alarms of the process that serves them', async () => {
    const title = 'Alarms of the service';
    expect((await page('/console')).text).not.toContain(title);
    // Stops with the service.
    const late = await service.another(() => Date.now() - 60_000);
    const sent = { body: new URLSearchParams({ key: financeKey.key }).toString(), headers: { ...FORM, origin: late.url } };
    const session = cookieOf(await service.call('POST', `${late.url}/console/login`, sent));
    const from = async (path: string): Promise<string> => (await service.call('GET', late.url + path, { headers: { cookie: session } })).text;
    expect(await from('/console')).toContain(`${title}: 1`);
    expect(await from('/console/exceptions')).toMatch(/behind the database’s by \d+ seconds/);
  });

  it('show the history of a record, without keys and personal data', async () => {
    const payout = history.events.find(({ type }) => type === 'PayoutRequested')!;
    const { bank_account_name, bank_account_number } = payout.data as { bank_account_name: string; bank_account_number: string };
    const position =
      history.events.indexOf(payout) +
      1 +
      (await service.call('GET', '/audit/events?Limit=1000', { key: financeKey.key })).body.items.findIndex(
        ({ id }: any) => id === history.events[0]!.id,
      );
    for (const path of [
      `/console/history/${payout.stream}`,
      `/console/events/${position}`,
      `/console/history/merchant-${merchants[0]!.merchant_id}`,
    ]) {
      const { status, text } = await page(path);
      expect(status).toBe(200);
      expect(text).toContain('[sealed]');
      expect(text).not.toContain(bank_account_name);
      expect(text).not.toContain(bank_account_number);
      expect(text).not.toMatch(/[0-9a-f]{64}/);
    }
  });

  it('escape texts of merchants', async () => {
    const { merchant_id, key } = merchants[1]!;
    const created = await service.call('POST', '/v1/charges', {
      key,
      body: { ...CHARGE_ORDER, reference_id: HOSTILE, description: HOSTILE, metadata: { [HOSTILE.slice(0, 30)]: HOSTILE } },
      headers: newIdempotencyKey(),
    });
    expect(created.status).toBe(200);
    for (const path of ['/console/merchants', `/console/merchants/${merchant_id}`, `/console/history/charge-${created.body.id}`]) {
      const { status, text } = await page(path);
      expect(status).toBe(200);
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(text).not.toContain('<script');
      expect(text.slice(0, text.indexOf('</title>'))).not.toMatch(/\u202e/);
      expect(text.replace(/<code>.*?<\/code>/gs, '')).not.toMatch(/\u202e/);
    }
  });

  it('reject unknown parameters, values and records with a message in words', async () => {
    for (const [path, status, said] of [
      ['/console/journal?Currency=ABC', 400, 'Currency'],
      ['/console/journal?Colour=red', 400, 'Colour'],
      ['/console/journal?DateFrom=2026-02-30', 400, 'There is no such day.'],
      ['/console/settlements?Before=0', 400, 'Before'],
      ['/console/charges?MerchantId=me', 400, 'MerchantId'],
      ['/console/charges?Status=PAID', 400, 'Status'],
      ['/console/deliveries.csv', 400, 'Choose a merchant.'],
      [`/console/deliveries?MerchantId=${randomUUID()}&After=${randomUUID()}`, 400, 'There is no such delivery.'],
      [`/console/merchants/${randomUUID()}`, 404, 'There is no such record.'],
      ['/console/merchants/me', 404, 'There is no such record.'],
      ['/console/events/0', 404, 'There is no such record.'],
      ['/console/events/999999999', 404, 'There is no such record.'],
      ['/console/history/charge-nobody', 404, 'There is no such record.'],
    ] as const) {
      const answer = await page(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, status, 'text/html; charset=utf-8']);
      expect(answer.text).toContain(said);
    }
    expect((await page('/console/journal?Currency=&MerchantId=&DateFrom=')).status).toBe(200);
  });

  it('offer the same files as /audit', async () => {
    for (const name of ['journal', 'settlements', 'merchants', 'trial-balance']) {
      const file = await page(`/console/${name}.csv${name === 'journal' ? '?Order=oldest' : ''}`);
      const audit = await service.call('GET', `/audit/${name}`, { key: financeKey.key, headers: { accept: 'text/csv' } });
      expect([name, file.status, file.headers.get('content-disposition')]).toEqual([name, 200, `attachment; filename="${name}.csv"`]);
      const lines = ({ text }: Answer): string[] => (name === 'settlements' ? text.split('\r\n').sort() : [text]);
      expect(lines(file)).toEqual(lines(audit));
    }
  });

  it('the page of a payout shows the steps of its life, the settlements that paid for it, and every event about it', async () => {
    const read = async (path: string) => (await service.call('GET', `/audit/payouts${path}`, { key: financeKey.key })).body;
    const sent = ['done Requested', 'done Sent to the bank'];
    const lives: Readonly<Record<string, readonly string[]>> = {
      PENDING: ['done Requested', 'expected Sent to the bank', 'expected Paid'],
      PROCESSING: [...sent, 'expected Paid'],
      SUCCEEDED: [...sent, 'done Paid'],
      FAILED: [...sent, 'bad Failed'],
      CANCELLED: ['done Requested', 'done Cancelled'],
      returned: [...sent, 'done Paid', 'bad Returned by the bank', 'expected Available again'],
      REVERSED: [...sent, 'done Paid', 'bad Returned by the bank', 'done Available again'],
    };
    const seen = new Set<string>();
    for (const { id, payout_status, net_amount, currency } of (await read('?Limit=1000')).items) {
      const { items: events } = await read(`/${id}/events`);
      const stage = payout_status === 'SUCCEEDED' && events.some(({ type }: any) => type === 'PayoutReturned') ? 'returned' : payout_status;
      if (seen.has(stage)) continue;
      seen.add(stage);
      const { text } = await page(`/console/history/payout-${id}`);
      const steps = [...text.matchAll(/<li class="(done|expected|bad)">\s*<strong>([^<]+)/g)].map(([, kind, name]) => `${kind} ${name}`);
      expect([payout_status, steps.filter((step) => !step.endsWith('Approved'))]).toEqual([payout_status, lives[stage]]);
      expect(text).toContain(`<h1><bdi>Payout of ${formatAmount(net_amount, currency)}</bdi></h1>`);
      for (const { position } of events) expect(text).toContain(`href="/console/events/${position}"`);
      expect(text.match(/<article aria-labelledby="event-/g)).toHaveLength(events.length);
      const { items: funding } = await read(`/${id}/funding`);
      const used = [...(/<section aria-labelledby="from">.*?<\/section>/s.exec(text)?.[0] ?? '').matchAll(/<data class="money" value="(\d+)"/g)];
      expect(used.map(([, value]) => Number(value))).toEqual(funding.flatMap((part: any) => [part.net_amount, part.used_amount]));
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining(['CANCELLED', 'FAILED', 'REVERSED']));
  });

  it('the page of a charge shows the steps of its life, up to the payouts of its settlement, and where its money went', async () => {
    const read = async (path: string) => (await service.call('GET', path, { key: financeKey.key })).body;
    const paid = ['done Created', 'done Paid'];
    const lives: Readonly<Record<string, readonly string[]>> = {
      'PENDING UNKNOWN': ['done Created', 'expected Paid'],
      'FAILED UNKNOWN': ['done Created', 'bad Failed'],
      'EXPIRED UNKNOWN': ['done Created', 'done Expired'],
      'CANCELLED UNKNOWN': ['done Created', 'done Cancelled'],
      'SUCCEEDED PENDING': [...paid, 'expected Settled', 'expected Paid out'],
      'SUCCEEDED PROCESSING': [...paid, 'expected Settled', 'expected Paid out'],
      'SUCCEEDED SETTLED': [...paid, 'done Settled'],
      'SUCCEEDED REVERSED': [...paid, 'bad Reversed'],
    };
    // The payouts of each settlement, and the settlements of which each charge is a line.
    const payoutsOf = new Map<string, string[]>();
    for (const { id, payout_status } of (await read('/audit/payouts?Limit=1000')).items) {
      if (payout_status !== 'SUCCEEDED' && payout_status !== 'REVERSED') continue;
      for (const { settlement_id } of (await read(`/audit/payouts/${id}/funding?Limit=1000`)).items)
        payoutsOf.set(settlement_id, [...(payoutsOf.get(settlement_id) ?? []), id]);
    }
    const settlementOf = new Map<string, string>();
    for (const { data } of history.events.filter(({ type }) => type === 'ChargeSettlementClaimed')) {
      const { charge_id, merchant_id, currency, settlement_number: number } = data as Readonly<Record<string, string>>;
      const opened = history.events.find(
        ({ type, stream }) => type === 'SettlementOpened' && stream === `settlement-${merchant_id}-${currency}-${number}`,
      )!;
      settlementOf.set(charge_id!, (opened.data as { settlement_id: string }).settlement_id);
    }
    const seen = new Map<string, number>();
    for (const { key } of merchants) {
      for (const charge of (await service.call('GET', '/v1/charges?PageSize=100', { key })).body.items) {
        const { id, status, settlement_status, amount, net_amount, currency } = charge;
        const state = `${status} ${settlement_status}`;
        seen.set(state, (seen.get(state) ?? 0) + 1);
        if (seen.get(state)! > (settlement_status === 'SETTLED' ? 25 : 3)) continue;
        const { text } = await page(`/console/history/charge-${id}`);
        expect(text).toContain(`<h1><bdi>Charge of ${formatAmount(amount, currency)}</bdi></h1>`);
        const life = /<ol class="life".*?<\/ol>/s.exec(text)![0];
        const steps = [...life.matchAll(/<li class="(done|expected|bad)">\s*<strong>([^<]+)/g)].map(([, kind, name]) => `${kind} ${name}`);
        const expected = lives[state]!;
        expect([id, state, steps.slice(0, expected.length)]).toEqual([id, state, [...expected]]);
        const flow = [...(/<ol class="flow".*?<\/ol>/s.exec(text)?.[0] ?? '').matchAll(/value="(\d+)"/g)].map(([, value]) => Number(value));
        expect([id, flow.slice(0, 3)]).toEqual([id, status === 'SUCCEEDED' ? [amount, amount - net_amount, net_amount] : []]);
        if (settlement_status !== 'SETTLED') continue;
        const payouts = [...life.matchAll(/history\/payout-([0-9a-f-]{36})"/g)].map(([, payout]) => payout!);
        expect([id, payouts.sort()]).toEqual([id, (payoutsOf.get(settlementOf.get(id)!) ?? []).sort()]);
        if (steps.includes('done Paid out')) expect(payouts.length).toBeGreaterThan(0);
        seen.set(steps.at(-1)!, 1);
      }
    }
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining(['PENDING UNKNOWN', 'FAILED UNKNOWN', 'SUCCEEDED PENDING', 'SUCCEEDED SETTLED', 'done Paid out', 'expected Paid out']),
    );
  });

  it('the page of a settlement shows its steps, and sums by kind that equal its lines and /audit', async () => {
    const read = async (path: string) => (await service.call('GET', path, { key: financeKey.key })).body;
    const numbers = (markup: string): number[] => [...markup.matchAll(/<data class="money"[^>]*value="(-?\d+)"/g)].map(([, value]) => Number(value));
    const seen = new Set<string>();
    for (const { id } of (await read('/audit/settlements?Limit=30')).items) {
      const { totals, lines, settled_on } = await read(`/audit/settlements/${id}`);
      const { text } = await page(`/console/settlements/${id}`);
      const tableOf = (caption: string): string[] => {
        const [, rows = ''] = new RegExp(`<caption>\\s*${caption}.*?<tbody>(.*?)</tbody>`, 's').exec(text)!;
        return [...rows.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row);
      };
      const [kinds, all] = [tableOf('Sums by kind'), tableOf('Lines of settlement')];
      expect([id, all.map((row) => numbers(row).at(-1))]).toEqual([id, lines.map(({ net_amount }: any) => net_amount)]);
      for (const row of all) expect(numbers(row)[0]).toBe(numbers(row)[1]! + numbers(row)[2]!);
      const sumOf = (rows: readonly string[]) => [0, 1, 2].map((at) => rows.reduce((sum, row) => sum + numbers(row)[at]!, 0));
      const tiles = numbers(/<dl class="tiles">.*?<\/dl>/s.exec(text)![0]);
      expect([id, sumOf(kinds), sumOf(all)]).toEqual([id, tiles, tiles]);
      expect([id, tiles[2]]).toEqual([id, totals.net_amount]);
      const counts = kinds.map((row) => Number(/<td[^>]*>\s*(\d+)\s*<\/td>/.exec(row)?.[1]));
      expect([id, counts.reduce((sum, count) => sum + count, 0)]).toEqual([id, lines.length]);
      const steps = [.../<ol class="life".*?<\/ol>/s.exec(text)![0].matchAll(/<li class="(done|expected)">\s*<strong>([^<]+)/g)].map(
        ([, is, name]) => `${is} ${name}`,
      );
      expect([id, steps[2]]).toEqual([id, `${settled_on === null ? 'expected' : 'done'} Settled`]);
      for (const step of steps) seen.add(step);
      for (const { kind } of lines) seen.add(kind);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['CHARGE', 'REVERSAL', 'done Settled', 'done Paid out']));
  });

  it('the search finds a record by its code, its reference, a part of either in any case, and every id', async () => {
    const { key, merchant_id } = merchants[0]!;
    const charge = (
      await service.call('POST', '/v1/charges', { key, body: { ...CHARGE_ORDER, reference_id: 'INV-2026-77' }, headers: newIdempotencyKey() })
    ).body;
    for (const text of [charge.code, charge.code.toLowerCase(), 'inv-2026-77', 'V-2026-7']) {
      const { status, text: found } = await page(`/console/search?Text=${text}`);
      expect(status).toBe(200);
      expect(found).toContain(`/console/history/charge-${charge.id}`);
      expect((await page(`/console/search?Text=${text}&MerchantId=${merchants[1]!.merchant_id}`)).text).not.toContain(charge.id);
    }
    const payout = history.events.find(({ type }) => type === 'PayoutRegistered')!;
    const settlement = history.events.find(({ type }) => type === 'SettlementOpened')!.data as { settlement_id: string };
    for (const [id, address] of [
      [charge.id, `/console/history/charge-${charge.id}`],
      [charge.id.toUpperCase(), `/console/history/charge-${charge.id}`],
      [merchant_id, `/console/merchants/${merchant_id}`],
      [payout.stream.slice('payout-'.length), `/console/history/${payout.stream}`],
      [settlement.settlement_id, `/console/settlements/${settlement.settlement_id}`],
    ]) {
      const answer = await page(`/console/search?Text=${id}`);
      expect([id, answer.status, answer.headers.get('location')]).toEqual([id, 303, address]);
    }
    const beginnings = [charge.code.slice(0, 9), charge.code.slice(4), 'Inv-2026', charge.id.slice(0, 8), charge.id.slice(0, 20).toUpperCase()];
    for (const text of beginnings) expect((await page(`/console/search?Text=${text}`)).text).toContain(`/console/history/charge-${charge.id}`);
    const payoutId = payout.stream.slice('payout-'.length);
    expect((await page(`/console/search?Text=${payoutId.slice(0, 12)}`)).text).toContain(`/console/history/payout-${payoutId}`);
    expect((await page(`/console/search?Text=${settlement.settlement_id.slice(0, 13)}`)).text).toContain(settlement.settlement_id);
    expect((await page(`/console/search?Text=${encodeURIComponent('pi KIT')}`)).text).toContain(`/console/merchants/${merchant_id}`);
    const nobody = randomUUID();
    expect((await page(`/console/search?Text=${nobody}`)).text).toContain(`Nothing has the id <bdi>${nobody}</bdi>`);
    const hostile = await page(`/console/search?Text=${encodeURIComponent(HOSTILE)}`);
    expect(hostile.text).toContain('value="&lt;script&gt;');
    expect(hostile.text).not.toContain('<script');
    expect((await page('/console/search?Text=')).status).toBe(200);
    for (const text of ['c', 'CHG', 'chg_']) {
      const { text: shown } = await page(`/console/search?Text=${text}`);
      expect([text, shown.includes('type more characters'), shown.includes('Nothing has this name')]).toEqual([text, true, false]);
    }
  });

  it('the search reports that nothing was found only when all merchants were searched, and continues with the next ones', async () => {
    const owners = [...merchants];
    while (owners.length < 3) owners.push(await service.newMerchant());
    // A page of a search takes the newest 20 of a merchant, and ends after 50.
    for (const { key } of owners.slice(0, 3))
      await Promise.all(
        Array.from({ length: 20 }, () =>
          service.call('POST', '/v1/charges', { key, body: { ...CHARGE_ORDER, description: 'kopi luwak' }, headers: newIdempotencyKey() }),
        ),
      );
    const last = await service.newMerchant({ name: 'Toko Akhir' });
    await eventually(async () => (await page('/console/merchants')).text.includes(last.merchant_id));
    const seen: string[] = [];
    let next: string | undefined = '/console/search?Text=luwak';
    let pages = 0;
    while (next !== undefined) {
      const { text } = await page(next);
      const found = [...text.matchAll(/\/history\/charge-([0-9a-f-]{36})"/g)].map(([, id]) => id!);
      seen.push(...found);
      next = /href="([^"]+)" rel="next">Search the next ones/.exec(text)?.[1]!.replaceAll('&amp;', '&');
      // How many merchants a page searches depends on the time that they take.
      expect(text.includes('No charge of the merchants')).toBe(found.length === 0);
      if (next !== undefined) expect(text).toContain('Not all merchants were searched yet.');
      expect(text).not.toContain('No charge has this');
      pages += 1;
    }
    const { text: end } = await page(`/console/search?Text=luwak&From=${last.merchant_id}`);
    const isNothing = end.includes('No charge of the merchants') && !end.includes('Search the next ones');
    expect([new Set(seen).size, pages > 1, isNothing]).toEqual([60, true, true]);
  });
});

describe('the statement of a month', () => {
  const addressOf = ({ text }: Answer): string => /href="(http[^"]+\/statements\/[^"]+)"/.exec(text)![1]!;

  it('finance’s address opens a statement without a key, with the same content as the merchant’s own', async () => {
    const { merchant_id, key } = merchants[0]!;
    const form = await page(`/console/merchants/${merchant_id}/statement?Currency=MYR&Month=2026-01`);
    const { status, headers, text } = await service.call('GET', addressOf(form));
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    const own = await service.call('GET', '/v1/statements/MYR?From=2025-12-31T17:00:00Z&To=2026-01-31T16:59:59.999Z', {
      key,
      headers: { accept: 'text/html' },
    });
    expect(own.text.match(/<time /g)!.length).toBeGreaterThan(5);
    expect(text.replace(/<nav class="languages"[^]*?<\/nav>/, '')).toBe(own.text);
    expect([headers.get('content-language'), headers.get('vary')]).toEqual(['en', 'Accept-Language']);
    const indonesian = await service.call('GET', `${addressOf(form)}?Lang=id`);
    expect(indonesian.headers.get('content-language')).toBe('id');
    expect(indonesian.text).toContain('Saldo awal');
    expect(text.replace(/\s+/g, ' ')).toContain('2026-01-01 00:00:00 WIB to 2026-01-31 23:59:59 WIB');
    expect((await page(`/console/merchants/${merchant_id}/statement?Month=2026-13`)).status).toBe(400);
    expect((await page(`/console/merchants/${merchant_id}/statement?Month=2999-01`)).text).toContain('Must not be in the future.');
    expect((await page(`/console/merchants/${merchant_id}/statement?Currency=USD`)).status).toBe(404);
    expect((await page(`/console/merchants/${randomUUID()}/statement`)).status).toBe(404);
  });

  it('an altered statement address returns 404, an expired one 410', async () => {
    const { merchant_id } = merchants[0]!;
    const address = addressOf(await page(`/console/merchants/${merchant_id}/statement`));
    const token = address.split('/').at(-1)!;
    const other = Buffer.from(token, 'base64url');
    other[0]! ^= 1;
    for (const altered of [other.toString('base64url'), token.slice(1), `${token}A`, 'x', '%00']) {
      const answer = await service.call('GET', `/statements/${altered}`);
      expect([altered, answer.status]).toEqual([altered, 404]);
      expect(answer.text).not.toContain('<table');
    }
    const key = await loadEncryptionKey(readConfig({ ENCRYPTION_KEY }), service.stores.databaseUrl);
    const secret = await loadServiceSecret(service.stores.databaseUrl, key);
    const link = { merchant_id, currency: 'IDR', month: '2026-01' };
    const over = await service.call('GET', `/statements/${statementToken(secret, { ...link, expires: Math.floor(Date.now() / 1_000) - 1 })}`);
    expect(over.status).toBe(410);
    expect(over.text).toContain('This link has expired');
    const good = await service.call('GET', `/statements/${statementToken(secret, { ...link, expires: Math.floor(Date.now() / 1_000) + 60 })}`);
    expect(good.status).toBe(200);
  });
});

describe('the log’s seals in the console', () => {
  let pool: Pool | undefined;
  afterAll(() => pool?.end());

  const verify = (): Promise<Answer> => service.call('POST', '/console/chain/verify', { body: '', headers: { ...own(), cookie } });

  it('shows that nothing is sealed, then the verified events, and detects a changed hash', async () => {
    expect((await page('/console/chain')).text).toContain('Nothing is sealed yet');
    const { eventStore, databaseUrl } = service.stores;
    const encryptionKey = await loadEncryptionKey(readConfig({ ENCRYPTION_KEY }), databaseUrl);
    const signer = new ChainSigner(await loadServiceSecret(databaseUrl, encryptionKey));
    pool = createPool({ url: databaseUrl, applicationName: 'test', statementTimeoutMs: 10_000, maxConnections: 1 });
    const end = await ChainEnd.open(pool, signer, eventStore);
    const events: RecordedEvent[] = [];
    for await (const batch of eventStore.subscribe(null, { signal: AbortSignal.timeout(10_000), stored: true })) {
      events.push(...batch.events);
      if (batch.caughtUp) break;
    }
    for (let at = 0; at < events.length; at += 64) await end.seal(events.slice(at, at + 64), timestamp(Date.now()));
    const { text } = await page('/console/chain');
    expect(text).toContain((await service.call('GET', '/audit/chain/head', { key: financeKey.key })).body.hash);
    expect((await service.call('POST', '/console/chain/verify', { body: '', headers: { ...FORM, cookie } })).status).toBe(403);
    const good = await verify();
    expect(good.status).toBe(200);
    expect(good.text).toContain('As it was sealed.');
    expect(good.text.replace(/\s+/g, ' ')).toContain(`Events 1 to ${events.length}: read from the log again`);
    await pool.query(
      `alter table chain.hashes disable trigger user;
       update chain.hashes set hashes = set_byte(hashes, 5, get_byte(hashes, 5) # 1) where first = (select max(first) from chain.hashes)`,
    );
    const bad = await verify();
    expect(bad.text).toContain('Not as it was sealed.');
    expect(bad.text).toMatch(/Event \d+, \w+, and the stored hashes do not agree/);
  });
});
