import { CHARGE_ORDER } from './service.js';

/** One request that must be refused. `{customer}` in a body or path stands for a customer that exists. */
export interface BadRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly caller: 'merchant' | 'finance';
  /** Sent as it is. */
  readonly body?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const CHARGE: Fields = CHARGE_ORDER;
const PAYOUT: Fields = {
  amount: 1_000_000,
  currency: 'IDR',
  bank_account_name: 'Toko Melati',
  bank_account_number: '1234567890',
  bank_name: 'Bank Central Asia',
  reference_id: 'payroll-1',
  description: 'January',
  metadata: {},
};
const CUSTOMER: Fields = {
  name: 'Sari Dewi',
  description: 'Buys every Friday',
  email: 'sari@example.com',
  phone: '+62 812 3456 7890',
  address: { line1: 'Jalan Melati 5', city: 'Bandung', country: 'ID' },
  shipping: { phone: '+62 812 3456 7890', receiver_name: 'Sari Dewi', address: { country: 'ID' } },
  tax: { id_type: 'NPWP', id_value: '09.254.294.3-407.000' },
  metadata: { tier: 'gold' },
};
const WEB_HOOK: Fields = { web_hook_uri: 'https://shop.example.com/hooks', signature_key: 'a-key-of-sixteen-characters', events: [] };

/** Wrong values for fields of any kind, or of most: the corpus below leaves out the values that a field accepts. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 12.5],
  ['zero', 0],
  ['true', true],
  ['an empty text', ''],
  ['a control character', 'a\u0000b'],
  ['half of a pair', 'a\ud800b'],
  ['a text of 3,000', 'x'.repeat(3_000)],
  ['an array', ['a']],
  ['an object', { a: { b: 1 } }],
];

/** Accepted by the field although the list above calls it wrong. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  description: ['null', 'an empty text'],
  metadata: ['null'],
  email: ['null'],
  phone: ['null'],
  address: ['null'],
  shipping: ['null'],
  tax: ['null'],
  events: ['null'],
};
const ACCEPTED_OF_PAYOUT: readonly string[] = ['null', 'an empty text'];

function* ofBody(name: string, method: 'POST' | 'PUT', path: string, valid: Fields): Generator<BadRequest> {
  const request = (what: string, body: string): BadRequest => ({ name: `${name}: ${what}`, method, path, caller: 'merchant', body });
  for (const field of Object.keys(valid)) {
    const isOptional = name === 'payout' && field === 'reference_id';
    const accepted = isOptional ? ACCEPTED_OF_PAYOUT : (ACCEPTED[field] ?? []);
    for (const [what, value] of WRONG) {
      if (!accepted.includes(what)) yield request(`${field} is ${what}`, JSON.stringify({ ...valid, [field]: value }));
    }
  }
  yield request('an unknown field', JSON.stringify({ ...valid, surprise: 1 }));
  yield request('a field with a name for pointers', JSON.stringify({ ...valid, 'a/b~c': 1 }));
  yield request('nothing', '{}');
  yield request('an array', '[]');
  yield request('a text', '"charge"');
  yield request('null', 'null');
  yield request('no JSON', '{"amount": 1,}');
  yield request('a name that stands twice', `{"name":"a","name":"b",${JSON.stringify(valid).slice(1)}`);
  yield request('nested without end', `${'['.repeat(40)}${']'.repeat(40)}`);
  yield request('a prototype', `{"__proto__":{"a":1},${JSON.stringify(valid).slice(1)}`);
}

const more = (name: string, method: 'POST' | 'PUT', path: string, valid: Fields, cases: readonly Fields[]): BadRequest[] =>
  cases.map((change) => ({
    name: `${name}: ${JSON.stringify(change).slice(0, 80)}`,
    method,
    path,
    caller: 'merchant',
    body: JSON.stringify({ ...valid, ...change }),
  }));

function queries(path: string, caller: BadRequest['caller'], texts: readonly string[]): BadRequest[] {
  return texts.map((text) => ({ name: `${path}?${text.slice(0, 80)}`, method: 'GET', path: `${path}?${text}`, caller }));
}

const PAGES = ['PageNumber=0', 'PageNumber=x', 'PageSize=101', 'PageSize=0', 'PageSize=1.5', 'PageSize=10&pagesize=20', 'Surprise=1'];
const RANGE = ['DateFrom=yesterday', 'DateFrom=2026-02-30T00:00:00Z', 'DateTo=2026-01-01T00:00:00', 'DateTo=', 'DateFrom=%FF'];
const MERCHANT = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';

/** Some 400 requests that are refused before anything is decided, in a fixed order. */
export function badRequests(): BadRequest[] {
  return [
    ...ofBody('charge', 'POST', '/v1/charges', CHARGE),
    ...more('charge', 'POST', '/v1/charges', CHARGE, [
      { amount: -1 },
      { amount: 9_007_199_254_740_992 },
      { amount: '10000' },
      { currency: 'IDX' },
      { currency: 'ıdr' },
      { channel_code: 'qr_other' },
      { action_flow: 'popup' },
      { reference_id: 'x'.repeat(256) },
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v'])) },
      { metadata: { ['k'.repeat(41)]: 'v' } },
      { metadata: { '': 'v' } },
      { metadata: { k: 1 } },
      { metadata: { k: 'v'.repeat(501) } },
      { amount: 0, currency: 'XXX', channel_code: 1, surprise: true },
    ]),
    ...ofBody('payout', 'POST', '/v1/payouts', PAYOUT),
    ...more('payout', 'POST', '/v1/payouts', PAYOUT, [
      { bank_account_number: '123' },
      { bank_account_number: '12-34-56' },
      { bank_account_number: '1'.repeat(35) },
      { reference_id: 'x'.repeat(256) },
    ]),
    ...ofBody('customer', 'POST', '/v1/customers', CUSTOMER),
    ...more('customer', 'POST', '/v1/customers', CUSTOMER, [
      { email: 'sari' },
      { email: 'sari@localhost' },
      { phone: '12' },
      { phone: 'call me' },
      { address: { country: 'XX' } },
      { address: { line1: 5, street: 'x' } },
      { shipping: { address: { country: 62 } } },
      { shipping: { phone: null, address: [] } },
      { tax: { id_type: 'x'.repeat(65) } },
    ]),
    ...more('customer update', 'PUT', '/v1/customers', { id: MERCHANT }, [{ id: 'x' }, { id: 5 }, { name: null }, { name: '' }, { nickname: 'S' }]),
    ...ofBody('web-hook', 'POST', '/v1/merchants/me/web-hook', WEB_HOOK),
    ...more('web-hook', 'POST', '/v1/merchants/me/web-hook', WEB_HOOK, [
      { web_hook_uri: 'http://shop.example.com' },
      { web_hook_uri: 'https://127.0.0.1/' },
      { web_hook_uri: 'https://u:p@shop.example.com/' },
      { signature_key: 'whsec_%%%' },
      { events: ['charge.exploded'] },
      { events: ['charge.created', 7] },
    ]),
    ...queries('/v1/charges', 'merchant', [
      ...PAGES,
      ...RANGE,
      'Currency=IDX',
      'Id=5',
      'ChannelCode=qr_other',
      'Status=lost',
      'SearchText=',
      `SearchText=${'x'.repeat(201)}`,
      'SearchText=%00',
      'OrderBy=name',
      'IsDescending=yes',
      'Status=paid&OrderBy=x&PageSize=0',
    ]),
    ...queries('/v1/payouts', 'merchant', [...PAGES, ...RANGE, 'Status=lost', 'Currency=1']),
    ...queries('/v1/customers', 'merchant', [...PAGES, 'IsDescending=']),
    ...queries('/v1/settlements', 'merchant', PAGES),
    ...queries('/v1/balances', 'merchant', ['AsOf=now', 'AsOf=2999-01-01T00:00:00Z', 'Currency=IDR']),
    ...queries('/v1/events', 'merchant', ['After=x', 'After=-1', 'Type=charge', 'PageSize=1001', 'PageNumber=1']),
    ...queries('/audit/events', 'finance', ['After=x', 'Limit=0', 'Limit=1001', 'MerchantId=5', 'Surprise=1']),
    ...queries('/audit/journal', 'finance', ['Currency=1', 'EventId=5', 'DateFrom=x', 'Limit=a', 'Mode=all', 'Account=cash']),
    ...queries('/audit/journal/totals', 'finance', ['Currency=1', 'DateTo=x', 'Account=', 'Limit=1', 'EventId=5']),
    ...queries('/audit/trial-balance', 'finance', ['AsOf=x', 'MerchantId=x', 'Mode=both', 'Surprise=1']),
    ...queries('/audit/chain/proof', 'finance', ['EventId=5', '', 'Event=1']),
    { name: 'delete without an id', method: 'DELETE', path: '/v1/customers', caller: 'merchant' },
    { name: 'delete with an id that is none', method: 'DELETE', path: '/v1/customers?Id=5', caller: 'merchant' },
    { name: 'a body where none is taken', method: 'POST', path: `/v1/charges/${MERCHANT}/cancel`, caller: 'merchant', body: '{"a":1}' },
    { name: 'an array where nothing is taken', method: 'POST', path: `/v1/charges/${MERCHANT}/cancel`, caller: 'merchant', body: '[1]' },
  ];
}
