import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Signer } from '@fastify/cookie';
import { readConfig } from '../../src/app/config.js';
import { loadEncryptionKey } from '../../src/app/encryption-key.js';
import { loadServiceSecret } from '../../src/app/service-secret.js';
import { FormTokens } from '../../src/web/console/shared/form-tokens.js';
import { deriveKey } from '../../src/ledger/crypto/encryption.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { accountStream } from '../../src/ledger/events/account.events.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { switchOperator } from '../../src/domain/operators/operator.commands.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';
import { HOUR_MS } from '../../src/ledger/time.js';

type Person = Awaited<ReturnType<typeof newOperator>> & { cookie: string };
type Form = Readonly<Record<string, string>>;
type ActForm = Form & { readonly form_token?: string; readonly digest?: string };

const PAYOUT = { currency: 'IDR', bank_account_name: 'Toko <Melati>', bank_account_number: '1234567890', bank_name: 'Bank Central Asia' } as const;
const ENCODED = { 'content-type': 'application/x-www-form-urlencoded' };
const ENCRYPTION_KEY = Buffer.alloc(32, 3).toString('base64');

describe('the desk of the console', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let siti: Person;
  let budi: Person;
  let ani: Person;

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY });
    const operator = async (name: string, roles: Parameters<typeof newOperator>[2]): Promise<Person> => {
      const made = await newOperator(service, name, roles);
      return { ...made, cookie: cookieOf(await signIn(made.key)) };
    };
    siti = await operator('Siti Rahma', ['approver']);
    budi = await operator('Budi', ['approver', 'controller', 'preparer']);
    ani = await operator('Ani', ['preparer', 'controller']);
    finance = cookieOf(await signIn((await newFinanceKey(service)).key));
    merchant = await service.newMerchant();
    const created = await service.call('POST', '/v1/charges', {
      key: merchant.key,
      headers: newIdempotencyKey(),
      body: { ...CHARGE_ORDER, amount: 20_000_000 },
    });
    for (const outcome of ['succeed', 'settle']) await service.call('POST', created.body.action.simulation_url, { body: { outcome } });
    const payouts = [{ currency: 'IDR', above: 1_000_000, approvals: 2 }] as const;
    const policy = { mode: 'test', payouts, payouts_day: [], merchants: {}, adjustments: [], settings: 0, expires_hours: 24 } as const;
    await setApprovalPolicy(service.deps, policy, randomUUID(), 'key_1');
    await eventually(async () => {
      const { body } = await request(1_500_000);
      return body.approval !== undefined && (await decline(body.id)).status === 200;
    });
  });
  afterAll(() => service.stop());

  const signIn = (key: string, more: Form = {}, url = service.url): Promise<Answer> =>
    service.call('POST', `${url}/console/login`, { body: new URLSearchParams({ key, ...more }).toString(), headers: { ...ENCODED, origin: url } });
  const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')!.split(';')[0]!;
  const request = (amount = 1_500_000): Promise<Answer> =>
    service.call('POST', '/v1/payouts', { key: merchant.key, headers: newIdempotencyKey(), body: { ...PAYOUT, amount } });
  const shownTo = async ({ key }: Person, id: string): Promise<any> => (await service.call('GET', `/audit/payouts/${id}`, { key })).body;
  const decline = async (id: string): Promise<Answer> => {
    const { digest } = await shownTo(siti, id);
    return service.call('POST', `/audit/payouts/${id}/decline`, { key: siti.key, body: { digest, reason: 'not needed' } });
  };
  const page = (path: string, cookie: string, url = service.url): Promise<Answer> =>
    service.call('GET', `${url}/console/${path}`, { headers: { cookie } });
  const post = (path: string, cookie: string, form: Form, headers: Form = { origin: service.url }, url = service.url): Promise<Answer> =>
    service.call('POST', `${url}/console/${path}`, { body: new URLSearchParams(form).toString(), headers: { ...ENCODED, cookie, ...headers } });
  /** Returns the hidden fields of a page's form. */
  const hidden = ({ text }: Answer): Form =>
    Object.fromEntries([...text.matchAll(/type="hidden" name="(form_token|digest)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
  const formOf = async (path: string, { cookie }: Person): Promise<ActForm> => ({ ...hidden(await page(path, cookie)), reason: 'as in the payroll' });
  const location = ({ status, headers }: Answer): [number, string | null] => [status, headers.get('location')];
  const typesOf = async (stream: string): Promise<string[]> => (await service.stores.eventStore.read(stream)).map(({ type }) => type);
  const approvals = async (): Promise<number> =>
    (await typesOf(accountStream(merchant.merchant_id, 'IDR'))).filter((type) => type === 'PayoutApproved').length;
  const propose = async (content: object, kind = 'FEE'): Promise<string> => {
    const body = { kind, content, reason: 'as <b>agreed</b>', evidence: [{ name: 'minutes.pdf', sha256: 'ab'.repeat(32) }] };
    const made = await service.call('POST', '/audit/proposals', { key: ani.key, headers: newIdempotencyKey(), body });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const fee = (value: number) => ({ merchant_id: merchant.merchant_id, of: { kind: 'payout', currency: 'IDR' }, fee: { type: 'FIXED', value } });

  it('leads from each waiting payout to the next; one of two required approvals pays nothing', async () => {
    const [first, second] = [(await request(1_600_000)).body.id, (await request(1_700_000)).body.id];
    const desk = await page('desk', siti.cookie);
    expect(desk.text).toMatch(/Waits for you/);
    expect(desk.text.indexOf(first)).toBeGreaterThan(0);
    expect(desk.text.indexOf(second)).toBeGreaterThan(desk.text.indexOf(first));
    const shown = await page(`desk/payouts/${first}`, siti.cookie);
    for (const words of ['1234567890', 'Toko &lt;Melati&gt;', '0 of 2', (await shownTo(siti, first)).digest]) expect(shown.text).toContain(words);
    const form = { ...hidden(shown), reason: 'as in the payroll', act: 'approve' };
    const before = await approvals();
    const done = await post(`desk/payouts/${first}`, siti.cookie, form);
    expect(location(done)).toEqual([303, `/console/desk/payouts/${second}?Done=desk%2Fpayouts%2F${first}`]);
    const next = await page(`desk/payouts/${second}?Done=desk/payouts/${first}`, siti.cookie);
    expect(next.text).toContain(`/console/desk/payouts/${first}`);
    // The same form sent again is the same approval.
    expect((await post(`desk/payouts/${first}`, siti.cookie, form)).status).toBe(303);
    expect(await approvals()).toBe(before + 1);
    expect((await page(`desk/payouts/${first}`, siti.cookie)).text).toContain('You have approved it');
    expect((await shownTo(siti, first)).approval).toMatchObject({ given: 1, required: 2 });
    const declined = await post(`desk/payouts/${second}`, siti.cookie, { ...(await formOf(`desk/payouts/${second}`, siti)), act: 'decline' });
    expect(declined.headers.get('location')).toBe(`/console/desk?Done=desk%2Fpayouts%2F${second}`);
    expect((await shownTo(siti, second)).payout_status).toBe('CANCELLED');
    const last = await post(`desk/payouts/${first}`, budi.cookie, { ...(await formOf(`desk/payouts/${first}`, budi)), act: 'approve' });
    expect(last.status).toBe(303);
    expect(await approvals()).toBe(before + 2);
  });

  it('lists and the page of a payout link to its page on the desk', async () => {
    const { id, approval } = (await request()).body;
    const shown = await page(`history/payout-${id}`, finance);
    const details = /<dl class="facts">.*?<\/dl>/s.exec(shown.text)![0];
    expect(details).toMatch(/<dt>Waits for<\/dt>\s*<dd>\s*<span class="status warn">approval<\/span>\s*Operators must approve it\./);
    expect(details).toMatch(new RegExp(`<dt>Approvals</dt>\\s*<dd>\\s*<a href="/console/desk/payouts/${id}">0 of 2</a>`));
    const life = /<ol class="life".*?<\/ol>/s.exec(shown.text)![0];
    expect(life).toMatch(/<li class="expected">\s*<strong>Approved<\/strong>\s*<span>not yet<\/span>\s*<span>0 of 2/);
    expect(life).toContain(`datetime="${approval.approve_by}"`);
    for (const path of ['payouts', `payouts?PendingReason=approval`, `merchants/${merchant.merchant_id}`])
      expect((await page(path, finance)).text).toContain(`<a class="status warn" href="/console/desk/payouts/${id}">approval</a>`);
    expect((await page(`desk/payouts/${id}`, finance)).text).toContain('Operators must approve it.');
    await decline(id);
    const ended = (await page(`history/payout-${id}`, finance)).text;
    expect(ended).not.toContain('Waits for');
    expect(ended).toContain(`<a href="/console/desk/payouts/${id}">0 of 2</a>`);
  });

  it('shows names of merchants, persons and keys instead of ids, with links to them', async () => {
    const own = { payouts: [{ currency: 'IDR', above: 0, approvals: 1 }], payouts_day: [] };
    const policy = { mode: 'live', payouts: [], payouts_day: [], merchants: { [merchant.merchant_id]: own }, adjustments: [], settings: 0 };
    const proposals = [
      await propose(fee(4_200)),
      await propose({ person_id: siti.person_id, roles: ['approver', 'preparer'] }, 'ROLES'),
      await propose({ ...policy, expires_hours: 24 }, 'POLICY'),
    ] as const;
    const payout = (await request()).body.id;
    const [event] = (await service.call('GET', `/audit/events?Stream=${proposalStream(proposals[0])}`, { key: budi.key })).body.items;
    const paths = [
      ...[
        'desk',
        'people',
        'events',
        'rails',
        'suspense',
        'recon',
        'payouts',
        `desk/payouts/${payout}`,
        `history/payout-${payout}`,
        `events/${event.position}`,
      ],
      ...proposals.map((id) => `desk/proposals/${id}`),
    ];
    const ids = [merchant.merchant_id, ...[siti, budi, ani].flatMap(({ person_id, key_id }) => [person_id, key_id])];
    for (const path of paths) {
      const { status, text } = await page(path, ani.cookie);
      // The list of keys shows their ids for the command line; an approval shows its key beside the person.
      const words = text.replace(/<div><code>key_[^<]*<\/code>/g, '').replace(/<[^>]+>/g, ' ');
      expect([path, status, ids.filter((id) => words.includes(id))]).toEqual([path, 200, []]);
    }
    const merchantLink = new RegExp(`<a\\s[^>]*href="/console/merchants/${merchant.merchant_id}"[^>]*>(?:<bdi>)?Kopi Kita`);
    const operator = ({ person_id }: Person, name: string) => new RegExp(`<a href="/console/people#person-${person_id}"[^>]*><bdi>${name}</bdi>`);
    const shown = await Promise.all(proposals.map(async (id) => (await page(`desk/proposals/${id}`, siti.cookie)).text));
    for (const text of shown) expect(text).toMatch(operator(ani, 'Ani'));
    const [aboutFee, aboutRoles, aboutPolicy] = shown as [string, string, string];
    expect(aboutFee.match(new RegExp(merchantLink, 'g'))!.length).toBeGreaterThan(1);
    expect(aboutFee).toMatch(/<strong>\s*<data class="money" value="4200"[^>]*>Rp\s42,00<\/data\s*>\s*<\/strong>/);
    expect(aboutRoles).toMatch(operator(siti, 'Siti Rahma'));
    expect(aboutPolicy).toMatch(merchantLink);
    expect((await page('people', siti.cookie)).text).toContain(`id="person-${siti.person_id}"`);
    expect((await page('desk', siti.cookie)).text).toMatch(new RegExp(`/desk/proposals/${proposals[0]}[^]*?${merchantLink.source}`));
    await decline(payout);
    for (const id of proposals)
      expect((await service.call('POST', `/audit/proposals/${id}/withdraw`, { key: ani.key, body: { reason: 'done' } })).status).toBe(200);
  });

  it('shows the bank account to approvers only, and forms to persons only', async () => {
    const { id } = (await request()).body;
    for (const cookie of [finance, ani.cookie]) {
      const { status, text } = await page(`desk/payouts/${id}`, cookie);
      expect([status, text.includes('1234567890'), text.includes('form_token')]).toEqual([200, false, false]);
    }
    expect((await page('desk', finance)).text).toContain('Waits for approval');
    expect((await page('desk', ani.cookie)).text).not.toContain(id);
    const form = { ...(await formOf(`desk/payouts/${id}`, siti)), act: 'approve' };
    expect((await post(`desk/payouts/${id}`, finance, form)).status).toBe(403);
    expect((await post(`desk/payouts/${id}`, ani.cookie, form)).status).toBe(403);
    expect((await page(`desk/payouts/${randomUUID()}`, siti.cookie)).status).toBe(404);
    await decline(id);
  });

  it('rejects forms that are altered, incomplete, or of another session, record or site', async () => {
    const [id, other] = [(await request()).body.id, (await request()).body.id];
    const path = `desk/payouts/${id}`;
    const form = { ...(await formOf(path, siti)), act: 'approve' };
    const altered = form.form_token!.replace(/^./, (first: string) => (first === '0' ? '1' : '0'));
    const before = await approvals();
    const digest = (await formOf(`desk/payouts/${other}`, siti)).digest!;
    const [again, meanwhile] = (await Promise.all([signIn(siti.key), signIn(siti.key)])).map(cookieOf);
    const refused: [string, Answer, number][] = [
      ['altered', await post(path, siti.cookie, { ...form, form_token: altered }), 403],
      ['of another record', await post(path, siti.cookie, { ...(await formOf(`desk/payouts/${other}`, siti)), act: 'approve' }), 403],
      ['for another record', await post(`desk/payouts/${other}`, siti.cookie, form), 403],
      ['with another digest', await post(path, siti.cookie, { ...form, digest }), 403],
      ['of another person', await post(path, budi.cookie, form), 403],
      ['of another session', await post(path, again!, form), 403],
      [
        'of a session of the same moment',
        await post(path, again!, { ...(await formOf(path, { ...siti, cookie: meanwhile! })), act: 'approve' }),
        403,
      ],
      ['without a token', await post(path, siti.cookie, { act: 'approve', reason: 'x', digest: form.digest! }), 403],
      ['without a digest', await post(path, siti.cookie, { act: 'approve', reason: 'x', form_token: form.form_token! }), 403],
      ['with what is no token', await post(path, siti.cookie, { ...form, form_token: 'none' }), 403],
      ['with a token that is too long', await post(path, siti.cookie, { ...form, form_token: `${form.form_token!}00` }), 403],
      ['with a token in capitals', await post(path, siti.cookie, { ...form, form_token: 'AB'.repeat(32) }), 403],
      ['without a reason', await post(path, siti.cookie, { ...form, reason: '' }), 400],
      ['from nowhere', await post(path, siti.cookie, form, {}), 403],
      ['from elsewhere', await post(path, siti.cookie, form, { origin: 'https://evil.example' }), 403],
      ['from a frame without an origin', await post(path, siti.cookie, form, { origin: 'null' }), 403],
    ];
    expect(refused.map(([what, { status }]) => [what, status])).toEqual(refused.map(([what, , status]) => [what, status]));
    expect(location(await post(path, '', form))).toEqual([303, `/console/login?Next=${encodeURIComponent(path)}`]);
    expect(await approvals()).toBe(before);
    await Promise.all([decline(id), decline(other)]);
  });

  it('rejects forms of sessions older than an hour and forms older than two hours; the sign-in leads back to the page', async () => {
    const { id } = (await request()).body;
    const path = `desk/payouts/${id}`;
    const { databaseUrl } = service.stores;
    const secret = await loadServiceSecret(databaseUrl, await loadEncryptionKey(readConfig({ ENCRYPTION_KEY }), databaseUrl));
    /** Returns a session of Siti that was opened `seconds` ago. */
    const openedAgo = (seconds: number) => {
      const session = `${siti.key_id}.${Math.floor(Date.now() / 1_000) + 8 * 3_600 - seconds}.0`;
      const signed = new Signer(deriveKey(secret, 'chargebook console sessions')).sign(session);
      return { session, cookie: `chargebook_console=${encodeURIComponent(signed)}` };
    };
    const old = openedAgo(3_600);
    const { digest } = await shownTo(siti, id);
    const formAgo = (session: string, ms: number): Form => ({
      ...{ digest, act: 'approve', reason: 'late' },
      form_token: new FormTokens(secret, () => Date.now() - ms).issue({ session, path, record: id, digest }),
    });
    const before = await approvals();
    const shown = await page(path, old.cookie);
    const login = `/console/login?Next=${encodeURIComponent(path)}`;
    expect([shown.status, shown.text.includes('form_token'), shown.text.includes(login)]).toEqual([200, false, true]);
    expect(location(await post(path, old.cookie, formAgo(old.session, 0)))).toEqual([303, login]);
    const asked = await page(`login?Next=${path}`, old.cookie);
    expect([asked.status, asked.text.includes(`name="Next" value="${path}"`)]).toEqual([200, true]);
    expect(location(await page('login', old.cookie))).toEqual([303, '/console']);
    const opened = await signIn(siti.key, { Next: path });
    expect(location(opened)).toEqual([303, `/console/${path}`]);
    expect(location(await page(`login?Next=${path}`, cookieOf(opened)))).toEqual([303, `/console/${path}`]);
    for (const Next of ['https://evil.example', '//evil.example', 'desk/../../evil', 'desk/payouts/1', 'journal'])
      expect(location(await signIn(siti.key, { Next }))).toEqual([303, '/console']);
    const recent = openedAgo(3_500);
    expect((await post(path, recent.cookie, formAgo(recent.session, 2 * HOUR_MS))).status).toBe(403);
    expect(await approvals()).toBe(before);
    expect(location(await page(path, ''))).toEqual([303, login]);
    expect((await post(path, recent.cookie, formAgo(recent.session, 0))).status).toBe(303);
    expect(await approvals()).toBe(before + 1);
    await decline(id);
  });

  it('rejects approval with 409 when a read model shows altered contents', async () => {
    const { id } = (await request()).body;
    const proposal = await propose(fee(11));
    const pool = createPool({ url: service.stores.databaseUrl, applicationName: 'test', maxConnections: 1 });
    const before = await approvals();
    await pool.query(`update ledger.payouts set bank_account_number = '666' where id = $1`, [id]);
    await pool.query(`update ledger.proposals set content = jsonb_set(content::jsonb, '{fee,value}', '99')::json where id = $1`, [proposal]);
    const shown = await page(`desk/payouts/${id}`, siti.cookie);
    expect(shown.text).toContain('<code>666</code>');
    for (const [path, operator] of [
      [`desk/payouts/${id}`, siti],
      [`desk/proposals/${proposal}`, budi],
    ] as const) {
      const answer = await post(path, operator.cookie, { ...(await formOf(path, operator)), act: 'approve' });
      expect([answer.status, answer.text.includes(`href="/console/${path}"`)]).toEqual([409, true]);
    }
    expect(await approvals()).toBe(before);
    expect(await typesOf(proposalStream(proposal))).toEqual(['ProposalMade']);
    await pool.query(`update ledger.payouts set bank_account_number = $2 where id = $1`, [id, PAYOUT.bank_account_number]);
    await pool.end();
    await decline(id);
    await service.call('POST', `/audit/proposals/${proposal}/withdraw`, { key: ani.key, body: { reason: 'done' } });
  });

  it('shows a proposal beside the values in force; others approve or reject it, its author withdraws it', async () => {
    const id = await propose(fee(4_321));
    const path = `desk/proposals/${id}`;
    expect((await page('desk', budi.cookie)).text).toContain(path);
    const own = await page('desk', ani.cookie);
    expect([own.text.includes('Proposed by you'), own.text.includes(path)]).toEqual([true, true]);
    const shown = await page(path, budi.cookie);
    for (const words of ['4321', 'fee.value', 'as &lt;b&gt;agreed', 'minutes.pdf', 'Ani', 'Proposal made', 'value="approve"', 'value="reject"'])
      expect(shown.text).toContain(words);
    expect(shown.text).not.toContain('value="withdraw"');
    const self = await page(path, ani.cookie);
    expect(['approve', 'reject', 'withdraw'].map((act) => self.text.includes(`value="${act}"`))).toEqual([false, false, true]);
    expect((await page(path, finance)).text).not.toContain('form_token');
    const forged = await post(path, ani.cookie, { ...hidden(self), reason: 'mine', act: 'approve' });
    expect(forged.status).toBe(403);
    const done = await post(path, budi.cookie, { ...hidden(shown), reason: 'agreed', act: 'approve' });
    expect(done.status).toBe(303);
    expect((await page(path, siti.cookie)).text).toContain('EXECUTED');
    for (const [act, operator, status] of [
      ['reject', budi, 'REJECTED'],
      ['withdraw', ani, 'WITHDRAWN'],
    ] as const) {
      const other = `desk/proposals/${await propose(fee(5_000))}`;
      expect((await post(other, operator.cookie, { ...(await formOf(other, operator)), act })).status).toBe(303);
      const { text } = await page(other, operator.cookie);
      expect([text.includes(status), text.includes('form_token')]).toEqual([true, false]);
    }
  });

  it('a proposal that moves money shows the amount and links to the merchant', async () => {
    const id = await propose({ kind: 'COVER', merchant_id: merchant.merchant_id, currency: 'IDR', amount: 1_234_500 }, 'ADJUSTMENT');
    const desk = await page('desk', budi.cookie);
    const shown = await page(`desk/proposals/${id}`, budi.cookie);
    for (const { text } of [desk, shown]) expect(text).toMatch(/Rp[\s\u00a0]12\.345,00/);
    expect(shown.text).toContain(`/console/merchants/${merchant.merchant_id}`);
    await service.call('POST', `/audit/proposals/${id}/withdraw`, { key: ani.key, body: { reason: 'done' } });
  });

  it('redirects the session of a suspended person and records no approval', async () => {
    const { id } = (await request()).body;
    const path = `desk/payouts/${id}`;
    const form = { ...(await formOf(path, siti)), act: 'approve' };
    const before = await approvals();
    await switchOperator({ ...service.deps, by: 'cli:budi' }, siti.person_id, 'suspend', 'lost the laptop');
    await eventually(async () => (await post(path, siti.cookie, form)).status === 303 && (await page('desk', siti.cookie)).status === 303);
    expect(await approvals()).toBe(before);
  });
});

it('accepts a form until the end of the hour after it was shown', () => {
  let now = 10 * HOUR_MS;
  const tokens = new FormTokens(Buffer.alloc(32, 1), () => now);
  const subject = { session: 'key_1.2', path: 'desk/payouts/3', record: '3', digest: 'ab' };
  const token = tokens.issue(subject);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  for (const [at, holds] of [
    [12 * HOUR_MS - 1, true],
    [12 * HOUR_MS, false],
    [9 * HOUR_MS, false],
  ] as const) {
    now = at;
    expect([at, tokens.holds(subject, token)]).toEqual([at, holds]);
  }
  now = 10 * HOUR_MS;
  for (const part of ['session', 'path', 'record', 'digest']) expect(tokens.holds({ ...subject, [part]: 'x' }, token)).toBe(false);
  expect(new FormTokens(Buffer.alloc(32, 2), () => now).holds(subject, token)).toBe(false);
  for (const other of ['', 'zz', `${token}00`, token.slice(2)]) expect(tokens.holds(subject, other)).toBe(false);
});
