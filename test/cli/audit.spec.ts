import { spawnSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Verification } from '../../src/transparency-log/recount.js';
import { verifyFile } from '../../src/transparency-log/verify-file.js';
import { issueKey } from '../../src/domain/merchants/merchant.commands.js';
import { eventually } from '../support/eventually.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';
import { runCli, type Run } from '../support/run-cli.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 3).toString('base64');
const CHECKER = fileURLToPath(new URL('../../docs/audit-checker.py', import.meta.url));
/** An unreachable database: a command that works with it needs none. */
const NOWHERE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PORT: 'none' };

describe('audit', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let finance: string;
  let folder: string;
  let head: { events: number; hash: string; signature: string; sealed_on: string };
  let lines: string[];
  let proof: any;

  const online = (...args: string[]): Promise<Run> => runCli(args, { DATABASE_URL: service.stores.databaseUrl, ENCRYPTION_KEY });
  const post = async (path: string, body: object) =>
    (await service.call('POST', path, { key: merchant.key, body, headers: newIdempotencyKey() })).body;
  const get = async (path: string) => (await service.call('GET', path, { key: finance })).body;
  const file = async (text: string): Promise<string> => {
    const path = join(folder, `file-${(files += 1)}`);
    await writeFile(path, text);
    return path;
  };
  let files = 0;
  const checked = async (text: string, heads = [head.hash]) =>
    verifyFile(await file(text), { hashes: heads, from: [] }, new AbortController().signal);

  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY });
    folder = await mkdtemp(join(tmpdir(), 'chargebook-audit-'));
    merchant = await service.newMerchant();
    finance = (await issueKey(service.deps, { kind: 'finance' }, { name: 'Auditor', expires_on: null })).key;
    // A line separator, which does not end a line of NDJSON, and numbers and keys that JSON writers encode differently.
    await post('/v1/charges', { ...CHARGE_ORDER, description: 'two\u2028lines \ud83c\udf63', metadata: { 10: 'ten', 2: 'two', __proto__x: '1e21' } });
    const customer = await post('/v1/customers', { name: 'Zebulon Quarterstaff' });
    // A client's text that looks like a seal, to spoil the proof of its event.
    const seal = `[sealed ${'0123456789abcdef'.repeat(4)}]`;
    const charge = await post('/v1/charges', {
      ...CHARGE_ORDER,
      amount: 90_000_000,
      reference_id: seal,
      description: seal,
      metadata: { [seal.slice(0, 40)]: seal },
    });
    const simulate = (outcome: string) => service.call('POST', charge.action.simulation_url ?? charge.simulation_url, { body: { outcome } });
    await simulate('succeed');
    await simulate('settle');
    await post('/v1/payouts', {
      amount: 300_000,
      currency: 'IDR',
      bank_name: 'BCA',
      bank_account_name: 'Zebulon',
      bank_account_number: '1234560003',
    });
    await service.call('DELETE', `/v1/customers/${customer.id}`, { key: merchant.key });
    const [first] = (await service.call('GET', `/v1/charges/${charge.id}/events`, { key: merchant.key })).body;
    proof = await get(`/audit/chain/proof?EventId=${first.id}`);
    // Waits until nothing is under way: the payout is at the bank, and everything is sealed.
    await eventually(async () => {
      const { items } = await get('/audit/events?Type=PayoutSubmitted');
      head = await get('/audit/chain/head');
      return items.length === 1 && head.events >= items[0].position;
    });
    const exported = await online('events', 'export');
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    lines = exported.stdout.trimEnd().split('\n');
    expect(lines.length).toBe(head.events);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('prints the public key of the signed heads', async () => {
    const { public_key, pem } = JSON.parse((await online('audit', 'key', '--json')).stdout);
    const key = createPublicKey(pem);
    expect(key.export({ format: 'jwk' }).x).toBe(Buffer.from(public_key, 'hex').toString('base64url'));
    const signed = `chargebook chain head 1\n${head.events}\n${head.hash}\n${head.sealed_on}\n`;
    expect(verify(null, Buffer.from(signed), key, Buffer.from(head.signature, 'base64'))).toBe(true);
  });

  it('verifies the whole log beside the service', async () => {
    const run = await online('audit', 'verify', '--json', '--head', head.hash.toUpperCase());
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toEqual({
      checked: 'log',
      events: head.events,
      head: head.hash,
      trial_balance_difference: 0,
      broken_at: null,
      fault: null,
      unsealed: 0,
    });
  });

  it('verifies an export and a proof without a database', async () => {
    for (const text of [lines.join('\n'), JSON.stringify(proof, null, 2)]) {
      const isProof = text.startsWith('{\n');
      const kept = isProof ? proof.head : head;
      const run = await runCli(['audit', 'verify', '--offline', await file(text), '--head', kept.hash, '--json'], NOWHERE);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(run.stdout)).toMatchObject({ events: kept.events, head: kept.hash, trial_balance_difference: 0, broken_at: null });
    }
  });

  it('describes the checked content, and nothing else', async () => {
    const words = async (text: string, ...kept: string[]) =>
      (await runCli(['audit', 'verify', '--offline', await file(text), ...kept], NOWHERE)).stdout.trimEnd().split('\n');
    const { position, type, id } = proof.event;
    const between = await get(`/audit/chain/consistency?First=${proof.head.events}&Second=${head.events}`);
    expect(await words(JSON.stringify(proof), '--head', proof.head.hash)).toEqual([
      `${proof.head.hash} is the root of the first ${proof.head.events}.`,
      `Event ${position}, ${type} ${id}, is as it was sealed under this head.`,
      'No other event was checked.',
    ]);
    expect(await words(JSON.stringify(between), '--head', head.hash)).toEqual([
      `${proof.head.hash} is the root of the first ${proof.head.events}.`,
      `${head.hash} is the root of the first ${head.events}.`,
      `The first ${proof.head.events} of ${head.events} events are those of the earlier head: the log was only appended to.`,
      'Events themselves were not checked.',
    ]);
    expect(await words(lines.join('\n'), '--head', head.hash)).toEqual([
      `${head.events} events, ${head.events} under a head, 0 behind it.`,
      `Head ${head.hash}`,
      'Debits and credits differ by 0',
      `${head.hash} is the root of the first ${head.events}.`,
      'Everything is as it was sealed.',
    ]);
    const log = (await online('audit', 'verify')).stdout.split('\n');
    expect([log[0], log.at(-2)]).toEqual([
      expect.stringMatching(/^Ledger postgres\w*:\/\/[^@]+ \(DATABASE_URL\)/),
      'Everything is as it was sealed.',
    ]);
  });

  it('exports no secret and no personal data, erased or not', () => {
    expect(lines.join('\n')).not.toMatch(/Zebulon|1234560003/);
    expect(lines.filter((line) => line.includes('[sealed '))).not.toHaveLength(0);
  });

  it('finds an older head in a longer export', async () => {
    const later = lines.slice(0, proof.head.events);
    expect(await checked(lines.join('\n'), [proof.head.hash])).toMatchObject({ broken_at: null, unsealed: lines.length - later.length });
    expect(await checked(later.join('\n'), [proof.head.hash])).toMatchObject({ broken_at: null, unsealed: 0 });
  });

  it('verifies that the log only grew since a kept head, online and from a file', async () => {
    const keptFile = await file(JSON.stringify(proof.head));
    const word = `${proof.head.events}:${proof.head.hash}`;
    const forged = `${proof.head.events}:${'0'.repeat(64)}`;
    const exported = await file(lines.join('\n'));
    const path = `/audit/chain/consistency?First=${proof.head.events}&Second=${head.events}`;
    const between = await get(path);
    const consistent = await file(JSON.stringify(between));
    const bent = await file(JSON.stringify({ ...between, consistency_path: [...between.consistency_path, head.hash] }));
    const verifying = async (...args: string[]) => {
      const run = await runCli(
        ['audit', 'verify', '--json', ...args],
        args.includes('--offline') ? NOWHERE : { DATABASE_URL: service.stores.databaseUrl, ENCRYPTION_KEY },
      );
      return { code: run.code, broken_at: (JSON.parse(run.stdout) as Verification).broken_at };
    };
    const good = { code: 0, broken_at: null };
    const bad = { code: 1, broken_at: proof.head.events };
    expect(await verifying('--from', keptFile)).toEqual(good);
    expect(await verifying('--from', word, '--from', `${head.events}:${head.hash}`)).toEqual(good);
    expect(await verifying('--from', forged)).toEqual(bad);
    expect(await verifying('--offline', exported, '--from', keptFile)).toEqual(good);
    expect(await verifying('--offline', exported, '--from', forged)).toEqual(bad);
    expect(await verifying('--offline', consistent, '--from', word, '--head', head.hash)).toEqual(good);
    expect(await verifying('--offline', consistent, '--from', forged)).toEqual(bad);
    expect(await verifying('--offline', bent, '--from', word)).toEqual(bad);
    for (const none of [head.hash, `0:${head.hash}`, exported, join(folder, 'none')]) {
      expect(await runCli(['audit', 'verify', '--from', none], NOWHERE)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('must be a file'),
      });
    }

    const python = (name: string, first: string, second: string) =>
      spawnSync('python3', [CHECKER, name, first, second], { encoding: 'utf8' }).stdout.trim();
    const grown = `ok: ${proof.head.events} events became ${head.events}`;
    expect(python(consistent, proof.head.hash, head.hash)).toBe(grown);
    expect(python(bent, proof.head.hash, head.hash)).toMatch(/^broken/);
    expect(python(consistent, '0'.repeat(64), head.hash)).toMatch(/^broken/);
    for (let first = 1; first < head.events; first += 1) {
      const answer = await get(`/audit/chain/consistency?First=${first}&Second=${head.events}`);
      expect(python(await file(JSON.stringify(answer)), answer.first.hash, head.hash)).toBe(`ok: ${first} events became ${head.events}`);
    }
  });

  describe('detects in an export', () => {
    const edited = (at: number, from: string | RegExp, to: string) => lines.with(at, lines[at]!.replace(from, to)).join('\n');
    const charge = () => lines.findIndex((line) => line.includes('"ChargeCreated"'));
    const cases: [string, () => string, () => number][] = [
      ['a shown amount', () => edited(charge(), '"amount":10000', '"amount":10001'), () => charge() + 1],
      ['a stored amount', () => edited(charge(), '\\"amount\\":10000', '\\"amount\\":10001'), () => charge() + 1],
      ['both', () => edited(charge(), /"amount(\\?)":10000/g, '"amount$1":10001'), () => charge() + 1],
      ['a seal', () => edited(1, /\[sealed [0-9a-f]/, '[sealed x'), () => 2],
      ['a line deleted', () => lines.toSpliced(3, 1).join('\n'), () => 4],
      ['two lines swapped', () => lines.with(2, lines[3]!).with(3, lines[2]!).join('\n'), () => 3],
      ['a line that is no event', () => lines.with(5, '{}').join('\n'), () => 6],
      ['the end cut off', () => lines.slice(0, -2).join('\n'), () => lines.length - 1],
      [
        'a byte and its hash',
        () => edited(charge(), /"leaf_hash":"\w+"/, '"leaf_hash":null').replace('order-1001', 'order-1002'),
        () => charge() + 1,
      ],
    ];
    it.each(cases)('%s', async (_, text, position) => {
      expect(await checked(text())).toMatchObject({ broken_at: position(), fault: expect.any(String) });
    });

    it('an event rewritten together with its hash, without naming its position', async () => {
      const rewritten = edited(charge(), /"type":"ChargeCreated"/, '"type":"ChargeExpired"').replaceAll(/"leaf_hash":"\w+"/g, '"leaf_hash":null');
      expect(await checked(rewritten)).toMatchObject({
        broken_at: lines.length + 1,
        fault: expect.stringContaining('not the root of the first events'),
      });
    });

    it('an event or a path that the head does not cover', async () => {
      const bent = [
        { ...proof, leaf_index: proof.leaf_index + 1 },
        { ...proof, audit_path: proof.audit_path.toReversed() },
        { ...proof, audit_path: [] },
        { ...proof, event: { ...proof.event, stream: 'charge-x' } },
        { ...proof, event: { ...proof.event, data: {} } },
        { ...proof, head: { ...proof.head, events: proof.head.events + 1_000 } },
      ];
      for (const each of bent) expect((await checked(JSON.stringify(each), [proof.head.hash])).broken_at).not.toBeNull();
      expect(await checked(JSON.stringify(proof), [lines.length === proof.head.events ? '0'.repeat(64) : head.hash])).toMatchObject({
        fault: expect.stringContaining('the proof is for the head'),
      });
    });
  });

  it('agrees with an independent checker written from docs/audit.md', async () => {
    const python = async (text: string, hash: string) => {
      const run = spawnSync('python3', [CHECKER, await file(text), hash], { encoding: 'utf8' });
      if (run.error) throw new Error('python3 is not installed: the checker in another language was not run');
      return { status: run.status, said: run.stdout.trim(), stderr: run.stderr };
    };
    expect(await python(lines.join('\n'), head.hash)).toEqual({ status: 0, said: `ok: ${head.events} events`, stderr: '' });
    expect(await python(JSON.stringify(proof), proof.head.hash)).toMatchObject({ status: 0, said: `ok: event ${proof.event.position}` });
    expect(await python(lines.with(4, lines[4]!.replace('"actor":"', '"actor":"x')).join('\n'), head.hash)).toMatchObject({
      status: 1,
      said: 'broken at 5',
    });
    expect(await python(lines.with(4, lines[5]!).join('\n'), head.hash)).toMatchObject({ status: 1, said: 'broken at 5' });
    expect(await python(lines.slice(0, -1).join('\n'), head.hash)).toMatchObject({ status: 1 });
    expect(await python(JSON.stringify({ ...proof, leaf_index: proof.leaf_index + 1 }), proof.head.hash)).toMatchObject({ status: 1 });
    for (const foreign of ['', 'hello', '[1]', '{}', 'null', '{"leaf_index":0}', '{"position":1}\n{"position":2}']) {
      const said = await python(foreign, head.hash);
      expect([foreign, said]).toEqual([foreign, { status: 1, said: 'broken: this is neither an export nor a proof', stderr: '' }]);
    }
    const usage = (...args: string[]) => spawnSync('python3', [CHECKER, ...args], { encoding: 'utf8' });
    for (const [args, words] of [
      [[], 'python3 audit-checker.py FILE HEAD'],
      [['x'], 'python3 audit-checker.py FILE HEAD'],
      [[join(folder, 'none'), head.hash], 'cannot be read'],
      [[folder, head.hash], 'cannot be read'],
    ] as const) {
      const { status, stderr } = usage(...args);
      expect([args, status, stderr.includes(words), stderr.includes('Traceback')]).toEqual([args, 1, true, false]);
    }
    expect((await readFile(CHECKER, 'utf8')).split('\n').length).toBeLessThan(84);
  });

  it('wrong usage and foreign files print one line', async () => {
    const refused = async (...args: string[]) => runCli(['audit', 'verify', ...args], NOWHERE);
    expect(await refused('--offline', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining("needs '--head <hash>' or '--from <head>'") });
    expect(await refused('--offline', await file('hello'), '--head', head.hash)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('neither'),
    });
  });

  it('a changed event in the log: verify prints its position and exits with 1, and an export proves it offline', async () => {
    const position = lines.findIndex((line) => line.includes('"ChargePaid"')) + 1;
    const client = new pg.Client({ connectionString: service.stores.databaseUrl });
    await client.connect();
    await client.query('alter table event_store.events disable trigger all');
    await client.query(`update event_store.events set data = replace(data::text, '90000000', '10000000')::json where position = $1`, [position]);
    await client.end();
    const run = await online('audit', 'verify', '--json');
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(`^error: broken at ${position}: event ${position}, ChargePaid .* was changed: .*\n$`),
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ events: head.events, head: head.hash, broken_at: position });
    expect(await checked((await online('events', 'export')).stdout)).toMatchObject({
      broken_at: position,
      fault: expect.stringContaining('differs from the sealed event'),
    });
  });
});
