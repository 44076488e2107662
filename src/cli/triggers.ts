import { CommandFailed } from './failures.js';
import { StateConflict, type ServiceClient } from './service-client.js';

/** Minor units. The charge can be refunded, and its net exceeds the payout, which exceeds its fee. */
const AMOUNTS = {
  IDR: { channel_code: 'qr_qris', action_flow: 'payload', charge: 2_000_000, payout: 1_000_000 },
  MYR: { channel_code: 'wallet_tng', action_flow: 'redirection', charge: 20_000, payout: 10_000 },
  SGD: { channel_code: 'qr_paynow', action_flow: 'payload', charge: 20_000, payout: 10_000 },
} as const;

type Currency = keyof typeof AMOUNTS;
/** `reminders`: DISPUTE_REMINDER_SECONDS of the service. */
type Recipe = (service: ServiceClient, currency: Currency, reminders: Reminders) => Promise<void>;
type Reminders = () => Promise<readonly number[]>;

interface Charge {
  readonly id: string;
  readonly action: { readonly simulation_url: string };
}

const REFERENCE = 'chargebook trigger';
const CANCEL_TRIES_MAX = 5;

async function charge(service: ServiceClient, currency: Currency, ...outcomes: readonly string[]): Promise<Charge> {
  const { channel_code, action_flow, charge: amount } = AMOUNTS[currency];
  const created = await service.send<Charge>('POST', '/v1/charges', { amount, currency, channel_code, action_flow, reference_id: REFERENCE });
  for (const outcome of outcomes) await service.send('POST', created.action.simulation_url, { outcome });
  return created;
}

/** @param ending of the account number, which determines the response of the simulated bank */
async function payout(service: ServiceClient, currency: Currency, ending = '7890'): Promise<{ readonly id: string }> {
  const { payout: amount } = AMOUNTS[currency];
  const { available_amount } = await service.get<{ readonly available_amount: number }>(`/v1/balances/${currency}`);
  if (available_amount < amount) await charge(service, currency, 'succeed', 'settle');
  const bank = { bank_name: 'Bank', bank_account_name: REFERENCE, bank_account_number: `123456${ending}` };
  return service.send('POST', '/v1/payouts', { amount, currency, ...bank, reference_id: REFERENCE });
}

/** Makes a paid charge and refunds it in full. @param simulate the result of the simulated processor; undefined for success */
async function refund(service: ServiceClient, currency: Currency, simulate?: 'fail'): Promise<{ readonly id: string }> {
  const { id } = await charge(service, currency, 'succeed');
  return service.send('POST', `/v1/charges/${id}/refunds`, { reference_id: REFERENCE, ...(simulate && { metadata: { simulate } }) });
}

/** Makes a paid charge and disputes it. @param outcomes of the dispute after it is open @returns its id */
async function dispute(service: ServiceClient, currency: Currency, outcomes: readonly string[] = [], opening: object = {}): Promise<string> {
  const { action } = await charge(service, currency, 'succeed');
  const open = { outcome: 'dispute-open', ...opening };
  const played = await service.send<{ readonly dispute: { readonly id: string } }>('POST', action.simulation_url, open);
  for (const outcome of outcomes) await service.send('POST', action.simulation_url, { outcome });
  return played.dispute.id;
}

async function challenge(service: ServiceClient, currency: Currency): Promise<void> {
  const id = await dispute(service, currency);
  await service.upload(`/v1/disputes/${id}/evidence?Name=receipt.txt&Category=RECEIPT`, REFERENCE);
  await service.send('POST', `/v1/disputes/${id}/challenge`, {});
}

/** A busy service may already have handed over the record to cancel. Then the next one is tried. */
async function cancelInTime(service: ServiceClient, records: 'payouts' | 'refunds', make: () => Promise<{ readonly id: string }>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { id } = await make();
    try {
      return void (await service.send('POST', `/v1/${records}/${id}/cancel`, {}));
    } catch (error) {
      if (!(error instanceof StateConflict) || tries === CANCEL_TRIES_MAX) throw error;
    }
  }
}

const customer = (service: ServiceClient): Promise<{ readonly id: string }> =>
  service.send('POST', '/v1/customers', { name: REFERENCE, email: 'trigger@example.com' });

const paid: Recipe = async (service, currency) => void (await charge(service, currency, 'succeed'));
const refunded: Recipe = async (service, currency) => void (await refund(service, currency));
const disputed: Recipe = async (service, currency) => void (await dispute(service, currency));
const paidOut: Recipe = async (service, currency) => void (await payout(service, currency));

/** The actions of a merchant and its customer that cause each kind of event. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'charge.created': async (service, currency) => void (await charge(service, currency)),
  'charge.succeeded': paid,
  'charge.failed': async (service, currency) => void (await charge(service, currency, 'fail')),
  'charge.expired': async (service, currency) => void (await charge(service, currency, 'expire')),
  'charge.cancelled': async (service, currency) =>
    void (await service.send('POST', `/v1/charges/${(await charge(service, currency)).id}/cancel`, {})),
  'charge.settled': async (service, currency) => void (await charge(service, currency, 'succeed', 'settle')),
  'charge.reversed': async (service, currency) => void (await charge(service, currency, 'succeed', 'reverse')),
  'payout.created': paidOut,
  'payout.processing': paidOut,
  'payout.succeeded': paidOut,
  'payout.failed': async (service, currency) => void (await payout(service, currency, '0001')),
  'payout.reversed': async (service, currency) => void (await payout(service, currency, '0002')),
  'payout.cancelled': (service, currency) => cancelInTime(service, 'payouts', () => payout(service, currency)),
  'customer.created': async (service) => void (await customer(service)),
  'customer.updated': async (service) => void (await service.send('PUT', '/v1/customers', { id: (await customer(service)).id, email: null })),
  'customer.deleted': async (service) => service.delete(`/v1/customers?Id=${(await customer(service)).id}`),
  'balance.updated': paid,
  'refund.created': refunded,
  'refund.processing': refunded,
  'refund.succeeded': refunded,
  'refund.failed': async (service, currency) => void (await refund(service, currency, 'fail')),
  'refund.cancelled': (service, currency) => cancelInTime(service, 'refunds', () => refund(service, currency)),
  'dispute.opened': disputed,
  'dispute.reopened': async (service, currency) => void (await dispute(service, currency, ['dispute-win', 'dispute-reopen'])),
  // Due one second before its first reminder.
  'dispute.due_soon': async (service, currency, reminders) =>
    void (await dispute(service, currency, [], { due_in_seconds: Math.max(...(await reminders())) + 1 })),
  'dispute.under_review': challenge,
  'dispute.won': async (service, currency) => void (await dispute(service, currency, ['dispute-win'])),
  'dispute.lost': async (service, currency) => void (await dispute(service, currency, ['dispute-lose'])),
};

export const TRIGGERS: readonly string[] = Object.keys(RECIPES);

/**
 * Causes an event of this kind for the key's merchant. @param reminders read for events that are reminders @throws CommandFailed for a live merchant
 */
export async function trigger(service: ServiceClient, kind: string, reminders: Reminders): Promise<void> {
  const { mode, default_currency } = await service.get<{ readonly mode: string; readonly default_currency: string }>('/v1/merchants/me');
  if (mode !== 'TEST') throw new CommandFailed('this is the key of a live merchant: events can only be triggered for test merchants');
  await RECIPES[kind]!(service, default_currency as Currency, reminders);
}
