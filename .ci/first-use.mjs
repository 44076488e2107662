// What a new user does: the README's start command, one charge created, paid and listed, a clean stop, and a second start.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-first-use-'));

/** A command as a person would give it, until it prints a line that matches. */
async function run([command, ...args], env, ready) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // npm ends before what it started; the output is closed when that has gone as well.
  const gone = new Promise((resolve) => child.once('close', resolve));
  const lines = [];
  const match = await new Promise((resolve, reject) => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        lines.push(line);
        console.log(line);
        const found = ready.exec(line);
        if (found) resolve(found[1]);
      });
    child.once('exit', (code) => reject(new Error(`${command} ${args.join(' ')} ended with ${code}`)));
    setTimeout(() => reject(new Error(`${command} ${args.join(' ')} was not ready within 120 s`)), 120_000).unref();
  });
  return { match, lines, stop: () => (process.kill(-child.pid, 'SIGTERM'), gone) };
}

/** `npm start`, until it serves. */
async function start() {
  const started = performance.now();
  const { match, ...service } = await run(['npm', 'start'], { DATA_DIR: dataDir, PORT: '0' }, /listening on (http\S+)/);
  console.log(`served after ${Math.round(performance.now() - started)} ms`);
  return { url: match, ...service };
}

async function call(method, url, { key, body, headers = {} } = {}) {
  const response = await fetch(url, {
    method,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const first = await start();
const key = /sk_test_[0-9A-Za-z]{36}/.exec(first.lines.join('\n'))?.[0];
assert.ok(key, 'the first start prints a key');
const order = { amount: 10000, currency: 'IDR', channel_code: 'qr_qris', action_flow: 'payload', reference_id: 'order-1' };
const created = await call('POST', `${first.url}/v1/charges`, { key, body: order, headers: { 'idempotency-key': randomUUID() } });
assert.equal(created.status, 200);
assert.equal(created.body.status, 'PENDING');
const paid = await call('POST', created.body.action.simulation_url, { body: { outcome: 'succeed' } });
assert.deepEqual(paid, { status: 200, body: { status: 'SUCCEEDED', settlement_status: 'PENDING' } });
const listed = await call('GET', `${first.url}/v1/charges?Status=succeeded`, { key });
assert.equal(listed.body.total_item_count, 1);
assert.equal(listed.body.items[0].id, created.body.id);
const balance = await call('GET', `${first.url}/v1/balances/IDR`, { key });
assert.equal(balance.body.pending_amount, 9930);

// The shop of examples/, run as its first lines say. The listen command that it prints is the README's.
const shop = await run(['node', 'examples/shop.mjs'], { CHARGEBOOK_URL: first.url, CHARGEBOOK_KEY: key, PORT: '0' }, /POST (http\S+)\/buy/);
const secret = /--key (\S+)/.exec(shop.lines.join('\n'))[1];
const listen = ['npm', 'run', '-s', 'cli', '--', 'listen', '--forward-to', `${shop.match}/hooks`, '--key', secret, '--url', first.url];
const listening = await run(listen, { CHARGEBOOK_KEY: key }, /(forward)/i);
const bought = await call('POST', `${shop.match}/buy`);
await call('POST', bought.body.simulate_at, { body: { outcome: 'succeed' } });
while ((await call('GET', `${shop.match}/${bought.body.order}`)).body.state !== 'delivered') await delay(200);
await listening.stop();
await shop.stop();
console.log('the shop delivered what was paid');
await first.stop();

const second = await start();
const found = await call('GET', `${second.url}/v1/charges/${created.body.id}`, { key });
assert.equal(found.body.status, 'SUCCEEDED');
await second.stop();
await rm(dataDir, { recursive: true });
console.log('first use: ok');
