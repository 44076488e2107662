import { randomUUID } from 'node:crypto';
import { channelByCode, CHANNELS, type Channel } from '../../src/ledger/channels.js';
import { timestamp, type Clock } from '../../src/ledger/time.js';
import type { RemoteOrder, RemoteProcessor } from '../../src/domain/charges/remote/remote-processor.js';
import type { Beneficiary, RemoteBank, TransferAttempt } from '../../src/domain/payouts/transfer/remote-bank.js';
import type { Recorder } from './recorder.js';

/** Test data for the sandbox: an account and a phone that the sandbox publishes for tests. */
export interface Given {
  readonly account?: Pick<Beneficiary, 'bank_code' | 'bank_account_number' | 'bank_account_name'> | undefined;
  readonly phone?: string | undefined;
}

export interface ScenarioOptions extends Given {
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  readonly newExternalId: () => Promise<string>;
}

/** Rp 10,000, and 10.00 in other currencies. */
const AMOUNT = { IDR: 1_000_000, MYR: 1_000, SGD: 1_000 } as const;
const FPX_BANK = 'MAYB2U';
const LIFE_MS = 30 * 60_000;
/** Sandboxes settle within seconds; a slower one is recorded in the state that it has then. */
const ASKED_MAX = 5;
const ASK_AGAIN_MS = 2_000;
const PARTNER_DIGITS = 19;

const NAMES: Readonly<Record<string, string>> = {
  QR_QRIS: 'qris',
  WALLET_DANA: 'dana',
  WALLET_SHOPEEPAY: 'shopeepay',
  WALLET_OVO: 'ovo',
  WALLET_TNG: 'touchngo',
  WALLET_GRABPAY: 'grabpay',
  BANK_REDIRECT_FPX: 'fpx',
  QR_PAYNOW: 'paynow',
};

/** Creates one charge per channel, queries it, and cancels it. @param pay pays a charge in a sandbox that can be asked for that */
export async function recordCharges(
  processor: RemoteProcessor,
  options: ScenarioOptions & { readonly pay?: (processorReference: string, amount: number) => Promise<unknown> },
): Promise<void> {
  const { recorder, phone } = options;
  await recorder.as('balance', () => processor.check());
  for (const channel of CHANNELS) {
    const input = processor.describe(channel.code)?.input;
    if (!processor.describe(channel.code) || (input === 'phone' && phone === undefined)) continue;
    const order = orderOf(channel, options.clock(), input === 'phone' ? phone : input === 'bank' ? FPX_BANK : undefined);
    const created = await recorder.as(`create-${NAMES[channel.code]}`, () => processor.create(order));
    if (created.is !== 'accepted') continue;
    const { processor_reference } = created.value;
    await recorder.as('query', () => processor.query(processor_reference));
    if (channel.code === 'QR_QRIS' && options.pay) {
      await recordPayment(processor, options, order, processor_reference);
      continue;
    }
    await recorder.as('cancel', () => processor.cancel(processor_reference));
    await recorder.as('error-cancel-inactive', () => processor.cancel(processor_reference));
  }
}

async function recordPayment(
  processor: RemoteProcessor,
  options: ScenarioOptions & { readonly pay?: (processorReference: string, amount: number) => Promise<unknown> },
  { charge_id, amount, channel }: RemoteOrder,
  processor_reference: string,
): Promise<void> {
  const { recorder, pause } = options;
  await recorder.as('simulate', () => options.pay!(processor_reference, amount));
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    const state = await recorder.as('query-paid', () => processor.query(processor_reference));
    if (state.is === 'accepted' && state.value.status === 'PAID') {
      const { payment_reference } = state.value.payment;
      const refund = { refund_id: randomUUID(), charge_id, processor_reference, payment_reference, amount, currency: channel.currency };
      await recorder.as('transactions', () => processor.find(charge_id));
      await recorder.as('refund', () => processor.refund(refund));
      await recorder.as('transactions-refund', () => processor.findRefund(refund));
      return;
    }
    await pause(ASK_AGAIN_MS);
  }
}

/** Queries balance, statement, and a transfer that was never made; then pays Rp 10,000 to the given account, and queries the result. */
export async function recordTransfers(bank: RemoteBank, options: ScenarioOptions & { readonly ownBank: string | undefined }): Promise<void> {
  const { recorder, clock, account, pause, newExternalId } = options;
  await recorder.as('balance-inquiry', () => bank.balance());
  await recorder.as('error-4043601', () => bank.check());
  const now = clock();
  await recorder.as('bank-statement', () => bank.statement(timestamp(now - 24 * 3_600_000), timestamp(now)));
  if (!account) return;
  const to = { ...account, currency: 'IDR', bank_code: bank.bankCode({ bank_code: account.bank_code, bank_name: '' }) ?? account.bank_code };
  const isWithin = to.bank_code === options.ownBank;
  await recorder.as(`account-inquiry-${isWithin ? 'internal' : 'external'}`, async () => bank.inquireName(to, await newExternalId()));
  const partner_reference = `${now}${randomUUID().replace(/\D/g, '')}000000`.slice(0, PARTNER_DIGITS);
  const common = { ...to, payout_id: randomUUID(), attempt: 1, net_amount: AMOUNT.IDR, at: timestamp(clock()) };
  const attempt: TransferAttempt = { ...common, partner_reference, external_id: await newExternalId() };
  const paid = await recorder.as(`transfer-${isWithin ? 'intrabank' : 'interbank'}`, () => bank.pay(attempt));
  if (paid.is === 'rejected' || paid.is === 'retryable') return;
  for (let asked = 0; asked < ASKED_MAX; asked += 1) {
    const status = await recorder.as('transfer-status', async () => bank.status(attempt, await newExternalId()));
    if (status.is === 'accepted' && status.value !== 'paying' && status.value !== 'not-found') return;
    await pause(ASK_AGAIN_MS);
  }
}

function orderOf(channel: Channel, now: number, input: string | undefined): RemoteOrder {
  return {
    charge_id: randomUUID(),
    merchant_id: randomUUID(),
    merchant_name: 'Recording',
    merchant_name_id: null,
    channel: channelByCode(channel.code)!,
    amount: AMOUNT[channel.currency],
    description: null,
    return_url: 'https://example.com/',
    expires_on: timestamp(now + LIFE_MS),
    attempt: 1,
    ...(input === undefined ? {} : { input }),
  };
}
