import { merchantStream, type MerchantFeeSet } from '../../ledger/events/merchant.events.js';
import type { ProposalMade } from '../../ledger/events/proposal.events.js';
import type { Mode } from '../../ledger/mode.js';
import type { KnownMerchants } from '../merchants/known-merchants.js';
import { merchant } from '../merchants/merchant.decider.js';
import type { ChannelContent } from './proposal-contents.dto.js';
import { approvalsOfSettings, type ProposalKind } from './proposal-kind.js';
import { refusedIn, targetOf } from './proposal-target.js';

export const modeOfMerchant = ({ merchant_id }: { readonly merchant_id: string }, known: KnownMerchants): Mode | null =>
  known.merchant(merchant_id)?.mode ?? null;
export const merchantTarget = (merchant_id: string) => ({ stream: merchantStream(merchant_id), refused: refusedIn(merchant_id) });
export const setBy = ({ proposal_id }: Pick<ProposalMade, 'proposal_id'>) => ({ set_by: `proposal ${proposal_id}`, proposal_id });

export type FeeSetting = Pick<MerchantFeeSet, 'merchant_id' | 'of' | 'fee'>;

export const FEE: ProposalKind<FeeSetting> = {
  approvalsOf: approvalsOfSettings(0),
  modeOf: modeOfMerchant,
  targetOf: ({ merchant_id, of, fee }, made) =>
    targetOf(merchantTarget(merchant_id), merchant, (now) => ({ kind: 'set-fee' as const, of, fee, ...setBy(made), now })),
};

export const CHANNEL: ProposalKind<ChannelContent> = {
  approvalsOf: approvalsOfSettings(0),
  modeOf: modeOfMerchant,
  targetOf: ({ merchant_id, channel_code, ...change }, made) =>
    targetOf(merchantTarget(merchant_id), merchant, (now) => ({ kind: 'set-channel' as const, channel_code, change, ...setBy(made), now })),
};

export interface RailRoute {
  readonly merchant_id: string;
  readonly use: string;
  readonly rail: string | null;
  readonly merchant_name_id: string | null;
}
