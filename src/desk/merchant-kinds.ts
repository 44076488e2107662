import { railUseOf } from '../ledger/channels.js';
import { merchantStream, type MerchantFeeSet } from '../ledger/events/merchant.events.js';
import type { ProposalMade } from '../ledger/events/proposal.events.js';
import type { Mode } from '../ledger/mode.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import { merchant } from '../merchants/merchant.decider.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { unknownField, type MemberFault } from '../platform/http/validation.js';
import { RailRefused, railForUse } from '../rails/rail.handlers.js';
import { ChannelContent, FeeContent, RailContent } from './proposal-contents.dto.js';
import type { ProposalKind } from './proposal-kind.js';
import { targetOf } from './proposal-target.js';

const modeOfMerchant = ({ merchant_id }: { readonly merchant_id: string }, known: KnownMerchants): Mode | null =>
  known.merchant(merchant_id)?.mode ?? null;
const merchantTarget = (merchant_id: string) => ({ stream: merchantStream(merchant_id), merchant_id });
const setBy = ({ proposal_id }: Pick<ProposalMade, 'proposal_id'>) => ({ set_by: `proposal ${proposal_id}`, proposal_id });

/** Charges have a channel, payouts and disputes a currency, and nothing has both. */
function faultsOfFee({ of: { kind, channel_code, currency } }: FeeContent): MemberFault[] {
  const ofCharge = kind === 'charge';
  const required = (at: string): MemberFault => ({ at, code: 'required', detail: 'This field is required.' });
  return [
    ...(ofCharge && channel_code === undefined ? [required('/of/channel_code')] : []),
    ...(ofCharge && currency !== undefined ? [unknownField('/of', 'currency')] : []),
    ...(!ofCharge && currency === undefined ? [required('/of/currency')] : []),
    ...(!ofCharge && channel_code !== undefined ? [unknownField('/of', 'channel_code')] : []),
  ];
}

export const FEE: ProposalKind<FeeContent, Pick<MerchantFeeSet, 'merchant_id' | 'of' | 'fee'>> = {
  dto: FeeContent,
  controllers_required: 0,
  faultsOf: faultsOfFee,
  toContent({ merchant_id, of, fee: { type, value } }) {
    const fee = { type, value };
    if (of.kind === 'charge') return { merchant_id, of: { kind: of.kind, channel_code: of.channel_code!.toUpperCase() }, fee };
    return { merchant_id, of: { kind: of.kind, currency: of.currency! }, fee };
  },
  modeOf: modeOfMerchant,
  targetOf: ({ merchant_id, of, fee }, made) =>
    targetOf(merchantTarget(merchant_id), merchant, (now) => ({ kind: 'set-fee' as const, of, fee, ...setBy(made), now })),
};

export const CHANNEL: ProposalKind<ChannelContent> = {
  dto: ChannelContent,
  controllers_required: 0,
  toContent: ({ merchant_id, channel_code, enabled, min_amount, max_amount, settlement_cycle }) => ({
    ...{ merchant_id, channel_code: channel_code.toUpperCase() },
    ...(enabled !== undefined && { enabled }),
    ...(min_amount !== undefined && { min_amount }),
    ...(max_amount !== undefined && { max_amount }),
    ...(settlement_cycle !== undefined && { settlement_cycle: settlement_cycle.toUpperCase() }),
  }),
  modeOf: modeOfMerchant,
  targetOf: ({ merchant_id, channel_code, ...change }, made) =>
    targetOf(merchantTarget(merchant_id), merchant, (now) => ({ kind: 'set-channel' as const, channel_code, change, ...setBy(made), now })),
};

interface RailRoute {
  readonly merchant_id: string;
  readonly use: string;
  readonly rail: string | null;
  readonly merchant_name_id: string | null;
}

/** Which rails there are is decided in another stream, and looked up for each decision. */
export const railKind = (store: EventStore): ProposalKind<RailContent, RailRoute> => ({
  dto: RailContent,
  controllers_required: 0,
  toContent: ({ merchant_id, use, rail = null, merchant_name_id = null }) => ({ merchant_id, use: railUseOf(use) ?? use, rail, merchant_name_id }),
  modeOf: modeOfMerchant,
  targetOf: ({ merchant_id, use, rail: name, merchant_name_id }, made) =>
    targetOf(merchantTarget(merchant_id), merchant, async (now) => {
      try {
        const rail = await railForUse({ store }, name, use);
        return { kind: 'set-rail' as const, use, rail, merchant_name_id, ...setBy(made), now };
      } catch (error) {
        if (!(error instanceof RailRefused)) throw error;
        return { refusal: error.refusal, detail: error.message };
      }
    }),
});
