import { hash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { houseStream } from '../../src/ledger/events/adjustment.events.js';
import { periodStream, type PeriodClosed } from '../../src/ledger/events/period.events.js';
import { newEvent, systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import { setApprovalPolicy } from '../../src/domain/operators/approval-policy.commands.js';
import { eventually } from '../support/eventually.js';
import { newOperator } from '../support/finance.js';
import { runCli, type Run } from '../support/run-cli.js';
import { CHARGE_ORDER, newIdempotencyKey, startTestService, type TestMerchant, type TestService } from '../support/service.js';

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
type Person = Awaited<ReturnType<typeof newOperator>>;

describe('the command line of an operator', () => {
  let service: TestService;
  let siti: Person;
  let budi: Person;
  let folder: string;
  beforeAll(async () => {
    service = await startTestService({ ENCRYPTION_KEY });
    siti = await newOperator(service, 'Siti', ['preparer']);
    budi = await newOperator(service, 'Budi', ['controller', 'approver']);
    folder = await mkdtemp(join(tmpdir(), 'chargebook-proposals-'));
    await eventually(async () => (await service.call('GET', '/audit/proposals', { key: budi.key })).status === 200);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const cli = ({ key }: Pick<Person, 'key'>, ...args: string[]): Promise<Run> =>
    runCli([...args, '--url', service.url], { CHARGEBOOK_OPERATOR_KEY: key });
  const reason = ['--reason', 'as agreed'];
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it('proposes, shows and approves a policy; a waiting proposal exits with 3', async () => {
    const policy = { mode: 'test', payouts: [{ currency: 'IDR', above: 1_000_000, approvals: 1 }] };
    const evidence = await file('minutes.txt', 'we agreed');
    const made = await cli(siti, 'policy', 'propose', await file('policy.json', JSON.stringify(policy)), ...reason, '--evidence', evidence, '--json');
    expect([made.code, made.stderr]).toEqual([3, '']);
    const { id, digest, ...proposal } = JSON.parse(made.stdout) as { id: string; digest: string };
    expect(proposal).toMatchObject({ kind: 'POLICY', evidence: [{ name: 'minutes.txt', sha256: hash('sha256', 'we agreed') }] });
    const listed = await cli(budi, 'proposal', 'list', '--status', 'pending');
    expect(listed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^PROPOSAL .*\n${id}  POLICY  PENDING  Siti +0   1 .* as agreed\n$`)),
    });
    const shown = await cli(budi, 'proposal', 'show', id);
    expect(shown.stdout).toContain(`Digest     ${digest}\nContent    {\n  "mode": "test",`);
    expect(shown.stdout).toContain('Approvals  0 of 1, a controller among them, until ');
    const own = await cli(siti, 'proposal', 'approve', id, '--digest', digest, ...reason);
    expect(own).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('403') });
    const approved = await cli(budi, 'proposal', 'approve', id, '--digest', digest, ...reason);
    expect(approved).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Status     EXECUTED') });
  });

  it('closes and shows a month, and exits with 1 when the digest differs from the books', async () => {
    const monthBefore = (count: number): number => Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - count, 15);
    const [older, newer] = [2, 1].map((count) => new Date(monthBefore(count)).toISOString().slice(0, 7)) as [string, string];
    const [store, now] = [service.stores.eventStore, timestamp(monthBefore(2))];
    const about = {
      source: 'test-one',
      item_id: null,
      charge_id: null,
      processor: null,
      position: null,
      items: null,
      relates_to: older,
      adjusted_on: now,
    };
    const booked = { merchant_id: null, mode: 'test' as const, currency: 'MYR', proposal_id: randomUUID(), kind: 'OPENING' as const, amount: 500 };
    const opening = newEvent({ type: 'HouseAdjusted', data: { ...booked, ...about } }, { ...systemContext(), now });
    await store.append(houseStream('test', 'MYR'), 'no-stream', [opening]);
    const close = () => cli(siti, 'period', 'close', older, '--mode', 'test', ...reason, '--json');
    let made: Run;
    await eventually(async () => (made = await close()).code === 3);
    const { id, digest } = JSON.parse(made!.stdout) as { id: string; digest: string };
    await cli(budi, 'proposal', 'approve', id, '--digest', digest, ...reason);
    const show = (month: string) => cli(siti, 'period', 'show', month, '--mode', 'test');
    await eventually(async () => (await store.read(periodStream('test'))).length === 1);
    const shown = await show(older);
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toMatch(/^test .* \(UTC\), closed .*\nHead [0-9a-f]{64}\nDigest [0-9a-f]{64}, which holds\n(.*\n)+MYR +bank +-500 +-500\n/);
    const [closed] = await store.read(periodStream('test'));
    const data = { ...(closed!.data as PeriodClosed), month: newer, digest: '0'.repeat(64) };
    await store.append(periodStream('test'), closed!, [newEvent({ type: 'PeriodClosed', data }, { ...systemContext(), now })]);
    expect(await show(newer)).toMatchObject({ code: 1, stderr: expect.stringContaining('the books differ from the closed ones') });
    expect(await close()).toMatchObject({ code: 1, stderr: expect.stringContaining('closed up to') });
  });

  it('rejects and withdraws proposals', async () => {
    const content = await file('roles.json', JSON.stringify({ person_id: siti.person_id, roles: ['approver'] }));
    for (const [who, what] of [
      [budi, 'reject'],
      [siti, 'withdraw'],
    ] as const) {
      const made = await cli(siti, 'proposal', 'make', '--kind', 'roles', '--content', content, ...reason, '--json');
      const { id } = JSON.parse(made.stdout) as { id: string };
      // A busy service may still return the earlier state (exit code 3); the same command again returns the result.
      let ended: Run;
      await eventually(async () => (ended = await cli(who, 'proposal', what, id, ...reason, '--json')).code !== 3);
      expect([ended!.code, JSON.parse(ended!.stdout)]).toMatchObject([0, { id, status: what === 'reject' ? 'REJECTED' : 'WITHDRAWN' }]);
    }
  });

  it('faults exit with 2 for wrong usage, otherwise with 1', async () => {
    const without = await runCli(['proposal', 'list', '--url', service.url], {});
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('CHARGEBOOK_OPERATOR_KEY') });
    expect(await cli(budi, 'proposal', 'approve', siti.person_id, '--digest', 'x', ...reason)).toMatchObject({ code: 2 });
    const make = (kind: string, path: string) => cli(siti, 'proposal', 'make', '--kind', kind, '--content', path, ...reason);
    expect(await make('roles', join(folder, 'none.json'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be read: no such file'),
    });
    expect(await make('roles', await file('broken.json', '{'))).toMatchObject({ code: 1, stderr: expect.stringContaining('is not valid JSON') });
    expect(await make('nothing', await file('some.json', '{}'))).toMatchObject({ code: 1, stderr: expect.stringContaining('/kind') });
  });

  it('approves and declines payouts', async () => {
    const merchant: TestMerchant = await service.newMerchant();
    const body = { ...CHARGE_ORDER, amount: 20_000_000 };
    const charge = await service.call('POST', '/v1/charges', { key: merchant.key, headers: newIdempotencyKey(), body });
    for (const outcome of ['succeed', 'settle']) await service.call('POST', charge.body.action.simulation_url, { body: { outcome } });
    const account = { bank_account_name: 'Toko Melati', bank_account_number: '1234567890', bank_name: 'Bank Central Asia' };
    for (const [what, words] of [
      ['approve', /^Payout .* is (PENDING|PROCESSING|SUCCEEDED)\.\n$/],
      ['decline', /^Payout .* is CANCELLED\.\n$/],
    ] as const) {
      const order = { ...account, currency: 'IDR', amount: 1_500_000 };
      const { id } = (await service.call('POST', '/v1/payouts', { key: merchant.key, headers: newIdempotencyKey(), body: order })).body;
      const { digest } = (await service.call('GET', `/audit/payouts/${id}`, { key: budi.key })).body;
      expect(await cli(budi, 'payout', what, id, '--digest', digest, ...reason)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(words),
      });
    }
  });

  it('proposes settings that require an approval', async () => {
    const { merchant_id } = await service.newMerchant();
    const set = { mode: 'test', payouts: [], payouts_day: [], merchants: {}, adjustments: [], settings: 1, expires_hours: 1 } as const;
    await setApprovalPolicy(service.deps, set, randomUUID(), 'key_1');
    const store = { ENCRYPTION_KEY, DATABASE_URL: service.stores.databaseUrl, CHARGEBOOK_OPERATOR_KEY: siti.key };
    const run = (...args: string[]): Promise<Run> => runCli([...args, '--merchant', merchant_id, '--url', service.url], store);
    const fee = ['fee', 'set', '--channel', 'qr_qris', '--fixed', '7'];
    expect(await run(...fee)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--reason') });
    const events = (await service.stores.eventStore.read(`merchant-${merchant_id}`)).length;
    for (const [args, kind] of [
      [fee, 'FEE'],
      [['channel', 'set', 'qr_qris', '--max', '5000'], 'CHANNEL'],
      [['merchant', 'rail', '--use', 'payout.IDR', '--rail', 'none'], 'RAIL'],
    ] as const) {
      const proposed = await run(...args, ...reason, '--json');
      expect([proposed.code, proposed.stderr]).toEqual([3, '']);
      expect(JSON.parse(proposed.stdout)).toMatchObject({ kind, status: 'PENDING', content: { merchant_id } });
    }
    expect(await service.stores.eventStore.read(`merchant-${merchant_id}`)).toHaveLength(events);
    await setApprovalPolicy(service.deps, { ...set, mode: 'live' }, randomUUID(), 'key_1');
    const aside = ['projections', 'set-aside', 'ledger', '--event', merchant_id, '--url', service.url, ...reason];
    // The service refuses; the command does not set the event aside itself.
    expect(await runCli(aside, store)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is not stopped in front of that event'),
    });
  });
});
