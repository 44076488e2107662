import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { eventually } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';
import { type ChargebookClient, createClient, verifyWebhook, WebhookRefused } from '../../packages/client/src/index.js';
import { generatedFiles } from '../../scripts/generated-files.js';
import { signedHeaders, signingBytes } from '../../src/domain/webhooks/signing.js';

const run = promisify(execFile);

const EXAMPLES = ['shop.mjs', 'webhook-receiver.mjs', 'reconcile.mjs'];

/** A folder with an installed copy of the packed client. */
let folder: string;
let service: TestService;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargebook-client-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@chargebook/client'), { recursive: true });
  const packing = run('npm', ['pack', '--workspace', 'packages/client', '--pack-destination', folder, '--json'], {
    shell: process.platform === 'win32',
  });
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const [{ filename }] = JSON.parse((await packing).stdout) as [{ filename: string }];
  await run('tar', ['-xzf', join(folder, filename), '-C', join(modules, '@chargebook/client'), '--strip-components', '1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types']) await symlink(resolve('node_modules', name), join(modules, name));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service.stop();
  await rm(folder, { recursive: true });
});

describe('the client', () => {
  const body = '{"type":"test"}';
  const sent = (status: number, headers: Record<string, string> = {}) =>
    new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
  const asked = async (answers: readonly (Response | Error)[], ask: (client: ChargebookClient) => Promise<{ response: Response }>) => {
    let requests = 0;
    const answer = (): Promise<Response> => {
      const next = answers[requests++]!;
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    };
    const client = createClient({ url: 'http://127.0.0.1:1/', key: 'sk_test_x', fetch: answer, retries: 2 });
    const status = await ask(client).then(
      ({ response }) => response.status,
      (error: Error) => error.message,
    );
    return { status, requests };
  };
  const order = { ...CHARGE_ORDER, channel_code: 'QR_QRIS', action_flow: 'PAYLOAD', metadata: {} } as const;
  const create = (client: ChargebookClient) => client.POST('/v1/charges', { params: { header: { 'Idempotency-Key': 'a' } }, body: order });
  const preview = (client: ChargebookClient) => client.POST('/v1/charges/preview', { body: order });
  const cancel = (client: ChargebookClient) => client.POST('/v1/charges/{id}/cancel', { params: { path: { id: 'a' } } });

  it('retries only requests that are safe to repeat', async () => {
    const busy = () => sent(503, { 'retry-after': '0' });
    expect(await asked([busy(), new TypeError('fetch failed'), sent(200)], create)).toEqual({ status: 200, requests: 3 });
    expect(await asked([busy(), busy(), busy()], create)).toEqual({ status: 503, requests: 3 });
    expect(await asked([sent(422)], create)).toEqual({ status: 422, requests: 1 });
    expect(await asked([busy(), new TypeError('fetch failed'), sent(200)], preview)).toEqual({ status: 200, requests: 3 });
    expect(await asked([busy()], cancel)).toEqual({ status: 503, requests: 1 });
    expect(await asked([new TypeError('fetch failed')], cancel)).toEqual({ status: 'fetch failed', requests: 1 });
  });

  it('accepts webhooks signed by the service from five minutes ago to five minutes ahead, and no others', async () => {
    const at = 1_769_847_330;
    for (const secret of [`whsec_${Buffer.alloc(32, 7).toString('base64')}`, 'any text of sixteen characters']) {
      const signed = signedHeaders([signingBytes(secret)], 'a', at, body);
      const headers = { ...signed, 'webhook-signature': `v1a,x v1,${'A'.repeat(43)}= ${signed['webhook-signature']}` };
      const verify = (change: Record<string, string> = {}, text = body, seconds = 0) =>
        verifyWebhook(secret, { headers: new Headers({ ...headers, ...change }), body: new TextEncoder().encode(text) }, (at + seconds) * 1_000);
      expect(await verify()).toEqual({ type: 'test' });
      expect(await verify({}, body, 300)).toEqual({ type: 'test' });
      await expect(verify({}, body, 301)).rejects.toThrow(WebhookRefused);
      await expect(verify({}, body, -301)).rejects.toThrow(WebhookRefused);
      await expect(verify({}, `${body} `)).rejects.toThrow('the signature is of another key');
      await expect(verify({ 'webhook-id': 'b' })).rejects.toThrow(WebhookRefused);
      await expect(verify({ 'webhook-timestamp': 'NaN' })).rejects.toThrow(WebhookRefused);
      await expect(verifyWebhook(secret, { headers: {}, body })).rejects.toThrow('the header webhook-id is missing');
    }
  });
});

describe('files generated from the OpenAPI documents', () => {
  it('generated files equal the output of npm run generate', async () => {
    const files = await generatedFiles();
    expect(files.size).toBe(4);
    for (const [path, text] of files) expect([path, (await readFile(path, 'utf8')) === text]).toEqual([path, true]);
  });
});

describe('the types of the packed client', () => {
  const order = `amount: 10000, currency: 'IDR', channel_code: 'QR_QRIS', action_flow: 'PAYLOAD', reference_id: 'order-1'`;
  const create = (body: string, params = `{ header: { 'Idempotency-Key': 'order-1' } }`) =>
    `client.POST('/v1/charges', { params: ${params}, body: { ${body} } })`;
  const wrong: readonly (readonly [what: string, code: string])[] = [
    ['no Idempotency-Key', create(order, '{}')],
    ['an amount as text', create(order.replace('10000', "'10000'"))],
    ['a channel that there is not', create(order.replace('QR_QRIS', 'QR_QRISS'))],
    ['no currency', create(order.replace("currency: 'IDR',", ''))],
    ['a field too much', create(`${order}, amout: 1`)],
    ['metadata that is no text', create(`${order}, metadata: { table: 7 }`)],
    ['a path that there is not', `client.GET('/v1/charge')`],
    ['a method that the path does not have', `client.PUT('/v1/charges', {})`],
    ['a parameter that there is not', `client.GET('/v1/charges', { params: { query: { State: 'PENDING' } } })`],
    ['a status that there is not', `client.GET('/v1/charges', { params: { query: { Status: 'PAID' } } })`],
    ['no id', `client.GET('/v1/charges/{id}')`],
    ['a field of the answer that there is not', `(await dataOf(client.GET('/v1/balances')))[0]?.amount`],
    ['data of another kind of event', `event.type === 'payout.failed' && event.data.channel_code`],
  ];
  const right: readonly (readonly [what: string, code: string])[] = [
    ['a charge', `(await dataOf(${create(order)})).action.embedded_url.length`],
    ['a list', `(await dataOf(client.GET('/v1/charges', { params: { query: { Status: 'PENDING', PageSize: 100 } } }))).items[0]?.net_amount`],
    ['a webhook', `event.type === 'charge.succeeded' && event.data.channel_code`],
    ['a webhook of a balance', `event.type === 'balance.updated' && event.data.available_amount`],
    ['a refusal', `error instanceof ChargebookProblem && error.code === 'insufficient-balance'`],
  ];

  it('accept right requests and reject wrong ones; every example compiles', async () => {
    const head = `import { ChargebookProblem, type ChargebookClient, dataOf, type WebhookEvent } from '@chargebook/client';
      declare const client: ChargebookClient; declare const event: WebhookEvent; declare const error: unknown; void dataOf; void ChargebookProblem;\n`;
    const readme = /```ts\n(.*?)```/s.exec(await readFile('packages/client/README.md', 'utf8'))![1]!;
    await writeFile(join(folder, 'readme.ts'), readme);
    const cases = [...right, ...wrong].map(([, code], index) => ({
      file: join(folder, `case-${index}.ts`),
      text: `${head}export const it = ${code};\n`,
    }));
    await Promise.all(cases.map(({ file, text }) => writeFile(file, text)));
    const examples = [...EXAMPLES.map((name) => resolve('examples', name)), join(folder, 'readme.ts')];
    const program = ts.createProgram([...cases.map(({ file }) => file), ...examples], {
      ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      ...{ strict: true, noEmit: true, skipLibCheck: true, allowJs: true, checkJs: true, types: ['node'] },
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    });
    const faults = (file: string): string[] => {
      const source = program.getSourceFile(file)!;
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, ' '),
      );
    };
    for (const example of examples) expect([example, faults(example)]).toEqual([example, []]);
    const results = cases.map(({ file }) => faults(file));
    right.forEach(([what], index) => expect([what, results[index]]).toEqual([what, []]));
    wrong.forEach(([what], index) => expect([what, results[right.length + index]]).toEqual([what, [expect.any(String)]]));
  });
});

/** Starts an example as a user does, and waits until it prints a line that matches. */
async function start(name: string, env: Readonly<Record<string, string>>, ready: RegExp): Promise<{ match: string; lines: string[] }> {
  const child = spawn(process.execPath, [join('examples', name)], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
  const found = (): string | undefined => lines.map((line) => ready.exec(line)?.[1]).find((each) => each !== undefined);
  await eventually(() => found() !== undefined);
  return { match: found()!, lines };
}

async function post(url: string, body: object = {}): Promise<any> {
  return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
}

describe('the examples', () => {
  let merchant: TestMerchant;
  let env: Record<string, string>;
  beforeAll(async () => {
    merchant = await service.newMerchant();
    env = { CHARGEBOOK_URL: service.url, CHARGEBOOK_KEY: merchant.key, PORT: '0' };
  });

  /** Sets a webhook with the key of the `listen` command that the example prints; .ci/first-use.mjs runs the command itself. */
  async function receiveAt(address: string, lines: readonly string[], events: readonly string[]): Promise<void> {
    const signature_key = /listen --forward-to \S+ --key (\S+)$/m.exec(lines.join('\n'))![1];
    const body = { web_hook_uri: address, signature_key, events };
    expect((await service.call('POST', '/v1/merchants/me/web-hook', { key: merchant.key, body })).status).toBe(200);
  }

  it('shop.mjs sells, receives a payment, and delivers', async () => {
    const { match: shop, lines } = await start('shop.mjs', env, /POST (http\S+)\/buy/);
    await receiveAt(`${shop}/hooks`, lines, ['charge.succeeded']);
    const { order, simulate_at } = await post(`${shop}/buy`);
    const state = async (): Promise<string> => ((await (await fetch(`${shop}/${order}`)).json()) as { state: string }).state;
    expect(await state()).toBe('new');
    // A message that the service did not sign delivers nothing.
    const forged = { type: 'charge.succeeded', data: { reference_id: order as string } };
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': `v1,${'A'.repeat(43)}=` };
    expect((await fetch(`${shop}/hooks`, { method: 'POST', headers, body: JSON.stringify(forged) })).status).toBe(400);
    expect(await state()).toBe('new');
    await post(simulate_at, { outcome: 'succeed' });
    await eventually(async () => (await state()) === 'delivered');
  });

  it('webhook-receiver.mjs catches up, and handles each event once and in order', async () => {
    const receiver = await start('webhook-receiver.mjs', env, /listening on (\S+)/);
    await receiveAt(receiver.match, receiver.lines, ['charge.created']);
    const { body: charge } = await service.call('POST', '/v1/charges', { key: merchant.key, body: CHARGE_ORDER, headers: newIdempotencyKey() });
    await service.call('POST', '/v1/merchants/me/web-hook/test', { key: merchant.key });
    await eventually(() => receiver.lines.some((line) => line.startsWith('test ')) && receiver.lines.filter((line) => /^\d/.test(line)).length >= 4);
    const sequences = receiver.lines.filter((line) => /^\d/.test(line)).map((line) => Number(line.split(' ')[0]));
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect(receiver.lines.filter((line) => line.includes('charge.created'))).toHaveLength(2);
    expect(charge.status).toBe('PENDING');
  });

  it('reconcile.mjs prints the differences between shop and ledger', async () => {
    const { body } = await service.call('GET', '/v1/charges?Status=succeeded', { key: merchant.key });
    const [{ reference_id, amount }] = body.items as [{ reference_id: string; amount: number }];
    const period = [new Date(Date.now() - 86_400_000).toISOString(), new Date().toISOString()];
    const reconcile = async (orders: string) => {
      const file = join(folder, 'orders.csv');
      await writeFile(file, orders);
      const done = run(process.execPath, ['examples/reconcile.mjs', file, ...period], { env: { ...process.env, ...env } });
      return done.then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: { code: number; stdout: string }) => error,
      );
    };
    expect(await reconcile(`${reference_id},${amount}\n`)).toMatchObject({ code: 0, stdout: '1 orders, 0 differences\n' });
    const differing = await reconcile(`${reference_id},${amount - 1}\norder-x,5\n`);
    expect(differing.code).toBe(1);
    expect(differing.stdout).toContain(`${reference_id}: the shop has ${amount - 1}, the ledger ${amount}`);
    expect(differing.stdout).toContain('order-x: the shop has 5, the ledger 0');
  });
});
