import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statementId } from '../../src/domain/reconciliation/import-statement.js';
import { parse } from 'csv-parse/sync';
import { formatAmount } from '../../src/platform/text/format.js';
import { ConsoleVisitor, location } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { bankDay, bankFile, remittance, spooled } from '../support/recon.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type Answer, type TestService } from '../support/service.js';
import { PROFILE } from '../support/statement-files.js';

const OF_TEST = { mode: 'test', currencies: ['IDR'], time_zone: 'Asia/Jakarta', reason: 'as the contract says' } as const;
const BANK = { ...OF_TEST, name: 'bca', kind: 'BANK', account: '123-456 7890', format: 'camt053' } as const;
const PROCESSOR = { ...OF_TEST, name: 'sim', kind: 'PROCESSOR', format: 'csv', profile: PROFILE, processor: 'SIMULATOR', due_days: 3 } as const;
type ActForm = Readonly<Record<string, string>> & { readonly form_token?: string; readonly digest?: string };

const FILE_BYTES_MAX = 256 * 1_048_576;

describe('reconciliation in the console', () => {
  let service: TestService;
  let key: string;
  let controllerKey: string;
  let siti: ConsoleVisitor;
  let others: ConsoleVisitor[];

  beforeAll(async () => {
    service = await startTestService();
    const [preparer, controller, finance] = await Promise.all([
      newOperator(service, 'Siti', ['preparer']),
      newOperator(service, 'Ani', ['controller']),
      newFinanceKey(service),
    ]);
    [key, controllerKey] = [preparer.key, controller.key];
    await eventually(async () => (await get('/audit/recon/sources')).status === 200);
    for (const body of [BANK, PROCESSOR])
      expect((await service.call('POST', '/audit/recon/sources', { key: controller.key, body })).status).toBe(200);
    siti = await ConsoleVisitor.signIn(service, preparer.key);
    others = await Promise.all([controller.key, finance.key].map((each) => ConsoleVisitor.signIn(service, each)));
  });
  afterAll(() => service.stop());

  const get = (path: string): Promise<Answer> => service.call('GET', path, { key });
  const filesOf = async (source: string): Promise<{ id: string; status: string }[]> =>
    (await get(`/audit/recon/statements?Source=${source}`)).body.items;
  const idOf = (source: string, file: string): string => statementId(source, spooled(file).sha256);

  describe('a bank file', () => {
    const page = 'recon/sources/test-bca';
    const dayOne = bankFile(bankDay(1, 100, [10, -4]));
    const formOf = (): Promise<ActForm> => siti.hidden(page, `${page}/import`);

    it('a preparer imports a file, and a repeat leads to the same import', async () => {
      const { text } = await siti.page(page);
      expect(text).toMatch(/<input id="import-file"[^>]* autofocus/);
      const form = await formOf();
      const id = idOf('test-bca', dayOne);
      expect(location(await siti.send(`${page}/import`, form, dayOne))).toEqual([303, `/console/recon/files/${id}?Imported=new`]);
      expect((await siti.page(`recon/files/${id}?Imported=new`)).text).toMatch(/Imported\..*Rp\s10,00/s);
      expect(location(await siti.send(`${page}/import`, form, dayOne))).toEqual([303, `/console/recon/files/${id}?Imported=known`]);
      expect(await filesOf('test-bca')).toMatchObject([{ id, status: 'ACCEPTED' }]);
    });

    it('the file is the last field of its forms, because browsers send fields in the order of the page', async () => {
      const forms = [page, `recon/files/${idOf('test-bca', dayOne)}`].map(async (path) => (await siti.page(path)).text.match(/<form[^]*?<\/form>/g)!);
      const withFile = (await Promise.all(forms)).flat().filter((form) => form.includes('type="file"'));
      expect(withFile).toHaveLength(2);
      for (const form of withFile) {
        expect(form).toContain('enctype="multipart/form-data"');
        expect(form.slice(form.indexOf('type="file"'))).not.toContain(' name=');
      }
    });

    it('a faulty file returns a page with the reason, the line and the figures', async () => {
      const refused = await siti.send(`${page}/import`, await formOf(), bankFile(bankDay(3, 999, [1])));
      expect(refused.status).toBe(422);
      for (const words of ['<dd>gap</dd>', '<dd>6</dd>', 'an opening balance of 106.00 IDR', '999.00 in statement', 'import-file'])
        expect(refused.text).toContain(words);
      const hostile = await siti.send(`${page}/import`, await formOf(), '<!DOCTYPE x [<!ENTITY a "<script>">]><x>&a;</x>');
      expect([hostile.status, hostile.text.includes('<dd>unreadable</dd>'), hostile.text.includes('<script>')]).toEqual([422, true, false]);
      expect(await filesOf('test-bca')).toHaveLength(1);
    });

    it('a file replaces another one from the page of that file, with a reason', async () => {
      const second = bankFile(bankDay(2, 106, [20]));
      await siti.send(`${page}/import`, await formOf(), second);
      const path = `recon/files/${idOf('test-bca', second)}`;
      const form = await siti.hidden(path, `${path}/replace`);
      const again = bankFile(bankDay(2, 106, [19, 1]));
      expect((await siti.send(`${path}/replace`, { ...form, reason: '' }, again)).status).toBe(400);
      const refused = await siti.send(`${path}/replace`, { ...form, reason: 'issued again' }, bankFile(bankDay(2, 107, [20])));
      expect([refused.status, refused.text.includes('The file is refused')]).toEqual([422, true]);
      const replaced = await siti.send(`${path}/replace`, { ...form, reason: 'issued again' }, again);
      expect(location(replaced)).toEqual([303, `/console/recon/files/${idOf('test-bca', again)}?Imported=new`]);
      expect(await filesOf('test-bca')).toMatchObject([{ status: 'ACCEPTED' }, { status: 'REPLACED' }, { status: 'ACCEPTED' }]);
      // A replaced file cannot be replaced again, even with the earlier form.
      expect(await siti.hidden(path, `${path}/replace`)).toEqual({});
      expect((await siti.send(`${path}/replace`, { ...form, reason: 'issued again' }, again)).status).toBe(409);
    });

    it('rejects forms of other sessions, pages and sites before it stores any of the file', async () => {
      const form = await formOf();
      const file = bankFile(bankDay(3, 126, [1]));
      const token = form.form_token!.replace(/^./, (first) => (first === '0' ? '1' : '0'));
      const spools = async (): Promise<number> => (await readdir(tmpdir())).filter((name) => /^chargebook-[0-9a-f]{8}-/.test(name)).length;
      const before = await spools();
      const sent: [string, Answer, number][] = [
        ['altered', await siti.send(`${page}/import`, { ...form, form_token: token }, file), 403],
        ['of another page', await siti.send('recon/sources/test-sim/import', form, file), 403],
        ['with another digest', await siti.send(`${page}/import`, { ...form, digest: 'ab'.repeat(32) }, file), 403],
        ['without a token', await siti.send(`${page}/import`, { act: form.act!, digest: form.digest! }, file), 403],
        ['from elsewhere', await siti.send(`${page}/import`, form, file, { origin: 'https://evil.example' }), 403],
        ['from nowhere', await siti.send(`${page}/import`, form, file, {}), 403],
        ['of others', await others[0]!.send(`${page}/import`, form, file), 403],
        ['of a finance key', await others[1]!.send(`${page}/import`, form, file), 403],
        ['without a file', await siti.send(`${page}/import`, form, null), 400],
        ['that is no form with a file', await siti.post(`${page}/import`, form), 415],
        ['of no source', await siti.send('recon/sources/test-none/import', form, file), 404],
      ];
      expect(sent.map(([what, { status }]) => [what, status])).toEqual(sent.map(([what, , status]) => [what, status]));
      const login = `/console/login?Next=${encodeURIComponent(page)}`;
      expect(location(await siti.send(`${page}/import`, form, file, { origin: service.url, cookie: '' }))).toEqual([303, login]);
      for (const other of others) {
        const { text } = await other.page(page);
        expect([text.includes('form_token'), text.includes('needs an operator’s own key with the role preparer')]).toEqual([false, true]);
      }
      // Other specs also spool files there for a moment.
      await eventually(async () => (await spools()) <= before);
      expect(await filesOf('test-bca')).toHaveLength(3);
    });

    it('a file that is too large is rejected before it is sent', async () => {
      const form = await formOf();
      const fields = Object.entries(form).map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
      const head = `${fields.join('')}--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
      const { hostname, port, origin } = new URL(service.url);
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.on('data', (bytes) => (answer += bytes.toString())).on('error', () => undefined);
      const lines = [
        `POST /console/${page}/import HTTP/1.1`,
        ...[`Host: ${hostname}`, `Origin: ${origin}`, `Cookie: ${siti.cookie}`],
        ...['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${FILE_BYTES_MAX + 1_000_000}`],
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${head}`);
      await eventually(() => answer.includes('</html>'));
      socket.destroy();
      expect(answer).toMatch(/^HTTP\/1.1 413/);
      expect(answer).toContain(`larger than ${FILE_BYTES_MAX} bytes`);
      expect(answer).toContain(`href="/console/${page}"`);
    });
  });

  it('a preparer compares a source with the books on a day without a file', async () => {
    const page = 'recon/sources/test-sim';
    const form = { ...(await siti.hidden(page, `${page}/run`)), act: 'run', reason: 'a holiday' };
    expect(location(await siti.post(`${page}/run`, form))).toEqual([303, `/console/${page}?Done=compared`]);
    expect((await siti.page(`${page}?Done=compared`)).text).toContain('compared with the books');
    expect((await siti.post(`${page}/run`, { ...form, form_token: 'ab'.repeat(32) })).status).toBe(403);
    expect((await others[0]!.post(`${page}/run`, form)).status).toBe(403);
    expect((await get('/audit/events?Type=ReconRan')).body.items).toHaveLength(1);
  });

  it('the page of a processor’s file leads to its lines', async () => {
    const page = 'recon/sources/test-sim';
    const file = remittance([{ batch: 'B1', reference: 'nobody', gross: 7 }]);
    const form = await siti.hidden(page, `${page}/import`);
    const [, path] = location(await siti.send(`${page}/import`, form, file));
    const { text } = await siti.page(path!.replace('/console/', ''));
    for (const words of ['nobody', 'B1', '/console/recon?Source=test-sim']) expect(text).toContain(words);
  });

  it('shows the batches that a credit may pay, with a link to the break of each', async () => {
    const send = async (source: string, file: string): Promise<void> => {
      const page = `recon/sources/${source}`;
      expect((await siti.send(`${page}/import`, await siti.hidden(page, `${page}/import`), file)).status).toBe(303);
    };
    const lines = ['B2', 'B3'].map((batch, n) => ({ batch, reference: `none ${n}`, gross: 8 - 2 * n }));
    await send('test-sim', remittance(lines));
    await send('test-bca', bankFile(bankDay(3, 126, [12])));
    const { items } = (await get('/audit/recon/breaks?Source=test-bca&Kind=BANK_UNKNOWN&Status=OPEN')).body;
    const { id } = items.find(({ line }: { line: { amount: number } }) => line.amount === 1_200);
    const { suggestions } = (await get(`/audit/recon/breaks/${id}`)).body;
    expect(suggestions).toEqual([
      expect.objectContaining({ batches: [expect.objectContaining({ batch: 'B2' }), expect.objectContaining({ batch: 'B3' })] }),
    ]);
    const { text } = await siti.page(`recon/breaks/${id}`);
    for (const words of ['Credits and batches that may belong together', 'B2', 'B3', '/console/recon/breaks/']) expect(text).toContain(words);
    // The sources of the break and of the batches are shown by name, with links.
    expect(text).toContain('href="/console/recon/sources/test-bca"');
    expect(text.match(/<code>B[23]<\/code> of <a href="\/console\/recon\/sources\/test-sim">test-sim<\/a>/g)).toHaveLength(2);
    expect((await siti.page('recon?Source=test-bca')).text).toMatch(
      /<td[^>]*>\s*<a href="\/console\/recon\/sources\/test-bca">test-bca<\/a>\s*<\/td>/,
    );
  });

  it('closes the next day of a bank, and shows the figures between the books and the bank’s balance', async () => {
    const page = 'recon/sources/test-bca';
    expect((await siti.page(page)).text).toContain('Close 2026-11-11');
    const form: ActForm = { ...(await siti.hidden(page, `${page}/close`)), act: 'close', reason: 'all of it is in' };
    for (const [broken, status] of [
      [{ ...form, form_token: 'ab'.repeat(32) }, 403],
      [{ ...form, reason: '' }, 400],
    ] as const)
      expect((await siti.post(`${page}/close`, broken)).status).toBe(status);
    for (const other of others) expect((await other.post(`${page}/close`, form)).status).toBe(403);
    expect((await get('/audit/recon/days')).body.items).toEqual([]);
    const [status, path] = location(await siti.post(`${page}/close`, form));
    // The form's answer may precede the end of the close.
    await eventually(async () => (await get('/audit/recon/days')).body.items[0].status !== 'OPEN');
    const [{ id, digest }] = (await get('/audit/recon/days')).body.items;
    expect([status, path]).toEqual([303, `/console/recon/days/${id}`]);
    const { text } = await siti.page(`recon/days/${id}`);
    const [line] = (await get(`/audit/recon/lines?BookedTo=2026-11-11&Source=test-bca`)).body.items;
    // The balance before the first statement is the residual until an opening entry books it.
    const words = [
      '2026-11-11 is closed, and incomplete',
      'value="10600"',
      'Residual',
      'value="10000"',
      digest,
      'unknown',
      'Unknown line of the bank',
    ];
    const lineLink = `/console/recon/files/${line.statement_id}?After=${BigInt(line.id) - 1n}"><code>${line.id}</code>`;
    expect([...words, lineLink].filter((each) => !text.includes(each))).toEqual([]);
    // The form's day is closed; the next day is due.
    expect((await siti.post(`${page}/close`, form)).status).toBe(409);
    expect((await siti.page(page)).text).toContain('Close 2026-11-12');
    expect((await siti.page(`recon/days/${line.statement_id}`)).status).toBe(404);

    const [, item] = /\/console\/(suspense\/[0-9a-f-]{36})/.exec(text)!;
    const shown = (await siti.page(item!)).text;
    expect(['TOP_UP', 'UNMATCHED_TO_MERCHANT', '/console/recon/sources/test-bca'].map((word) => shown.includes(word))).toEqual([true, false, true]);
    // The item links to its line, which identifies its origin, and to its break, where it is worked on.
    const [opened] = (await get(`/audit/recon/breaks?Source=test-bca&Kind=BANK_UNKNOWN`)).body.items.filter(
      (each: any) => each.line.line_id === line.id,
    );
    const leads = [lineLink, `/console/recon/breaks/${opened.id}"`, `booked on ${line.booking_date}`];
    expect(leads.filter((each) => !shown.includes(each))).toEqual([]);
  });

  it('shows for each source and day whether it is closed', async () => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta' }).format(Date.now() - 86_400_000);
    const body = { ...BANK, name: 'bni', currencies: ['MYR'] };
    expect((await service.call('POST', '/audit/recon/sources', { key: controllerKey, body })).status).toBe(200);
    const page = 'recon/sources/test-bni';
    const file = bankFile(bankDay(1, 0, [], { day })).replaceAll('IDR', 'MYR');
    expect((await siti.send(`${page}/import`, await siti.hidden(page, `${page}/import`), file)).status).toBe(303);
    const closed = await siti.post(`${page}/close`, { ...(await siti.hidden(page, `${page}/close`)), act: 'close', reason: 'all of it is in' });
    const [, path] = location(closed);
    await eventually(async () => (await siti.page('recon')).text.includes(`<a class="status good" href="${path}">CLOSED</a>`));
    expect((await siti.page(path!.replace('/console/', ''))).text).toContain(`${day} is closed, and complete`);
  });

  it('leads to days of other weeks, and to all files of a source', async () => {
    const [close] = (await get('/audit/recon/days?To=2026-11-11')).body.items;
    const path = `/console/recon/days/${close.id}`;
    const of = async (until: string): Promise<Answer> => siti.page(`recon?Until=${until}`);
    expect((await of('2026-11-11')).text).toContain(path);
    expect((await of('2026-11-10')).text).not.toContain(path);
    const next = await of('2026-11-18');
    expect([next.text.includes(path), next.text.includes('/console/recon?Until=2026-11-11')]).toEqual([false, true]);
    expect(await Promise.all(['2026-02-31', '2026-13-01'].map(async (day) => (await of(day)).status))).toEqual([400, 400]);
    const source = 'recon/sources/test-sim';
    const known = (await filesOf('test-sim')).length;
    for (let n = known; n < 51; n += 1) {
      const file = remittance([{ batch: `of many ${n}`, reference: `of many ${n}`, gross: 7 }]);
      const headers = { 'content-type': 'application/octet-stream' };
      await service.call('POST', '/audit/recon/sources/test-sim/statements', { key, body: Buffer.from(file), headers });
    }
    const ids = (await filesOf('test-sim')).map(({ id }) => id).reverse();
    const shown = (text: string): string[] => [...text.matchAll(/\/console\/recon\/files\/([0-9a-f-]{36})"/g)].map(([, id]) => id!);
    const first = (await siti.page(source)).text;
    expect(shown(first)).toEqual(ids.slice(0, 50));
    const [, older] = /href="\/console\/([^"]*After=[^"]*)">Older files/.exec(first)!;
    const second = (await siti.page(older!)).text;
    expect([shown(second), second.includes('Older files'), second.includes('Newest files')]).toEqual([ids.slice(50), false, true]);
  });

  it('the table of sources and days shows the figures of the API, and lists show breaks with their references and differences', async () => {
    const { items } = (await get('/audit/recon/sources/days?Mode=test&From=2026-11-10&To=2026-11-20')).body;
    const file = await service.call('GET', '/audit/recon/sources/days?Mode=test&From=2026-11-10&To=2026-11-20', {
      key,
      headers: { accept: 'text/csv' },
    });
    const csv = file.text.trimEnd().split('\r\n');
    const names = ['source', 'day', 'groups', 'lines', 'open_lines', 'breaks', 'is_missing'];
    expect(csv).toEqual([names.join(), ...items.map((item: any) => names.map((name) => item[name]).join())]);
    const { text } = await siti.page('recon?Until=2026-11-17');
    const { text: now } = await siti.page('recon');
    const plain = (markup: string): string =>
      markup
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();
    const [head = [], ...rows] = [.../<caption>\s*Sources by day.*?<\/table>/s.exec(text)![0].matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => plain(cell!)),
    );
    let seen = 0;
    for (const { source, day, groups, lines, open_lines, breaks } of items) {
      const cell = rows.find(([name]) => name === source)![head.indexOf(day.slice(5))];
      if (cell === undefined) continue;
      if (groups > 0) expect(cell).toMatch(new RegExp(`\\b${groups} (?:statement|batch)`));
      if (lines > 0) expect(cell).toContain(open_lines === 0 ? ' MATCHED' : `${Math.floor((100 * (lines - open_lines)) / lines)} % MATCHED`);
      if (breaks > 0) expect(cell).toContain(`${breaks} open`);
      seen += lines;
    }
    expect(seen).toBeGreaterThan(0);
    const breaks = (await get('/audit/recon/breaks?Mode=test&Status=OPEN&Limit=50')).body.items;
    for (const { id, line, item, remittance } of breaks) {
      const row = plain(new RegExp(`<tr[^>]*>\\s*<th[^>]*>\\s*<a href="/console/recon/breaks/${id}".*?</tr>`, 's').exec(now)![0]);
      for (const reference of line?.references.slice(0, 1) ?? []) expect(row).toContain(reference);
      const books = item ?? remittance;
      if (line && books && line.amount !== books.amount && line.currency === books.currency)
        expect(row).toContain(plain(formatAmount(line.amount - books.amount, line.currency)));
    }
    expect(now).toContain('>Unknown line of the bank</option');
  });

  it('shows the amounts that processors owe by age, next to the balance of the books', async () => {
    const merchant = await service.newMerchant();
    const order = { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() };
    const created = await service.call('POST', '/v1/charges', order);
    await service.call('POST', created.body.action.simulation_url, { body: { outcome: 'succeed' } });
    await eventually(async () => (await siti.page('recon/receivable')).text.includes('SIMULATOR'));
    const { text } = await siti.page('recon/receivable');
    const words = ['0-1', 'Of it overdue', 'Held against the books', 'value="10000"', 'value="-10000"', 'value="0"'];
    expect(words.filter((each) => !text.includes(each))).toEqual([]);
    expect((await siti.page('recon')).text).toContain('/console/recon/receivable');
  });

  it('a break about a fee shows the charged and the expected fee, and their difference', async () => {
    const expectCosts = (costs: object): Promise<Answer> =>
      service.call('POST', '/audit/recon/sources', { key: controllerKey, body: { ...PROCESSOR, costs } });
    expect((await expectCosts({ QR_QRIS: { type: 'PERCENTAGE', value: 0.63 } })).status).toBe(200);
    const merchant = await service.newMerchant();
    const { id, action } = (await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() })).body;
    await service.call('POST', action.simulation_url, { body: { outcome: 'succeed' } });
    const paid = async () => (await get(`/audit/events?Stream=charge-${id}&Type=ChargePaid`)).body.items[0]?.data.payment_reference;
    await eventually(async () => (await paid()) !== undefined);
    const page = 'recon/sources/test-sim';
    const file = remittance([{ batch: 'B9', reference: (await paid()) as string, gross: 100 }]);
    expect((await siti.send(`${page}/import`, await siti.hidden(page, `${page}/import`), file)).status).toBe(303);

    const [found] = (await get(`/audit/recon/breaks?Charge=${id}`)).body.items;
    const { kind, line, item, charged, expected } = found;
    expect([kind, line.amount, item.amount, charged, expected]).toEqual(['FEE', 10_000, 10_000, 100, 63]);
    const csv = await service.call('GET', `/audit/recon/breaks?Charge=${id}`, { key, headers: { accept: 'text/csv' } });
    expect(parse(csv.text, { columns: true })).toMatchObject([{ charged: '100', expected: '63' }]);
    const figures = [100, 37, 63].map((amount) => `value="${amount}"`);
    const sides = /<div class="sides">.*?<section aria-labelledby="work">/s.exec((await siti.page(`recon/breaks/${found.id}`)).text)![0];
    expect([...figures, 'Statement: fee', 'Expected: fee'].filter((each) => !sides.includes(each))).toEqual([]);
    const row = new RegExp(`<tr[^>]*>\\s*<th[^>]*>\\s*<a href="/console/recon/breaks/${found.id}".*?</tr>`, 's').exec(
      (await siti.page('recon?Kind=FEE')).text,
    )![0];
    expect([...row.matchAll(/value="-?\d+"/g)].map(([value]) => value)).toEqual([figures[0], figures[2], figures[1]]);
    expect((await expectCosts({})).status).toBe(200);
  });

  it('the page of a charge shows the lines that it is matched with, and its breaks with their proposals', async () => {
    const merchant = await service.newMerchant();
    const charges: { id: string; reference: string }[] = [];
    for (const amount of [10_000, 20_000, 30_000]) {
      const order = { key: merchant.key, body: { ...CHARGE_ORDER, amount }, headers: newIdempotencyKey() };
      const { id, action } = (await service.call('POST', '/v1/charges', order)).body;
      await service.call('POST', action.simulation_url, { body: { outcome: 'succeed' } });
      const paid = async () => (await get(`/audit/events?Stream=charge-${id}&Type=ChargePaid`)).body.items[0]?.data.payment_reference;
      await eventually(async () => (await paid()) !== undefined);
      charges.push({ id, reference: (await paid()) as string });
    }
    const [same, less, unnamed] = charges as [(typeof charges)[0], (typeof charges)[0], (typeof charges)[0]];
    const page = 'recon/sources/test-sim';
    const file = remittance([
      { batch: 'B8', reference: same.reference, gross: 100 },
      { batch: 'B8', reference: less.reference, gross: 199 },
    ]);
    expect((await siti.send(`${page}/import`, await siti.hidden(page, `${page}/import`), file)).status).toBe(303);

    const read = async (list: string, { id }: { id: string }) => (await get(`/audit/recon/${list}?Charge=${id}`)).body.items;
    const [[matched], [different]] = [await read('matches', same), await read('breaks', less)];
    expect([matched.item.amount, different.kind, different.line.amount]).toEqual([10_000, 'AMOUNT', 19_900]);
    expect([await read('breaks', same), await read('matches', less), await read('breaks', unnamed)]).toEqual([[], [], []]);
    const line = `/console/recon/files/${matched.statement_id}?After=${Number(matched.line_id) - 1}`;
    const breakLink = `/console/recon/breaks/${different.id}`;
    const linksOf = async ({ id }: { id: string }): Promise<string[]> => {
      const section = /<section aria-labelledby="lines">.*?<\/section>/s.exec((await siti.page(`history/charge-${id}`)).text)?.[0] ?? '';
      return [...section.matchAll(/href="([^"]*(?:files|breaks|proposals)[^"]*)"/g)].map(([, address]) => address!);
    };
    expect([await linksOf(same), await linksOf(less), await linksOf(unnamed)]).toEqual([[line], [breakLink], []]);

    // The file leads back: each line to the record that it is matched with, or to its break.
    const lines = /<caption>\s*Lines\s.*?<\/table>/s.exec((await siti.page(`recon/files/${matched.statement_id}`)).text)![0];
    const leads = [...lines.matchAll(/<tr>(?:(?!<\/tr>).)*<\/tr>/gs)]
      .slice(1)
      .map(([row]) => [...row.matchAll(/href="\/console\/(?:history|recon)\/([^"]*)"/g)].map(([, to]) => to));
    expect(leads).toEqual([[`charge-${same.id}`], [`breaks/${different.id}`]]);

    const form: ActForm = await siti.hidden(`recon/breaks/${different.id}`, `recon/breaks/${different.id}/difference`);
    const proposed = await siti.post(`recon/breaks/${different.id}/difference`, {
      ...form,
      act: 'propose',
      account: 'costs',
      reason: 'it is a charge',
    });
    expect(proposed.status).toBe(303);
    const { pending_proposal_id } = (await read('breaks', less))[0];
    expect(await linksOf(less)).toEqual([breakLink, `/console/desk/proposals/${pending_proposal_id}`]);
  });
});
