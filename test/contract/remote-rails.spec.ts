import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RemoteOrder, RemoteProcessor } from '../../src/domain/charges/remote/remote-processor.js';
import { channelByCode } from '../../src/ledger/channels.js';
import type { RemoteBank, TransferAttempt } from '../../src/domain/payouts/transfer/remote-bank.js';
import type { FaultRates } from '../../tools/provider-simulators/faults.js';
import { newSnapAgreement } from '../../tools/provider-simulators/snap-access.js';
import { SnapSimulator } from '../../tools/provider-simulators/snap.js';
import { XenditSimulator } from '../../tools/provider-simulators/xendit.js';
import { SnapBank } from '../../src/rails/snap/snap-bank.js';
import { SnapProcessor } from '../../src/rails/snap/snap-processor.js';
import { XenditProcessor } from '../../src/rails/xendit/xendit-processor.js';
import { BankInMemory, type Fate } from '../support/bank-in-memory.js';
import { MemoryProvider } from '../support/memory-provider.js';
import { outboundTo } from '../support/rail-calls.js';
import { XENDIT_CREDENTIALS } from '../support/rail-credentials.js';
import { ATTEMPT, snapOptions } from '../support/snap.js';

/**
 * The contract of every implementation of a port to providers. The simulations and the specs that kill processes use those in memory,
 * so these must be no kinder than the ones over a network.
 */

const AGREEMENT = newSnapAgreement();
const HOLDER = 'Yories Yolanda';
const open: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

const opened = <Closed extends { close(): Promise<void> }>(one: Closed): Closed => {
  open.push(one);
  return one;
};
const control = async (url: string, name: string, body: object = {}): Promise<any> =>
  (await fetch(`${url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) })).json();
const doubleOptions = (faults: FaultRates) => ({ port: 0, seed: 1, faults, slowMs: 0, lateMs: 0, callbackUrl: null });

async function snapDouble(profile: string, faults: FaultRates = {}) {
  const ours = { profile, agreement: AGREEMENT, holder: HOLDER, perSecond: 100_000, settlesAfterMs: 0 };
  const { url } = opened(await SnapSimulator.listen({ ...doubleOptions(faults), ...ours }));
  const wiring = snapOptions(profile, opened(outboundTo(url)), { base: url, credentials: AGREEMENT.credentials, clock: Date.now });
  return { url, wiring };
}

// --- banks ------------------------------------------------------------------------------------------------------------

type BankFate = Extract<Fate, 'arrives' | 'arrives, and the answer is lost'>;
/** `paid`: how often money has left. */
type OpenBank = (fate: BankFate) => Promise<{ readonly bank: RemoteBank; readonly paid: () => Promise<number> }>;

const overDouble =
  (profile: string): OpenBank =>
  async (fate) => {
    const { url, wiring } = await snapDouble(profile);
    const paid = async () => ((await control(url, 'truth')).transfers as { status: string }[]).filter(({ status }) => status === 'paid').length;
    const bank = new SnapBank(wiring);
    // The token is fetched first, so its response is not the lost one.
    await bank.balance();
    if (fate !== 'arrives') await control(url, 'faults', { 'lost-answer': 1 });
    return { bank, paid };
  };

const BANKS: readonly (readonly [string, OpenBank])[] = [
  [
    'in memory',
    async (fate) => {
      const bank = new BankInMemory({ clock: Date.now, fate: () => fate, memory: 'all' });
      return { bank, paid: async () => bank.paid };
    },
  ],
  ['of SNAP', overDouble('standard')],
  ['of SNAP, as bca speaks it', overDouble('bca')],
  ['of SNAP, as mandiri speaks it', overDouble('mandiri')],
  ['of SNAP without tokens, as espay speaks it', overDouble('espay')],
];

let ids = 0;
const attempt = (more: Partial<TransferAttempt> = {}): TransferAttempt => ({
  ...ATTEMPT,
  partner_reference: String(1_763_780_000_000_000_000n + BigInt((ids += 1))),
  external_id: String(9_000_000_000 + ids),
  at: new Date().toISOString().replace('Z', '+00:00'),
  ...more,
});
const externalId = (): string => String(8_000_000_000 + (ids += 1));

describe.each(BANKS)('a bank %s', (_, openBank) => {
  it('a bank returns the holder of an account', async () => {
    const { bank } = await openBank('arrives');
    expect(await bank.inquireName(ATTEMPT, externalId())).toMatchObject({ is: 'accepted', value: { name: HOLDER } });
  });

  it('a bank accepts a transfer and reports it as paid', async () => {
    const { bank, paid } = await openBank('arrives');
    const wanted = attempt();
    expect(await bank.status(wanted, externalId())).toEqual({ is: 'accepted', value: 'not-found' });
    expect(await bank.pay(wanted)).toMatchObject({ is: 'accepted' });
    expect(await bank.status(wanted, externalId())).toEqual({ is: 'accepted', value: 'paid' });
    expect(await paid()).toBe(1);
  });

  it('a bank that recognises references pays a repeated one once, any other bank twice; neither refuses it', async () => {
    const { bank, paid } = await openBank('arrives');
    const wanted = attempt();
    await bank.pay(wanted);
    const again = await bank.pay({ ...wanted, attempt: 2, external_id: externalId() });
    const isKnown = bank.terms.reference_window_days > 0;
    expect([again.is, await paid()]).toEqual(isKnown ? ['unknown', 1] : ['accepted', 2]);
  });

  it('a bank whose response is lost leaves an unknown outcome, though it has paid', async () => {
    const { bank, paid } = await openBank('arrives, and the answer is lost');
    expect(await bank.pay(attempt())).toMatchObject({ is: 'unknown' });
    expect(await paid()).toBe(1);
  });
});

// --- processors -------------------------------------------------------------------------------------------------------

type OpenProcessor = () => Promise<{
  readonly processor: RemoteProcessor;
  /** A customer pays. */
  readonly pay: (order: RemoteOrder, processorReference: string) => Promise<unknown>;
}>;

const PROCESSORS: readonly (readonly [string, OpenProcessor])[] = [
  [
    'in memory',
    async () => {
      const processor = new MemoryProvider();
      return { processor, pay: async (_, reference) => processor.pay(processor.known.get(reference)!) };
    },
  ],
  [
    'that is Xendit',
    async () => {
      const { secret_key: secretKey, callback_token: callbackToken } = XENDIT_CREDENTIALS;
      const simulator = opened(
        await XenditSimulator.listen({ ...doubleOptions({}), secretKey, callbackToken, perMinute: 100_000, refundsAfterMs: null }),
      );
      const processor = new XenditProcessor({
        ...{ name: 'in', mode: 'sandbox', calls: opened(outboundTo(simulator.url)), clock: Date.now, report: () => undefined },
        credentials: () => ({ current: XENDIT_CREDENTIALS }),
        allowedChannels: () => new Set(),
        returnUrl: () => 'https://example.com/',
      });
      return { processor, pay: ({ charge_id }) => control(simulator.url, 'pay', { reference_id: charge_id }) };
    },
  ],
  [
    'of SNAP',
    async () => {
      const { url, wiring } = await snapDouble('standard');
      return { processor: new SnapProcessor(wiring), pay: (_, reference) => control(url, 'pay', { reference }) };
    },
  ],
];

const orderOf = (): RemoteOrder => ({
  ...{ charge_id: randomUUID(), merchant_id: 'm', merchant_name: 'Baso Malang', merchant_name_id: null, attempt: 1, amount: 5_000_000 },
  ...{ channel: channelByCode('QR_QRIS')!, description: null, return_url: null, expires_on: new Date(Date.now() + 1_800_000).toISOString() },
});

describe.each(PROCESSORS)('a processor %s', (_, openProcessor) => {
  async function created() {
    const { processor, pay } = await openProcessor();
    const order = orderOf();
    const outcome = await processor.create(order);
    if (outcome.is !== 'accepted') throw new Error(`no instruction: ${outcome.code}`);
    const { processor_reference: reference, action } = outcome.value;
    return { processor, order, reference, action, pay: () => pay(order, reference) };
  }

  it('a processor returns an instruction, and finds its payment by our reference', async () => {
    const { processor, order, reference, action, pay } = await created();
    expect(action.qr_string).toEqual(expect.any(String));
    expect(await processor.query(reference)).toEqual({ is: 'accepted', value: { status: 'WAITING' } });
    expect(await processor.find(order.charge_id)).toEqual({ is: 'accepted', value: [] });
    await pay();
    const state = await processor.query(reference);
    expect(state).toMatchObject({ is: 'accepted', value: { status: 'PAID', payment: { amount: order.amount, currency: 'IDR' } } });
    if (state.is !== 'accepted' || state.value.status !== 'PAID') throw new Error('it is not paid');
    expect(await processor.find(order.charge_id)).toEqual({ is: 'accepted', value: [state.value.payment] });
  });

  it('a processor cancels an unpaid instruction permanently, and reports a paid one as paid', async () => {
    const one = await created();
    for (let time = 0; time < 2; time += 1)
      expect(await one.processor.cancel(one.reference)).toEqual({ is: 'accepted', value: { status: 'CANCELLED' } });
    const other = await created();
    await other.pay();
    expect(await other.processor.cancel(other.reference)).toMatchObject({ is: 'accepted', value: { status: 'PAID' } });
  });

  it('a processor without a payment never reports one', async () => {
    const { processor } = await openProcessor();
    expect(await processor.find(randomUUID())).toEqual({ is: 'accepted', value: [] });
    expect((await processor.query(`pr-${randomUUID()}`)).is).not.toBe('accepted');
  });
});
