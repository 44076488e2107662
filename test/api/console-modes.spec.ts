import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newFinanceKey, newOperator, writeHistory, type RandomHistory } from '../support/finance.js';
import { startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

let service: TestService;
let live: TestMerchant;
let test: TestMerchant;
let history: RandomHistory;
let cookie: string;
let preparer: string;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (path: string, body: string, session = ''): Promise<Answer> =>
  service.call('POST', path, { body, headers: { ...FORM, origin: new URL(service.url).origin, cookie: session } });
const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')!.split(';')[0]!;
const page = (path: string, session = cookie): Promise<Answer> =>
  service.call('GET', path === '' ? '/console' : `/console/${path}`, { headers: { cookie: session, 'min-ledger-position': history.position } });
const switchTo = (mode: string, section = 'overview'): Promise<Answer> => form('/console/mode', `Section=${section}&Mode=${mode}`, cookie);

const LISTS = ['charges', 'refunds', 'disputes', 'payouts', 'settlements', 'customers', 'journal', 'events', 'merchants'];

beforeAll(async () => {
  service = await startTestService({ ROLES: 'api,projector' });
  test = await service.newMerchant({ name: 'Warung Uji' });
  const { key } = await newFinanceKey(service);
  cookie = cookieOf(await form('/console/login', `key=${key}`));
  preparer = cookieOf(await form('/console/login', `key=${(await newOperator(service, 'Siti', ['preparer'])).key}`));
  const before = await service.call('GET', '/console', { headers: { cookie } });
  expect(before.text).toContain('Test money');
  live = await service.newMerchant({ name: 'Kopi Hidup', mode: 'live' });
  history = await writeHistory(service, [test, live], 300, 17, 9_007_199);
});
afterAll(() => service.stop());

/** Returns the modes that a page names, and whether it contains the live and the test merchant. */
async function shown(path: string, session = cookie): Promise<{ names: string[]; tells: boolean[] }> {
  const { status, text } = await page(path, session);
  expect([path, status]).toEqual([path, 200]);
  return {
    names: ['Live money', 'Test money'].filter((words) => text.includes(`<strong>${words}</strong>`)),
    tells: [live, test].map(({ merchant_id }) => text.includes(merchant_id)),
  };
}

describe('the console', () => {
  it('shows live money as soon as a merchant is live, and names the mode on every page that shows one', async () => {
    for (const list of ['', ...LISTS, 'exceptions', 'payments', 'webhooks', 'search']) {
      const { names, tells } = await shown(list);
      expect([list, names, tells[1]]).toEqual([list, ['Live money'], false]);
    }
    for (const path of ['rails', 'people', 'chain', 'desk/propose', 'desk/propose/roles'])
      expect([path, (await shown(path, preparer)).names]).toEqual([path, []]);
    for (const list of ['charges', 'payouts', 'journal', 'events', 'merchants'])
      expect([list, (await shown(list)).tells]).toEqual([list, [true, false]]);
  });

  it('a switch to the other mode applies to every list and file, until the switch back', async () => {
    const answer = await switchTo('test', 'journal');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/journal']);
    const switched = cookieOf(answer);
    for (const list of LISTS) {
      const { names, tells } = await shown(list, switched);
      expect([list, names, tells[0]]).toEqual([list, ['Test money'], false]);
      const files = await Promise.all([cookie, switched].map(async (session) => (await page(`${list}.csv`, session)).text));
      const telling = files.map((text) => [live, test].map(({ merchant_id }) => text.includes(merchant_id)));
      expect([list, telling[0]![1], telling[1]![0]]).toEqual([list, false, false]);
    }
    const [header, ...rows] = (await page('trial-balance.csv', switched)).text.trimEnd().split('\r\n');
    expect([header!.endsWith(',mode'), new Set(rows.map((row) => row.split(',').at(-1)))]).toEqual([true, new Set(['test'])]);
    expect(answer.headers.get('set-cookie')).toMatch(/; Max-Age=2\d{4}; Path=\/console; HttpOnly; SameSite=Strict/);
  });

  it('names the mode of the record on its page, in either mode of the session', async () => {
    const charge = history.events.find(({ type, metadata }) => type === 'ChargePaid' && metadata.merchant_id === test.merchant_id)!;
    for (const path of [
      `merchants/${test.merchant_id}`,
      `charges?MerchantId=${test.merchant_id}`,
      `history/${charge.stream}`,
      `journal?EventId=${charge.id}`,
    ])
      expect([path, await shown(path)]).toEqual([path, { names: ['Test money'], tells: [false, true] }]);
    for (const mode of ['live', 'test'])
      expect((await shown(`desk/propose/policy-${mode}`, preparer)).names).toEqual([mode === 'live' ? 'Live money' : 'Test money']);
    expect((await page('search?Text=Warung')).text).not.toContain(test.merchant_id);
  });

  it('switching rejects unknown modes and forms of other sites, and redirects requests without a session to the sign-in', async () => {
    expect((await switchTo('both')).status).toBe(400);
    expect((await switchTo('test', 'elsewhere')).status).toBe(400);
    const foreign = await service.call('POST', '/console/mode', {
      body: 'Section=journal&Mode=test',
      headers: { ...FORM, origin: 'https://evil.example', cookie },
    });
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
    const nobody = await form('/console/mode', 'Section=journal&Mode=test');
    expect([nobody.status, nobody.headers.get('location'), nobody.headers.get('set-cookie')]).toEqual([303, '/console/login', null]);
  });
});
