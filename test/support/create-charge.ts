import { channelByCode } from '../../src/ledger/channels.js';
import type { ChannelTerms } from '../../src/ledger/ports/merchant-terms.js';
import type { ChargeOrder, CreateCommand } from '../../src/domain/charges/charge.decider.js';

/** A shipped channel as agreed with a merchant, but for `change`. */
export function termsOf(code: string, change: Partial<ChannelTerms> = {}): ChannelTerms {
  return { ...channelByCode(code)!, enabled: true, ...change };
}

/** Returns a command that creates a charge which `terms` allow, with the members of `order`. */
export function createCharge(
  ids: { readonly charge_id: string; readonly merchant_id: string },
  terms: ChannelTerms,
  order: Partial<ChargeOrder> & Pick<ChargeOrder, 'amount'>,
  now: string,
): CreateCommand {
  return {
    kind: 'create',
    order: {
      currency: terms.currency,
      channel_code: terms.code,
      action_flow: 'EMBEDDED',
      reference_id: 'order-1',
      description: null,
      metadata: {},
      ...order,
    },
    terms,
    ids: { ...ids, code: 'CHG_0123456789ABCDEF', charge_statement_id: ids.charge_id },
    pages: { embedded_url: 'http://x/pay/1', simulation_url: null },
    processor: 'SIMULATOR',
    instructions: () => ({}),
    created_by: 'key_1',
    now,
  };
}
