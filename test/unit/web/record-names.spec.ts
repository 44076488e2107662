import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { titleIn } from '../../../src/web/console/records/event-page.js';
import { html } from '../../../src/platform/html/html.js';
import { Links } from '../../../src/web/console/shared/links.js';
import { shownName, shownSubject, shownWay } from '../../../src/web/console/records/record-names.js';

type Members = Readonly<Record<string, unknown>>;

const GOLDEN = new URL('../../golden/', import.meta.url);
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KEY = /^key_[0-9a-f]+$/;
/** Numbers that merchants and banks assign: they have no other name. */
const OF_OTHERS = ['reference_id', 'external_id'];

const pages = {
  links: new Links(''),
  merchant: (id: string) => html`merchant ${id}`,
  operator: (id: string) => html`person ${id}`,
  actor: (id: string) => html`actor ${id}`,
};
const shown = (name: string, value: string, members: Members = {}): string | undefined => shownName(pages, name, value, members)?.toString();

/** Every text in an event, with the name of its member and the members beside it. */
function textsIn(value: unknown, name: string, members: Members): (readonly [name: string, value: string, members: Members])[] {
  if (typeof value === 'string') return [[name, value, members]];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, name, members));
  if (typeof value !== 'object' || value === null || name === 'meta_data') return [];
  return Object.entries(value).flatMap(([each, member]) => textsIn(member, each, value as Members));
}

const NAMED = readdirSync(GOLDEN)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')).event as { readonly type: string; readonly data: Members })
  .flatMap(({ type, data }) => textsIn(data, '', {}).map(([name, value, members]) => [type, name, value, members] as const))
  .filter(([, name, value]) => (ID.test(value) || KEY.test(value) || /_id$|(?<!^due|^approve)_by$/.test(name)) && !OF_OTHERS.includes(name));

describe('names of event members', () => {
  it('events name something in more than twenty members', () => {
    expect(new Set(NAMED.map(([, name]) => name)).size).toBeGreaterThan(20);
  });

  it.each(NAMED.filter(([type, name]) => type !== 'BreakMatched' || name !== 'items'))('%s.%s is shown by its name', (_, name, value, members) => {
    expect([name, shown(name, value, members)]).toEqual([name, expect.stringContaining(value)]);
  });

  it.each([
    ['merchant_id', {}, 'merchant'],
    ['person_id', {}, 'person'],
    ['owner', {}, 'person'],
    ['key_id', {}, 'actor'],
    ['made_up_by', {}, 'actor'],
    ['charge_id', {}, '/console/history/charge-'],
    ['payout_id', {}, '/console/history/payout-'],
    ['refund_id', {}, '/console/refunds/'],
    ['dispute_id', {}, '/console/disputes/'],
    ['proposal_id', {}, '/console/desk/proposals/'],
    ['break_id', {}, '/console/recon/breaks/'],
    ['statement_id', {}, '/console/recon/files/'],
    ['event_id', {}, '/console/events/'],
    ['item_id', {}, '/console/suspense/'],
    ['item_id', { kind: 'TOP_UP' }, '/console/suspense/'],
    ['item_id', { kind: 'WRITE_OFF' }, '/console/events/'],
    ['record_id', { kind: 'charge' }, '/console/history/charge-'],
    ['record_id', { kind: 'reversal' }, '/console/history/charge-'],
    ['record_id', { kind: 'return' }, '/console/history/payout-'],
    ['record_id', { kind: 'refund-return' }, '/console/refunds/'],
    ['record_id', { kind: 'dispute-fee' }, '/console/disputes/'],
  ])('%s beside %j links to %s…', (name, members, place) => {
    expect(shown(name, '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', members)).toContain(`${place}${place.startsWith('/') ? '' : ' '}0198c0de`);
  });

  it('links a source, and shows another word as text', () => {
    expect(shown('source', 'test-bca')).toContain('/console/recon/sources/test-bca');
    for (const word of ['PENDING', 'AVAILABLE', 'test-<b>']) expect(shown('source', word)).not.toContain('href');
  });

  it.each(['due_by', 'approve_by', 'amount', 'constructor', 'toString'])('%s has no name', (name) => {
    expect(shown(name, 'x')).toBeUndefined();
  });
});

describe('path of a value', () => {
  const MERCHANT = '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11';

  it('names the merchants in the path', () => {
    expect(shownWay(pages, `merchants.${MERCHANT}.payouts[1].above`).toString()).toBe(
      `<code>merchants.</code>merchant ${MERCHANT}<code>.payouts[1].above</code>`,
    );
    expect(shownWay(pages, `content.merchants.${MERCHANT}`).toString()).toBe(`<code>content.merchants.</code>merchant ${MERCHANT}`);
    expect(shownWay(pages, 'fee.value').toString()).toBe('<code>fee.value</code>');
  });

  it('a proposal is about its merchant before the item', () => {
    expect(shownSubject(pages, { content: { item_id: 'i', merchant_id: MERCHANT } })?.toString()).toBe(`merchant ${MERCHANT}`);
    expect(shownSubject(pages, { content: { mode: 'live' } })).toBeUndefined();
  });
});

describe('name of a stream', () => {
  const MERCHANT = '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11';
  const named = { plainMerchantName: (id: string) => (id === MERCHANT ? 'Kopi Kita' : id) };

  it.each([
    [`merchant-${MERCHANT}`, 'Merchant Kopi Kita'],
    [`account-${MERCHANT}-IDR`, 'Account of Kopi Kita in IDR'],
    [`settlement-${MERCHANT}-SGD-12`, 'Settlement 12 of Kopi Kita in SGD'],
    [`charge-${MERCHANT}`, `Charge ${MERCHANT}`],
    ['merchant-operators', 'People'],
    ['merchant-desk', 'Policies of approval'],
    ['merchant-finance-keys', 'Keys of finance'],
    ['house-test-IDR', 'House test-IDR'],
    ['rails', 'Rails'],
  ])('%s is “%s”', (stream, title) => {
    expect(titleIn(named, stream)).toBe(title);
  });
});
