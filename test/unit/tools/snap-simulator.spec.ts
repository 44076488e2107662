import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProviderResult } from '../../../src/ledger/ports/provider-result.js';
import type { RemoteOrder } from '../../../src/domain/charges/remote/remote-processor.js';
import { channelByCode } from '../../../src/ledger/channels.js';
import { DAY_MS, timestamp } from '../../../src/ledger/time.js';
import type { StatementPage, TransferAttempt } from '../../../src/domain/payouts/transfer/remote-bank.js';
import type { Fault } from '../../../tools/provider-simulators/faults.js';
import { provenDay } from '../../../src/rails/snap/day-statement.js';
import { newSnapAgreement } from '../../../tools/provider-simulators/snap-access.js';
import { SnapSimulator, type SnapSimulatorOptions } from '../../../tools/provider-simulators/snap.js';
import type { Outbound } from '../../../src/rails/calls/outbound.js';
import type { RailAnswer, RailCall, RailCalls } from '../../../src/rails/calls/rail-calls.js';
import { jakartaMidnight } from '../../../src/rails/snap/jakarta.js';
import { SnapBank } from '../../../src/rails/snap/snap-bank.js';
import { SnapProcessor } from '../../../src/rails/snap/snap-processor.js';
import { SNAP_PROFILE_NAMES } from '../../../src/rails/snap/profiles.js';
import { outboundTo } from '../../support/rail-calls.js';
import { railFixture } from '../../support/rail-facts.js';
import { snapOptions } from '../../support/snap.js';

const AGREEMENT = newSnapAgreement();

/** Keeps the bank's answers by endpoint. */
class Overheard implements RailCalls {
  readonly answers: { endpoint: string; status: number; body: any }[] = [];

  constructor(private readonly calls: RailCalls) {}

  call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    return this.calls.call(call, (answer) => {
      this.answers.push({ endpoint: call.endpoint, status: answer.status, body: JSON.parse(answer.body.toString() || 'null') });
      return read(answer);
    });
  }
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function started(profile = 'standard', options: Partial<SnapSimulatorOptions> = {}) {
  const simulator = await SnapSimulator.listen({
    port: 0,
    seed: 20261122,
    faults: {},
    slowMs: 50,
    profile,
    agreement: AGREEMENT,
    callbackUrl: null,
    perSecond: 10_000,
    lateMs: 60_000,
    settlesAfterMs: 0,
    holder: 'Yories Yolanda',
    ...options,
  });
  const outbound: Outbound = outboundTo(simulator.url);
  closing.push(
    () => outbound.close(),
    () => simulator.close(),
  );
  const calls = new Overheard(outbound);
  const wiring = snapOptions(profile, calls, { base: simulator.url, credentials: AGREEMENT.credentials, clock: Date.now });
  const control = async (name: string, body: object = {}): Promise<any> =>
    (await fetch(`${simulator.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) })).json();
  return { simulator, calls, control, wiring, bank: () => new SnapBank(wiring), processor: () => new SnapProcessor(wiring) };
}

let ids = 0;
const externalId = (): string => String(9_000_000_000 + ++ids);
const attempt = (more: Partial<TransferAttempt> = {}): TransferAttempt => ({
  payout_id: 'p',
  attempt: 1,
  partner_reference: String(1_763_780_000_000_000_000n + BigInt(++ids)),
  external_id: externalId(),
  currency: 'IDR',
  bank_code: '013',
  bank_account_number: '888801000157508',
  bank_account_name: 'Yories Yolanda',
  net_amount: 1_000_000,
  at: new Date().toISOString(),
  ...more,
});
const CHARGE = '0194fdc2-0000-7000-8000-00000000000a';
const order = (more: Partial<RemoteOrder> = {}): RemoteOrder => ({
  charge_id: CHARGE,
  merchant_id: 'm',
  merchant_name: 'Baso Malang',
  merchant_name_id: null,
  channel: channelByCode('QR_QRIS')!,
  amount: 5_000_000,
  description: null,
  return_url: null,
  expires_on: new Date(Date.now() + 1_800_000).toISOString(),
  attempt: 1,
  ...more,
});

/** Members that one has and the other has not, or of another type; lists by their first element. */
function unlike(given: any, wanted: any, path = ''): string[] {
  if (wanted === undefined) return [`${path} is not in the fixture`];
  if (wanted === null || given === null) return [];
  if (Array.isArray(given) && !Array.isArray(wanted)) return unlike(given[0], wanted, path);
  if (typeof given !== typeof wanted) return [`${path} is ${typeof given}, not ${typeof wanted}`];
  if (typeof given !== 'object') return [];
  return Object.keys(given).flatMap((key) => unlike(given[key], wanted[key], `${path}/${key}`));
}

describe('the simulator', () => {
  it('answers in the forms of the fixtures', async () => {
    const { bank, processor, calls, control } = await started();
    const transfer = attempt();
    await bank().inquireName(transfer, externalId());
    await bank().pay(transfer);
    await bank().status(transfer, externalId());
    await bank().balance();
    await bank().statement(new Date(Date.now() - DAY_MS).toISOString(), new Date(Date.now() + DAY_MS).toISOString());
    const made = await processor().create(order());
    const reference = made.is === 'accepted' ? made.value.processor_reference : '';
    const other = await processor().create(order({ attempt: 2 }));
    await processor().cancel(other.is === 'accepted' ? other.value.processor_reference : '');
    await control('pay', { reference });
    const paid = await processor().query(reference);
    const payment = paid.is === 'accepted' && paid.value.status === 'PAID' ? paid.value.payment : undefined;
    await processor().refund({
      refund_id: 'r',
      charge_id: CHARGE,
      processor_reference: reference,
      payment_reference: payment!.payment_reference,
      amount: 100,
      currency: 'IDR',
    });
    const fixtures: Record<string, string> = {
      token: 'snap-token-b2b',
      name: 'snap-account-inquiry-external',
      pay: 'snap-transfer-interbank',
      status: 'snap-transfer-status',
      balance: 'snap-balance-inquiry',
      statement: 'snap-bank-statement',
      create: 'snap-qr-mpm-generate',
      query: 'snap-qr-mpm-query',
      cancel: 'snap-qr-mpm-cancel',
      refund: 'snap-qr-mpm-refund',
    };
    expect(new Set(calls.answers.map(({ endpoint }) => endpoint))).toEqual(new Set(Object.keys(fixtures)));
    for (const { endpoint, status, body } of calls.answers) {
      const { additionalInfo: _, ...given } = body;
      expect([endpoint, status, unlike(given, railFixture(fixtures[endpoint]!).response.body)]).toEqual([endpoint, 200, []]);
    }
  });

  it.each(['standard', 'bca'])('states everything that its balance consists of, page by page where %s has pages', async (profile) => {
    const { bank, control, processor } = await started(profile, { settlesAfterMs: null });
    const { now } = await control('clock');
    const midnight = jakartaMidnight(Date.parse(now) - DAY_MS);
    await control('clock', { advance_ms: midnight + DAY_MS / 2 - Date.parse(now) });
    const transfers = Array.from({ length: 60 }, () => attempt());
    for (const transfer of transfers) {
      await bank().pay(transfer);
      await control('settle', { status: 'paid' });
      await control('clock', { advance_ms: 1_000 });
    }
    await control('settle', { reference: transfers[0]!.partner_reference, status: 'returned' });
    const made = await processor().create(order());
    await control('pay', { reference: made.is === 'accepted' ? made.value.processor_reference : '' });
    await control('clock', { advance_ms: DAY_MS });
    await bank().pay(attempt());
    await control('settle', { status: 'paid' });

    const pages: StatementPage[] = [];
    do {
      const page = await bank().statement(timestamp(midnight), timestamp(midnight + DAY_MS), pages.at(-1)?.next);
      if (page.is !== 'accepted') throw new Error(page.code);
      pages.push(page.value);
    } while (pages.at(-1)!.next !== undefined);
    expect(pages).toHaveLength(profile === 'bca' ? 1 : 2);
    const { lines, opening, closing } = provenDay(timestamp(midnight + 12 * 3_600_000).slice(0, 10), pages);
    expect([opening, closing]).toEqual([10_000_000_000_000, 10_000_000_000_000 - 59 * 1_000_000 + 5_000_000]);
    expect(lines).toHaveLength(62);
    expect(new Set(lines.map(({ partner_reference }) => partner_reference))).toEqual(
      new Set([null, ...transfers.map(({ partner_reference }) => partner_reference)]),
    );
    const balance = await bank().balance();
    expect(balance).toEqual({ is: 'accepted', value: { amount: closing - 1_000_000, currency: 'IDR' } });
  });

  it.each(SNAP_PROFILE_NAMES)('speaks the dialect of %s', async (profile) => {
    const { wiring, control } = await started(profile);
    const processor = new SnapProcessor(wiring);
    await expect(processor.create(order())).resolves.toMatchObject({ is: 'accepted' });
    if (profile === 'doku') return;
    const bank = new SnapBank(wiring);
    const transfer = attempt();
    await expect(bank.pay(transfer)).resolves.toMatchObject({ is: 'accepted' });
    await expect(bank.status(transfer, externalId())).resolves.toEqual({ is: 'accepted', value: 'paid' });
    const [told] = await bank.check().then((findings) => findings.filter(({ level }) => level !== 'ok'));
    expect(told).toBeUndefined();
    await expect(control('truth')).resolves.toMatchObject({
      transfers: [{ partner_reference: transfer.partner_reference, status: 'paid', amount: 1_000_000 }],
    });
  });

  it('simulates outcomes by the last digits of an account', async () => {
    const { bank, control } = await started('standard', { settlesAfterMs: 60_000 });
    const ending = (end: string) => attempt({ bank_account_number: `88880${end}` });
    await expect(bank().inquireName(ending('0001'), externalId())).resolves.toMatchObject({ is: 'rejected', code: '4041611' });
    await expect(bank().pay(ending('0001'))).resolves.toMatchObject({ is: 'rejected', code: '4041811' });
    const [returned, silent] = [ending('0002'), ending('0003')];
    for (const each of [returned, silent]) await bank().pay(each);
    for (const value of ['paid', 'returned']) {
      await control('clock', { advance_ms: 60_000 });
      await expect(bank().status(returned, externalId())).resolves.toMatchObject({ value });
    }
    await expect(bank().status(silent, externalId())).resolves.toMatchObject({ value: 'paying' });
  });

  it('accepts an external id once a day, and a reference as the profile remembers it', async () => {
    const { bank, control } = await started('mandiri');
    const first = attempt();
    await bank().pay(first);
    await expect(bank().pay(first)).resolves.toEqual({ is: 'unknown', code: '4091800' });
    await expect(bank().pay({ ...first, external_id: externalId() })).resolves.toEqual({ is: 'unknown', code: '4091801' });
    await control('clock', { advance_ms: DAY_MS });
    await expect(bank().pay(first)).resolves.toEqual({ is: 'unknown', code: '4091801' });
    await control('clock', { advance_ms: 7 * DAY_MS });
    await expect(bank().pay(first)).resolves.toMatchObject({ is: 'accepted' });
    expect((await control('truth')).transfers).toHaveLength(2);
    const forgetful = await started('bca');
    await forgetful.bank().pay(first);
    await expect(forgetful.bank().pay({ ...first, external_id: externalId() })).resolves.toMatchObject({ is: 'accepted' });
  });

  it('rejects another key, another secret and late requests', async () => {
    const { wiring } = await started();
    const stranger = new SnapBank({ ...wiring, credentials: { ...AGREEMENT.credentials, private_key: newSnapAgreement().credentials.private_key } });
    await expect(stranger.pay(attempt())).resolves.toEqual({ is: 'retryable', code: 'token:4017300' });
    const forger = new SnapBank({ ...wiring, credentials: { ...AGREEMENT.credentials, client_secret: 'another-secret' } });
    await expect(forger.pay(attempt())).resolves.toEqual({ is: 'retryable', code: '4011800' });
    const late = new SnapBank({ ...wiring, clock: () => Date.now() - 301_000 });
    await expect(late.pay(attempt())).resolves.toMatchObject({ is: 'retryable' });
  });

  it('rejects calls above its rate, and names the time to retry', async () => {
    const { bank } = await started('standard', { perSecond: 1 });
    const outcomes = await Promise.all([1, 2, 3].map(() => bank().pay(attempt())));
    expect(outcomes.filter(({ is }) => is === 'retryable').length).toBeGreaterThanOrEqual(1);
    expect(outcomes.find(({ is }) => is === 'retryable')).toMatchObject({ code: '4291800', after_ms: 1_000 });
  });

  it('follows the commands settle, holders and clock', async () => {
    const { bank, control } = await started('standard', { settlesAfterMs: null });
    const transfer = attempt();
    await bank().pay(transfer);
    const status = () => bank().status(transfer, externalId());
    await expect(status()).resolves.toMatchObject({ value: 'paying' });
    await control('settle', { reference: transfer.partner_reference, status: 'failed' });
    await expect(status()).resolves.toMatchObject({ value: 'failed' });
    await control('holders', { '888801000157508': 'Somebody Else' });
    await expect(bank().inquireName(transfer, externalId())).resolves.toMatchObject({ value: { name: 'Somebody Else' } });
    await control('clock', { advance_ms: 8 * DAY_MS });
    await expect(status()).resolves.toMatchObject({ value: 'not-found' });
    await expect(control('settle', { status: 'x' })).resolves.toHaveProperty('error');
  });
});

describe('bank adapter over the simulator with one fault', () => {
  const over = async (fault: Fault, profile = 'mandiri', more: Partial<SnapSimulatorOptions> = {}) => {
    const system = await started(profile, more);
    const bank = system.bank();
    await bank.balance();
    return { ...system, bank, fault: (rate: number) => system.control('faults', { [fault]: rate }) };
  };
  const paidTimes = async (control: (name: string) => Promise<any>): Promise<number> => (await control('truth')).transfers.length;

  /** The fault, the result of `pay` under it, and the number of transfers made. */
  it.each<[Fault, ProviderResult<unknown>['is'], number]>([
    ['lost-answer', 'unknown', 1],
    ['5xx-after', 'unknown', 1],
    ['late', 'unknown', 1],
    ['garbage', 'unknown', 1],
    ['429', 'retryable', 0],
    ['token-dies', 'retryable', 0],
    ['short-house', 'retryable', 0],
    ['eod', 'retryable', 0],
    ['odd-keys', 'accepted', 1],
    ['no-decimals', 'accepted', 1],
    ['slow', 'accepted', 1],
  ])('%s: a payment is %s', async (name, is, times) => {
    const { bank, control, fault } = await over(name);
    await fault(1);
    await expect(bank.pay(attempt())).resolves.toMatchObject({ is });
    expect(await paidTimes(control)).toBe(times);
  });

  it('garbage: no answer of any kind is accepted', async () => {
    const { bank, fault } = await over('garbage');
    const transfer = attempt();
    await bank.pay(transfer);
    await fault(1);
    for (let times = 0; times < 30; times += 1) expect((await bank.status(transfer, externalId())).is).not.toBe('accepted');
  });

  it.each<Fault>(['odd-keys', 'no-decimals'])('%s: inquiries return the usual answers', async (name) => {
    const { bank, processor, control, fault } = await over(name);
    await fault(1);
    const transfer = attempt();
    await bank.pay(transfer);
    await expect(bank.status(transfer, externalId())).resolves.toEqual({ is: 'accepted', value: 'paid' });
    await expect(bank.inquireName(transfer, externalId())).resolves.toMatchObject({ value: { name: 'Yories Yolanda' } });
    await expect(bank.balance()).resolves.toMatchObject({ is: 'accepted' });
    await processor().create(order());
    await control('pay', { reference: CHARGE.replaceAll('-', '') });
    await expect(processor().find(CHARGE)).resolves.toMatchObject({ is: 'accepted', value: [{ amount: 5_000_000 }] });
  });

  it('wrong-amount: the adapter returns unknown', async () => {
    const { bank, fault } = await over('wrong-amount');
    const transfer = attempt();
    await bank.pay(transfer);
    await fault(1);
    await expect(bank.status(transfer, externalId())).resolves.toEqual({ is: 'unknown', code: 'another-amount' });
  });

  it('eod: the status is unknown, not "not found"', async () => {
    const { bank, fault } = await over('eod', 'bri');
    await fault(1);
    await expect(bank.status(attempt(), externalId())).resolves.toEqual({ is: 'unknown', code: '5043600' });
  });

  it('late: the transfer is not found until it arrives, then paid', async () => {
    const { bank, control, fault } = await over('late');
    await fault(1);
    const transfer = attempt();
    await bank.pay(transfer);
    await expect(bank.status(transfer, externalId())).resolves.toEqual({ is: 'accepted', value: 'not-found' });
    await control('clock', { advance_ms: 7_200_000 });
    await expect(bank.status(transfer, externalId())).resolves.toEqual({ is: 'accepted', value: 'paid' });
  });

  it('not-found-early: the transfer is not found until the profile’s time to settle has passed', async () => {
    const { bank, control, fault } = await over('not-found-early', 'midtrans');
    await fault(1);
    const transfer = attempt();
    await bank.pay(transfer);
    await expect(bank.status(transfer, externalId())).resolves.toEqual({ is: 'accepted', value: 'not-found' });
    await control('clock', { advance_ms: 600_000 });
    await expect(bank.status(transfer, externalId())).resolves.toEqual({ is: 'accepted', value: 'paid' });
  });

  it('dup-as-404-18: the payment is unknown, as any duplicate', async () => {
    const { bank, fault } = await over('dup-as-404-18');
    const transfer = attempt();
    await bank.pay(transfer);
    await fault(1);
    await expect(bank.pay({ ...transfer, external_id: externalId() })).resolves.toEqual({ is: 'unknown', code: '4041818' });
  });

  it('forget-midnight and forget-reference: the bank pays a second time, and its transfers show it', async () => {
    const midnight = await over('forget-midnight');
    const transfer = attempt();
    await midnight.bank.pay(transfer);
    await midnight.fault(1);
    await expect(midnight.bank.pay({ ...transfer, external_id: externalId() })).resolves.toMatchObject({ code: '4091801' });
    await midnight.control('clock', { advance_ms: DAY_MS });
    await expect(midnight.bank.pay(transfer)).resolves.toMatchObject({ is: 'accepted' });
    expect(await paidTimes(midnight.control)).toBe(2);
    const forgotten = await over('forget-reference');
    await forgotten.fault(1);
    for (let times = 0; times < 2; times += 1) await forgotten.bank.pay({ ...transfer, external_id: externalId() });
    expect(await paidTimes(forgotten.control)).toBe(2);
  });

  it('token-dies: inquiries continue with a new token', async () => {
    const { bank, calls, fault } = await over('token-dies');
    await fault(1);
    await expect(bank.status(attempt(), externalId())).resolves.toEqual({ is: 'unknown', code: '4013601' });
    await fault(0);
    await expect(bank.status(attempt(), externalId())).resolves.toEqual({ is: 'accepted', value: 'not-found' });
    expect(calls.answers.filter(({ endpoint }) => endpoint === 'token').length).toBeGreaterThanOrEqual(3);
  });

  it('skew: the rail check reports it', async () => {
    const { bank, fault } = await over('skew');
    await fault(1);
    expect((await bank.check()).find(({ check }) => check === 'clock')).toMatchObject({ level: 'error' });
  });

  it('the same seed gives the same bank', async () => {
    const run = async (): Promise<string[]> => {
      const { bank, control } = await started('midtrans', { faults: {} });
      const one = bank();
      await one.balance();
      await control('faults', { 'lost-answer': 0.2, '5xx-after': 0.2, garbage: 0.2, 'short-house': 0.2 });
      const outcomes: string[] = [];
      for (let times = 0; times < 12; times += 1) outcomes.push((await one.pay(attempt())).is);
      return outcomes;
    };
    const [first, second] = [await run(), await run()];
    expect(second).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(1);
  });
});
