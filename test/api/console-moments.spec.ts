import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { revokeKey } from '../../src/domain/merchants/merchant.commands.js';
import { addressesIn, everyPage } from '../support/console-pages.js';
import { ConsoleVisitor, location } from '../support/console.js';
import { collect } from '../support/events.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator, writeHistory } from '../support/finance.js';
import { runCli } from '../support/run-cli.js';
import { startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

const ZONE = 'Asia/Jakarta';
const HOUR_MS = 3_600_000;
/** Addresses of the present to which a page as of a past moment leads. */
const OF_NOW = /^\/console\/(?:moments|mode|logout)$|^\/pages\//;
/** Seals and remittance advices are signed today: their pages are those of now. */
const SIGNED_NOW = /^\/console\/(?:events\/\d+|chain|payouts\/[0-9a-f-]{36}\/remittance-advice)$/;

let service: TestService;
let merchants: readonly [TestMerchant, TestMerchant];
let visitor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestService({ POINT_IN_TIME_MAX: '3', BOOKS_TIMEZONE: ZONE });
  merchants = [await service.newMerchant({ name: 'First' }), await service.newMerchant({ name: 'Second' })];
  const operator = await newOperator(service, 'Siti', ['preparer', 'approver', 'controller']);
  await writeHistory(service, [...merchants], 120, 5);
  visitor = await ConsoleVisitor.signIn(service, operator.key);
});
afterAll(() => service.stop());
afterEach(async () => {
  for (const position of await openMoments())
    expect(location(await visitor.post(`moments/${position}/close`, {}))).toEqual([303, '/console/moments']);
});

const log = () => collect(service.stores.eventStore, null, (_, caughtUp) => caughtUp);
const visit = (path: string, { cookie } = visitor): Promise<Answer> => service.call('GET', path, { headers: { cookie } });
const titleOf = ({ text }: Answer): string | undefined => /<title>([^<]*)<\/title>/.exec(text)?.[1];
const alertOf = ({ text }: Answer): string | undefined => /role="alert"[^>]*>\s*([^<]*?)\s*</.exec(text)?.[1];
const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const openMoments = async (): Promise<number[]> =>
  [...(await visitor.page('moments')).text.matchAll(/action="\/console\/moments\/(\d+)\/close"/g)].map(([, position]) => Number(position));

/** Opens a moment with a form of the page `Page`, and follows the page of its build. Returns the moment's position and the address that it leads to. */
async function opened(form: Readonly<Record<string, string>>): Promise<{ readonly position: number; readonly address: string }> {
  const [status, progress] = location(await visitor.post('moments', form));
  expect([status, progress]).toEqual([303, expect.stringMatching(/^\/console\/moments\/\d+/)]);
  let address: string | null = null;
  await eventually(async () => {
    const answer = await visit(progress!);
    if (answer.status === 200)
      expect(answer.text).toMatch(/<meta http-equiv="refresh" content="\d"[^]*<progress id="progress" max="\d+" value="\d+"/);
    [, address] = location(answer);
    return address !== null;
  });
  return { position: Number(/\d+/.exec(progress!)![0]), address: address! };
}

describe('past moments in the console', () => {
  it('every page has the form, and the moment leads to the same page as of then', async () => {
    const events = await log();
    const path = 'charges?Status=SUCCEEDED';
    const form = await visitor.hidden(path, 'moments');
    expect(form).toEqual({ Page: path });
    const middle = events[Math.floor(events.length / 2)]!;
    const { position, address } = await opened({ ...form, Position: String(events.indexOf(middle) + 1) });
    expect([position, address]).toEqual([events.indexOf(middle) + 1, `/at/${position}/console/${path}`]);
    const then = await visit(address);
    expect([then.status, then.headers.get('as-of-position')]).toEqual([200, String(position)]);
    const codes = ({ text }: Answer): number => new Set(text.match(/CHG_\w+/g)).size;
    expect(codes(then)).toBeLessThan(codes(await visitor.page(path)));
    expect(await visit(`/at/${position}/console`)).toMatchObject({ status: 200 });
  });

  it('a time is of the zone of the books, and the present day without one is now', async () => {
    const local = (ms: number): { readonly Day: string; readonly Time: string } => {
      const [Day = '', Time = ''] = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' })
        .format(ms)
        .split(' ');
      return { Day, Time };
    };
    // Taken as UTC, it would be in six hours.
    const anHourAgo = await visitor.post('moments', local(Date.now() - HOUR_MS));
    expect(alertOf(anHourAgo)).not.toBe('The time must not be in the future.');
    expect(alertOf(await visitor.post('moments', local(Date.now() + HOUR_MS)))).toBe('The time must not be in the future.');
    const { Day } = local(Date.now());
    expect(location(await visitor.post('moments', { Day, Time: '' }))).toEqual([303, `/console/moments/${(await log()).length}`]);
  });

  it('every page has a bar with the moment and the way back, and its links and forms stay within the moment', async () => {
    const head = (await log()).length;
    const { address } = await opened({ Position: String(head), Page: '' });
    await eventually(async () => (await visit(address)).text.includes('· sealed ·'));
    const pages = await everyPage(address, (each) => visit(each));
    expect(pages.size).toBeGreaterThan(40);
    const broken = [...pages].filter(([, { status }]) => status !== 200 && status !== 303).map(([each, { status }]) => [each, status]);
    expect(broken).toEqual([]);
    const isPage = ({ headers, status }: Answer): boolean => status === 200 && headers.get('content-type')!.startsWith('text/html');
    for (const [each, answer] of [...pages].filter(([, of]) => isPage(of))) {
      const path = each.slice(`/at/${head}`.length);
      expect([each, answer.text.match(/class="now" href="([^"]*)"/)?.[1]!.replaceAll('&amp;', '&')]).toEqual([each, path]);
      const away = addressesIn(answer.text).filter((to) => !to.startsWith(`/at/${head}/console`) && to !== path && !OF_NOW.test(to));
      expect([each, away.filter((to) => !SIGNED_NOW.test(to))]).toEqual([each, []]);
      const forms = [...answer.text.matchAll(/<form[^>]*method="post" action="([^"]*)"/g)].map(([, action]) => action!);
      expect([each, forms.filter((action) => !OF_NOW.test(action))]).toEqual([each, []]);
      expect([each, answer.text.includes('own key')]).toEqual([each, false]);
      expect([each, titleOf(answer)]).toEqual([each, expect.stringMatching(/ as of \d{1,2} \w{3} \d{4} \d\d:\d\d WIB – Chargebook console$/)]);
      expect([each, answer.headers.get('as-of-head')]).toEqual([each, expect.stringMatching(new RegExp(`^${head}:[0-9a-f]{64}$`))]);
    }
    const menu = /<nav class="wide"[^]*?<\/nav>/.exec((await visit(address)).text)![0];
    for (const section of ['webhooks', 'rails', 'chain', 'moments'])
      expect([section, menu.includes(`console/${section}"`)]).toEqual([section, false]);
  });

  it('leads from an event to the record before and after it', async () => {
    const events = await log();
    const of = (revision: number): number => events.findIndex((event) => event.revision === revision && event.stream.startsWith('charge-')) + 1;
    const momentsOf = async (position: number): Promise<string[]> => {
      const { text } = await visitor.page(`events/${position}`);
      return [...text.matchAll(/name="Page" value="([^"]*)" \/>\s*<input type="hidden" name="Position" value="(\d+)" \/>\s*<button>([^<]*)</g)].map(
        ([, page, at, words]) => `${words} ${at} ${page}`,
      );
    };
    const [first, second] = [of(0), of(1)];
    const page = (position: number): string => `history/${events[position - 1]!.stream}`;
    expect(await momentsOf(first)).toEqual([`Before this event ${first - 1} `, `After this event ${first} ${page(first)}`]);
    expect(await momentsOf(second)).toEqual([`Before this event ${second - 1} ${page(second)}`, `After this event ${second} ${page(second)}`]);
    const { address } = await opened({ Position: String(second - 1), Page: page(second) });
    const eventsOn = ({ text }: Answer): number => new Set(text.match(/console\/events\/\d+/g)).size;
    expect(eventsOn(await visit(address))).toBe(1);
    expect(eventsOn(await visitor.page(page(second)))).toBeGreaterThan(1);
  });

  it('pages that do not follow from the events have no past: the moment’s frame reports it', async () => {
    const { position } = await opened({ Position: '5', Page: '' });
    for (const path of [
      'webhooks',
      'deliveries',
      'deliveries.csv',
      'rails',
      'chain',
      'moments',
      'moments/5',
      'desk/propose',
      'events/1/proof.json',
    ]) {
      const answer = await visit(`/at/${position}/console/${path}`);
      expect([path, answer.status, titleOf(answer)]).toEqual([path, 404, expect.stringMatching(/^This has no past as of /)]);
    }
    expect((await visit(`/at/${position}/console/nowhere`)).status).toBe(404);
    expect((await service.call('GET', `/at/${position}/console/login`)).status).toBe(404);
    for (const path of ['moments', 'mode', 'logout', 'login', 'desk/propose/fee'])
      expect((await service.call('POST', `/at/${position}/console/${path}`, { headers: { cookie: visitor.cookie } })).status).toBe(405);
  });

  it('keeps the moment when the mode is switched', async () => {
    const { position } = await opened({ Position: '5', Page: '' });
    for (const [section, page] of [
      ['overview', ''],
      ['charges', '/charges'],
    ])
      expect(location(await visitor.post('mode', { Mode: 'live', Section: section!, At: String(position) }))).toEqual([
        303,
        `/at/${position}/console${page}`,
      ]);
    const { text } = await visit(`/at/${position}/console/charges`);
    expect(/action="\/console\/mode"[^]*?name="At" value="(\d+)"/.exec(text)![1]).toBe(String(position));
  });

  it('a moment that is not open leads to the form that opens it', async () => {
    expect(location(await visit('/at/7/console/charges?Status=FAILED'))).toEqual([303, '/console/moments/7?Page=charges%3FStatus%3DFAILED']);
    expect(location(await visit('/at/7/console'))).toEqual([303, '/console/moments/7']);
    const page = await visitor.page('moments/7?Page=charges%3FStatus%3DFAILED');
    expect([page.status, alertOf(page)]).toEqual([404, 'This moment is not open, or was closed because it was not used.']);
    expect(await visitor.hidden('moments/7?Page=charges', 'moments')).toEqual({ Page: 'charges', Position: '7' });
  });

  it('asks a visitor without a session for the key, and leads back to the moment', async () => {
    const { position } = await opened({ Position: '9', Page: '' });
    expect(location(await visit(`/at/${position}/console/charges`, { cookie: '' } as ConsoleVisitor))).toEqual([
      303,
      `/console/login?Next=moments%2F${position}`,
    ]);
    const { key } = await newFinanceKey(service);
    const signedIn = await service.call('POST', '/console/login', {
      body: new URLSearchParams({ key, Next: `moments/${position}` }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
    });
    expect(location(signedIn)).toEqual([303, `/console/moments/${position}`]);
    const cookies = signedIn.headers.getSetCookie();
    expect(cookies.map((cookie) => /; Path=([^;]*); HttpOnly; SameSite=Strict/.exec(cookie)?.[1])).toEqual(['/console', '/at']);
    expect(new Set(cookies.map((cookie) => cookie.split(';')[0])).size).toBe(1);
  });

  it('the keys of today decide about readers', async () => {
    const { position } = await opened({ Position: '3', Page: '' });
    const { key, key_id } = await newFinanceKey(service);
    const auditor = await ConsoleVisitor.signIn(service, key);
    // The key was issued later than the moment.
    const page = await visit(`/at/${position}/console/merchants`, auditor);
    expect([page.status, page.text.includes('Sign out')]).toEqual([200, true]);
    await revokeKey(service.deps, { kind: 'finance' }, key_id);
    await eventually(async () => (await visit(`/at/${position}/console/merchants`, auditor)).status === 303);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['the future', { Day: '2999-01-31', Time: '17:00' }, 'The time must not be in the future.'],
    ['before the first event', { Day: '2001-01-31' }, 'The time must not be before the first event.'],
    ['a day that does not exist', { Day: '2026-02-31' }, 'The time must be of a day that exists.'],
    ['no day', { Time: '17:00' }, 'The time must be of a day that exists.'],
    ['position 0', { Position: '0' }, 'The position must be from 1 to '],
    ['a position beyond the log', { Position: '99999999' }, 'The position must be from 1 to '],
    ['a month that is not closed', { Month: '2026-01', Mode: 'live' }, 'The month 2026-01 of mode live is not closed.'],
  ])('refuses %s, with the form as it was filled', async (_name, form, said) => {
    const answer = await visitor.post('moments', { ...form, Page: 'charges' });
    expect([answer.status, alertOf(answer)]).toEqual([400, expect.stringContaining(said)]);
    expect(answer.text).toContain('name="Page" value="charges"');
    if (form['Day']) expect(answer.text).toContain(`value="${form['Day']}"`);
  });

  it('leads to no address outside of the console', async () => {
    const away = ['//evil.example', '/v1', '../v1/charges', 'charges/../../x', '..', './..', 'charges/..?Status=PENDING', '..#top'];
    const asBrowsersReadIt = ['%2e%2e/v1', '.%2E/docs', 'charges/%2e%2E/x', '..\\docs', 'charges\\..\\..\\docs'];
    for (const Page of [...away, ...asBrowsersReadIt, 'a b', 'x'.repeat(4_001)]) {
      expect([Page, (await visitor.post('moments', { Position: '5', Page })).status]).toEqual([Page, 400]);
      expect([Page, (await visitor.page(`moments/5?${new URLSearchParams({ Page }).toString()}`)).status]).toEqual([Page, 400]);
    }
    const foreign = await visitor.post('moments', { Position: '5' }, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(await openMoments()).toEqual([]);
  });

  it('leads back to a page whose query has any text', async () => {
    for (const Text of ['a..b', '../../v1', '%2e%2e/', 'a\\..\\b', 'é'.repeat(200), '=&?#/../']) {
      const path = `search?${new URLSearchParams({ Text }).toString()}`;
      const { Page } = await visitor.hidden(path, 'moments');
      expect(await opened({ Position: '5', Page: Page! })).toEqual({ position: 5, address: `/at/5/console/${Page}` });
      const then = await visit(`/at/5/console/${Page}`);
      expect([Text, then.status, then.text.includes(`value="${attribute(Text)}"`)]).toEqual([Text, 200, true]);
    }
  });

  it('lists the open moments, closes them, and names the oldest when there are too many', async () => {
    for (const Position of ['4', '5', '6']) await opened({ Position, Page: '' });
    expect(await openMoments()).toEqual([4, 5, 6]);
    const refused = await visitor.post('moments', { Position: '7', Page: '' });
    expect([refused.status, alertOf(refused)]).toEqual([
      400,
      expect.stringMatching(/^3 moments are open, which is the maximum\. Close one first: moment 4 /),
    ]);
    expect(location(await visitor.post('moments/4/close', {}))).toEqual([303, '/console/moments']);
    expect(await openMoments()).toEqual([5, 6]);
    await eventually(async () => location(await visit('/at/4/console'))[1] === '/console/moments/4');
  });
});

describe('rates', () => {
  it('a caller has one rate for the present and all moments', async () => {
    const limited = await startTestService({ RATE_LIMIT_PER_SECOND: '1' });
    try {
      const { key } = await limited.newMerchant();
      const auditor = await ConsoleVisitor.signIn(limited, (await newFinanceKey(limited)).key);
      const env = { DATABASE_URL: limited.stores.databaseUrl };
      expect((await runCli(['at', 'open', '--position', '1', '--wait'], env)).code).toBe(0);
      for (const [path, headers] of [
        ['/v1/merchants/me', { authorization: `Bearer ${key}` }],
        ['/console/merchants', { cookie: auditor.cookie }],
      ] as const) {
        const began = performance.now();
        let admitted = 0;
        for (let turn = 0; turn < 20; turn += 1)
          for (const moment of ['', '/at/1']) admitted += (await limited.call('GET', moment + path, { headers })).status === 429 ? 0 : 1;
        const seconds = (performance.now() - began) / 1_000;
        expect(admitted).toBeGreaterThan(0);
        expect(admitted).toBeLessThanOrEqual(2 + Math.ceil(seconds));
      }
    } finally {
      await limited.stop();
    }
  });
});
