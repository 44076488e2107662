import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDispute } from '../support/disputes.js';
import { eventually } from '../support/eventually.js';
import { newFinanceKey, newOperator } from '../support/finance.js';
import { bankDay, bankFile } from '../support/recon.js';
import {
  callUntilShown,
  CHARGE_ORDER,
  newIdempotencyKey,
  startTestService,
  type Answer,
  type CallOptions,
  type TestService,
} from '../support/service.js';

/** The proxy serves the service below this path, and removes it from requests. */
const BELOW = '/pay';
const PAGES_MAX = 150;

let service: TestService;
let proxy: Server;
let publicUrl: string;
const fromProxy: Answer[] = [];

beforeAll(async () => {
  proxy = createServer((incoming, outgoing) => {
    if (!incoming.url!.startsWith(`${BELOW}/`)) return void outgoing.writeHead(404).end('not the service');
    const { method, headers } = incoming;
    const forwarded = request(service.url + incoming.url!.slice(BELOW.length), { method: method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${BELOW}`;
  service = await startTestService({ PUBLIC_URL: publicUrl });
});
afterAll(async () => {
  await service.stop();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

async function call(method: string, path: string, options?: CallOptions): Promise<Answer> {
  const answer = await callUntilShown(method, new URL(path.startsWith('http') ? path : publicUrl + path), options);
  fromProxy.push(answer);
  return answer;
}

/** Members with Base64, of which one in 64 begins with a slash as an address does. */
const BASE64 = ['signature', 'sealed'];

/** Addresses in the members of a JSON document: those from the root of the host, and those on this host. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\/[^/]/.test(value) || value.startsWith(new URL(publicUrl).origin) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (BASE64.includes(name) ? [] : addressesIn(each)));
}

const isBelow = (address: string): boolean => new URL(address, publicUrl).href.startsWith(`${publicUrl}/`);

it('every address in an answer is below the path of PUBLIC_URL, and leads to its record', async () => {
  const { key } = await service.newMerchant();
  const [{ key: finance }, controller, preparer] = [
    await newFinanceKey(service),
    await newOperator(service, 'Ani', ['controller']),
    await newOperator(service, 'Siti', ['preparer']),
  ];
  await eventually(async () => (await service.call('GET', '/audit/recon/sources', { key: preparer.key })).status === 200);
  const create = async (path: string, body: unknown, options: CallOptions = { key }): Promise<Answer> => {
    const answer = await call('POST', path, { headers: newIdempotencyKey(), ...options, body });
    expect([path, answer.text, [200, 201].includes(answer.status)]).toEqual([path, answer.text, true]);
    const location = answer.headers.get('location')!;
    expect([path, location.startsWith(`${BELOW}/`)]).toEqual([path, true]);
    const read = await call('GET', new URL(location, publicUrl).href, { key: options.key! });
    expect([location, read.status]).toEqual([location, 200]);
    return answer;
  };

  const { body: charge } = await create('/v1/charges', CHARGE_ORDER);
  await call('POST', charge.action.simulation_url, { body: { outcome: 'succeed' } });
  await create(`/v1/charges/${charge.id}/refunds`, { amount: 1_000 });
  await create('/v1/customers', { name: 'Budi Santoso', email: 'budi@example.com' });
  const dispute = await openDispute(service.stores.eventStore, charge.id);
  await eventually(async () => (await call('GET', `/v1/disputes/${dispute}`, { key })).status === 200);
  const pdf = { key, headers: { 'content-type': 'application/pdf' } };
  await create(`/v1/disputes/${dispute}/evidence?Name=a.pdf&Category=receipt`, Buffer.from('%PDF-1.7\nreceipt'), pdf);
  const bank = { mode: 'test', name: 'bca', kind: 'BANK', currencies: ['IDR'], account: '1234567890', format: 'camt053' };
  await create('/audit/recon/sources', { ...bank, time_zone: 'Asia/Jakarta', reason: 'the account' }, { key: controller.key });
  const file = { key: preparer.key, headers: { 'content-type': 'application/octet-stream' } };
  await create('/audit/recon/sources/test-bca/statements', Buffer.from(bankFile(bankDay(1, 100, [10]))), file);
  const settings = { kind: 'roles', content: { person_id: preparer.person_id, roles: ['preparer', 'approver'] }, reason: 'joins' };
  await create('/audit/proposals', settings, { key: preparer.key });
  const lists = ['/v1/charges', '/v1/payouts', '/v1/settlements', '/v1/refunds', '/v1/disputes', '/v1/customers', '/v1/merchants/me', '/v1/balances'];
  for (const path of lists) await call('GET', `${path}${/me|balances/.test(path) ? '' : '?PageSize=1'}`, { key });
  for (const path of ['/audit/events', '/audit/chain/head', '/audit/recon/breaks', '/audit/settlements', '/audit/payouts'])
    await call('GET', path, { key: finance });
  await call('GET', '/v1/nowhere', { key });

  const given = fromProxy.flatMap(({ headers, body }) => [
    ...addressesIn(body),
    ...[...(headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, address]) => address!),
  ]);
  expect(given.length).toBeGreaterThan(10);
  expect(given.filter((address) => !isBelow(address))).toEqual([]);

  const signedIn = await call('POST', '/console/login', {
    body: new URLSearchParams({ key: preparer.key }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(publicUrl).origin },
  });
  expect([signedIn.status, isBelow(signedIn.headers.get('location')!)]).toEqual([303, true]);
  const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]!, accept: 'text/html' };
  const open = [`${publicUrl}/`, `${publicUrl}/docs`, `${publicUrl}/console`, charge.action.embedded_url, charge.action.simulation_url];
  const seen = new Set<string>(open);
  for (let at = 0; at < open.length && at < PAGES_MAX; at += 1) {
    const page = open[at]!;
    const { status, text, headers: sent } = await call('GET', page, { headers });
    expect([page, status, status < 400]).toEqual([page, status, true]);
    const found = [...text.matchAll(/ (?:href|src|action)="([^"#]+)/g)].map(([, address]) => address!.replaceAll('&amp;', '&'));
    const moved = sent.get('location');
    for (const address of [...(sent.get('content-type')?.startsWith('text/html') ? found : []), ...(moved === null ? [] : [moved])]) {
      const { href, origin } = new URL(address, page);
      if (origin !== new URL(publicUrl).origin) continue;
      expect([page, address, isBelow(href)]).toEqual([page, address, true]);
      if (!seen.has(href) && !text.includes(`action="${address.replaceAll('&', '&amp;')}"`)) open.push(href);
      seen.add(href);
    }
  }
  expect(open.length).toBeGreaterThan(40);
});
