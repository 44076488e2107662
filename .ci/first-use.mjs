// What a new user does: the README's start command, one charge created, paid and listed, a clean stop, and a second start.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const dataDir = await mkdtemp(join(tmpdir(), 'chargebook-first-use-'));

/** `npm start`, until it serves. */
async function start() {
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  // npm ends before what it started; the output is closed when the service has gone as well.
  const gone = new Promise((resolve) => child.once('close', resolve));
  const lines = [];
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      console.log(line);
      const match = /listening on (http\S+)/.exec(line);
      if (match) resolve(match[1]);
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
    setTimeout(() => reject(new Error('npm start did not listen within 120 s')), 120_000).unref();
  });
  console.log(`served after ${Math.round(performance.now() - started)} ms`);
  return { url, lines, stop: () => (process.kill(-child.pid, 'SIGTERM'), gone) };
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
await first.stop();

const second = await start();
const found = await call('GET', `${second.url}/v1/charges/${created.body.id}`, { key });
assert.equal(found.body.status, 'SUCCEEDED');
await second.stop();
await rm(dataDir, { recursive: true });
console.log('first use: ok');
