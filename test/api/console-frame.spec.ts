import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleVisitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

let service: TestService;
let merchant: TestMerchant;
let operator: { readonly key: string };
let visitor: ConsoleVisitor;
let chargeId: string;
const AUDITOR = 'Siti Aminah';

beforeAll(async () => {
  service = await startTestService();
  merchant = await service.newMerchant({ name: 'Toko Kenanga' });
  operator = await newOperator(service, AUDITOR, ['preparer']);
  visitor = await ConsoleVisitor.signIn(service, operator.key);
  const { body } = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body: CHARGE_ORDER });
  chargeId = body.id;
  await eventually(async () => (await visitor.page(`history/charge-${chargeId}`)).status === 200);
});
afterAll(() => service.stop());

const words = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The pages above the shown one, the marked group of the menu, the marked entries, and the way to the other mode. */
async function frameOf(path: string) {
  const { text } = await visitor.page(path);
  const crumbs = /<nav class="crumbs"[^]*?<\/nav>/.exec(text)?.[0] ?? '';
  return {
    above: [...crumbs.matchAll(/<li>([^]*?)<\/li>/g)].map(([, item]) => words(item!)),
    group: [...text.matchAll(/class="opens here"[^>]*>([^<]*)</g)].map(([, name]) => words(name!)).join(),
    // Each entry is in both navigations.
    marked: [
      ...new Set([...text.slice(0, text.indexOf('<main')).matchAll(/aria-current="(\w+)">([^<]*)</g)].map(([, as, name]) => `${name!}: ${as!}`)),
    ].join(),
    other: /<button name="Mode"[^>]*>([^<]*)</.exec(text)?.[1] ?? '',
  };
}

describe('the frame of the console’s pages', () => {
  const OTHER_MODE = 'Show live money';

  it.each([
    ['charges', { above: [], group: 'Money', marked: 'Charges: page', other: OTHER_MODE }],
    ['people', { above: [], group: 'System', marked: 'People: page', other: '' }],
    ['search?Text=Toko', { above: [], group: '', marked: '', other: OTHER_MODE }],
    ['events/1', { above: ['Records', 'Events'], group: 'Records', marked: 'Events: true', other: '' }],
    ['desk/propose/fee-charge', { above: ['Controls', 'Desk', 'Propose'], group: 'Controls', marked: 'Desk: true', other: '' }],
  ])('of %s has the pages above it, marks its group, and names a mode only where one is chosen', async (path, frame) => {
    expect(await frameOf(path)).toEqual(frame);
  });

  it('of a record names the mode of the record, which no button changes', async () => {
    const { merchant_id } = merchant;
    const balance = `merchants/${merchant_id}/balances/IDR`;
    const ofMerchant = { group: 'Records', marked: 'Merchants: true', other: '' };
    expect(await frameOf(`history/charge-${chargeId}`)).toEqual({ above: ['Money', 'Charges'], group: 'Money', marked: 'Charges: true', other: '' });
    expect(await frameOf(`merchants/${merchant_id}`)).toEqual({ above: ['Records', 'Merchants'], ...ofMerchant });
    expect(await frameOf(balance)).toEqual({ above: ['Records', 'Merchants', 'Toko Kenanga'], ...ofMerchant });
    expect((await frameOf(`${balance}?Bucket=PENDING`)).above).toEqual(['Records', 'Merchants', 'Toko Kenanga', 'Balance in IDR']);
    expect((await visitor.page(`history/charge-${chargeId}`)).text).toMatch(/<p class="mode test">\s*<strong>Test money/);
  });

  it('a printed page names its maker, its time, and the signed head of the log', async () => {
    const printed = async (): Promise<string> => words(/<p class="printed">([^]*?)<\/p>/.exec((await visitor.page('journal')).text)![1]!);
    expect(await printed()).toMatch(
      new RegExp(`^Test money. Made on ${new Date().toISOString().slice(0, 7)}-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC for .*${AUDITOR}`),
    );
    await eventually(async () => {
      const { events, hash } = (await service.call('GET', '/audit/chain/head', { key: operator.key })).body;
      return (await printed()).includes(`Head of the log: ${events} events, ${hash}.`);
    });
  });
});

describe('a list with numbered pages', () => {
  it('names the places of its rows among all of them, and leads to the first, previous, next and last page', async () => {
    const order = { key: merchant.key, body: CHARGE_ORDER };
    await Promise.all(Array.from({ length: 100 }, async () => service.call('POST', '/v1/charges', { ...order, headers: newIdempotencyKey() })));
    const list = async (page: number) => {
      const { text } = await visitor.page(`charges?MerchantId=${merchant.merchant_id}&PageNumber=${page}`);
      const pager = /<nav class="pager"[^]*?<\/nav>/.exec(text)?.[0] ?? '';
      return {
        place: words(/<p class="hint">([^<]*(?: of | in all|no such page)[^<]*)</.exec(text)?.[1] ?? ''),
        pages: [...pager.matchAll(/PageNumber=(\d+)">([^<]*)</g)].map(([, number, name]) => `${name!} ${number!}`),
      };
    };
    await eventually(async () => (await list(1)).place === '1–50 of 101.');
    expect((await list(1)).pages).toEqual(['Next page 2', 'Last page 3']);
    expect(await list(2)).toEqual({ place: '51–100 of 101.', pages: ['First page 1', 'Previous page 1', 'Next page 3', 'Last page 3'] });
    expect(await list(3)).toEqual({ place: '101–101 of 101.', pages: ['First page 1', 'Previous page 2'] });
    expect(await list(4)).toEqual({ place: 'There is no such page: the list has 101 records.', pages: ['First page 1'] });
  });
});

describe('links from a record to the forms of proposals about it', () => {
  it('the form begins with the record; only operators who may propose have the links', async () => {
    const { merchant_id } = merchant;
    const page = await visitor.page(`merchants/${merchant_id}`);
    const forms = [...page.text.matchAll(/href="\/console\/(desk\/propose\/[a-z-]+\?Of=[^"]+)"/g)].map(([, path]) => path!);
    expect(forms.map((path) => path.replace(/\?.*/, ''))).toEqual(
      ['channel', 'fee-charge', 'fee-payout', 'fee-dispute'].map((form) => `desk/propose/${form}`),
    );
    for (const path of forms) expect((await visitor.page(path)).text).toMatch(new RegExp(`<option value="${merchant_id}"\\s*selected`));
    expect((await visitor.page('people')).text).toMatch(/desk\/propose\/roles\?Of=[0-9a-f-]{36}"/);
    const other = await ConsoleVisitor.signIn(service, (await newFinanceKey(service)).key);
    for (const path of [`merchants/${merchant_id}`, 'people']) expect((await other.page(path)).text).not.toContain('propose/');
  });

  it('a text that is no id stays in the form, without markup', async () => {
    const { status, text } = await visitor.page(`desk/propose/break-accept?Of=${encodeURIComponent('"><b>x')}`);
    expect([status, text.includes('value="&quot;&gt;&lt;b&gt;x"'), text.includes('"><b>x')]).toEqual([200, true, false]);
  });
});
