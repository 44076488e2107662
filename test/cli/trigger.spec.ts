import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ServiceClient } from '../../src/cli/service-client.js';
import { trigger, TRIGGERS } from '../../src/cli/triggers.js';
import { EVENT_KINDS } from '../../src/ledger/published/outbox-messages.js';
import { concurrently } from '../../src/platform/worker/concurrently.js';
import { makeKey } from '../../src/platform/auth/api-key.js';
import { eventually } from '../support/eventually.js';
import { runCli, startCli, type Run } from '../support/run-cli.js';
import { startTestService, type Answer, type TestMerchant, type TestService } from '../support/service.js';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Reminders other than the default ones. */
const REMINDERS = [600, 7_200];
let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startTestService({ DISPUTE_REMINDER_SECONDS: REMINDERS.join() });
  merchant = await service.newMerchant();
});
afterAll(() => service.stop());

const cli = (args: readonly string[], key = merchant.key): Promise<Run> => runCli([...args, '--url', service.url], { CHARGEBOOK_KEY: key });

describe('trigger', () => {
  it('each kind of event can be triggered', async () => {
    expect([...TRIGGERS].sort()).toEqual([...EVENT_KINDS].sort());
    await concurrently(TRIGGERS, 6, async (kind) => {
      const { key, merchant_id } = await service.newMerchant();
      const client = new ServiceClient(service.url, key, new AbortController().signal);
      // Retries while a busy service cannot check keys.
      await eventually(async () => (await client.newestSequence().catch(() => -1)) === 0);
      await trigger(client, kind, async () => REMINDERS);
      await eventually(async () => {
        const events = await client.get<{ merchant_id: string; type: string }[]>(`/v1/events?Type=${kind}`);
        return events.some((event) => event.merchant_id === merchant_id && event.type === kind);
      });
      expect(await client.newestSequence()).toBeGreaterThan(0);
    });
  });

  it('cancels another payout when the bank has the first already', async () => {
    const { key } = await service.newMerchant();
    const cancelled: number[] = [];
    // A proxy before the service. It delays the first cancellation until the payout is no longer PENDING.
    const front = createServer((request, response) => {
      void (async () => {
        const path = request.url!;
        const body = await text(request);
        const isCancel = path.endsWith('/cancel');
        const read = async (): Promise<Answer> => service.call('GET', path.replace('/cancel', ''), { key });
        if (isCancel && cancelled.length === 0) await eventually(async () => (await read()).body.payout_status !== 'PENDING');
        const { authorization, 'idempotency-key': idempotencyKey } = request.headers as Record<string, string>;
        const headers = { ...(authorization && { authorization }), ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) };
        const answer = await service.call(request.method!, path, { headers, ...(body !== '' && { body: JSON.parse(body) }) });
        if (isCancel) cancelled.push(answer.status);
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
      })();
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    await trigger(new ServiceClient(url, key, new AbortController().signal), 'payout.cancelled', async () => REMINDERS);
    expect(cancelled[0]).toBe(409);
    expect(cancelled.at(-1)).toBe(200);
    front.close();
  });

  it('prints the triggered event', async () => {
    const { code, stdout, stderr } = await cli(['trigger', 'charge.reversed', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'charge.reversed', merchant_id: merchant.merchant_id, data: { settlement_status: 'REVERSED' } });
  });

  it.each(['MY', 'SG'])('pays out in the currency of a merchant of %s', async (country) => {
    const { key } = await service.newMerchant({ country });
    expect(await cli(['trigger', 'payout.created', '--json'], key)).toMatchObject({ code: 0, stderr: '' });
  });

  it('prints whether a webhook receives the event', async () => {
    const { key } = await service.newMerchant();
    const triggered = async (kind: string): Promise<string> => {
      const { code, stdout } = await cli(['trigger', kind], key);
      expect(code).toBe(0);
      return stdout;
    };
    expect(await triggered('charge.created')).toContain('is not delivered: no webhook is set');
    const body = { web_hook_uri: 'https://shop.example/hooks', signature_key: 'k'.repeat(32), events: ['charge.created'] };
    expect((await service.call('POST', '/v1/merchants/me/web-hook', { key, body })).status).toBe(200);
    expect(await triggered('charge.created')).toContain('and on its way to the webhook');
    expect(await triggered('customer.created')).toContain('is not delivered: the webhook does not select customer.created');
  });

  it('changes no live merchant', async () => {
    const live = await service.newMerchant({ mode: 'live' });
    expect(await cli(['trigger', 'charge.created'], live.key)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('a live merchant'),
    });
    expect((await service.call('GET', '/v1/charges', { key: live.key })).body.total_item_count).toBe(0);
  });

  it('faults print one line with the remedy', async () => {
    expect(await cli(['trigger', 'charge.created'], makeKey('sk_test_'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/401.*\n$/),
    });
    expect(await runCli(['trigger', 'charge.created'], {})).toMatchObject({ code: 1, stderr: expect.stringContaining('CHARGEBOOK_KEY') });
    expect(await cli(['trigger', 'charge.exploded'])).toMatchObject({ code: 2 });
    expect(await cli(['trigger', 'charge.suceeded'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean charge.succeeded?') });
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const away = await runCli(['trigger', 'charge.created', '--url', `http://127.0.0.1:${port}`], { CHARGEBOOK_KEY: merchant.key });
    expect(away).toMatchObject({ code: 1, stderr: expect.stringMatching(/ECONNREFUSED; set its address with --url, .*PORT.*\n$/) });
  });
});

describe('listen --forward-to', () => {
  it('sends new events in sequence, like the webhook, and waits for an unreachable receiver', async () => {
    const { key } = await service.newMerchant();
    expect((await cli(['trigger', 'charge.created'], key)).code).toBe(0);
    const received: Received[] = [];
    let isAway = true;
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (!isAway) received.push({ headers: request.headers, body });
        response.writeHead(isAway ? 500 : 204).end();
        isAway = false;
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    const child = startCli(['listen', '--forward-to', target, '--url', service.url], { CHARGEBOOK_KEY: key });
    try {
      const output = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
      child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
      await eventually(() => output.stderr.includes('Ctrl-C ends'));
      expect(output.stderr).toContain(`forwarding the events after #1 of ${service.url} to ${target}, signed with whsec_`);
      expect((await cli(['trigger', 'charge.succeeded'], key)).code).toBe(0);
      await eventually(() => received.length === 3);

      const secret = /whsec_\S+/.exec(output.stderr)![0];
      const events = received.map(
        ({ headers, body }) => new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>,
      );
      expect(events.map(({ type, sequence, previous_sequence }) => [type, sequence, previous_sequence])).toEqual([
        ['charge.created', 2, 1],
        ['charge.succeeded', 3, 2],
        ['balance.updated', 4, 3],
      ]);
      expect(received[0]!.headers['webhook-id']).toBe(events[0]!.id);
      expect(output.stdout).toMatch(/charge\.created {2}#2 after 1.*\n {4}→ 500 from/);
    } finally {
      child.kill('SIGINT');
      await once(child, 'exit');
      receiver.close();
    }
    expect(child.exitCode).toBe(0);
  });

  it.each([
    ['the placeholder of the README', 'sk_test_…', 'is incomplete or mistyped'],
    ['a key with a wrong check character', () => merchant.key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), 'is incomplete or mistyped'],
    ['a key of finance', () => makeKey('fk_'), 'begins with fk_, not with sk_test_ or sk_live_'],
  ] as const)('rejects %s in one line, without repeating it', async (_what, given, words) => {
    const key = typeof given === 'string' ? given : given();
    const { code, stdout, stderr } = await cli(['trigger', 'charge.created'], key);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(words)]);
    expect(stderr).not.toContain(key);
  });

  it.each([
    [['listen'], '--key is missing'],
    [['listen', '--key', 'a key of 16 or more', '--after', '1'], '--after can only be used with --forward-to'],
    [['listen', '--forward-to', 'ftp://127.0.0.1/'], 'Must be an http or https address'],
    [['listen', '--forward-to', 'http://user:secret@127.0.0.1/'], 'Must be an http or https address'],
  ])('%j is wrong usage', async (args, words) => {
    expect(await runCli(args, {})).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  });
});
