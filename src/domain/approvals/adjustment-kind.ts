import { account } from '../accounts/account.decider.js';
import type { AccountSnapshots } from '../accounts/account-snapshots.js';
import { AccountKind } from '../accounts/account-state-store.js';
import { accountStream } from '../../ledger/events/account.events.js';
import {
  houseStream,
  isAccountKind,
  isSuspenseKind,
  type AccountAdjustmentKind,
  type AdjustmentKind,
  type HouseAdjustmentKind,
} from '../../ledger/events/adjustment.events.js';
import type { ApprovalTier } from '../../ledger/events/approval-policy.events.js';
import type { ProposalMade } from '../../ledger/events/proposal.events.js';
import type { Mode } from '../../ledger/mode.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { DecisionReads } from '../../platform/projector/decision-reads.js';
import { feeOfCharge, itemAtProcessor, itemInSuspense, modeOfMerchant, openedSource } from './adjusted-records.js';
import { house } from './house.decider.js';
import type { ProposalKind } from './proposal-kind.js';
import { targetOf, type ProposalTarget } from './proposal-target.js';
import { refuse } from '../../ledger/decider.js';

/** Content of a proposal of kind ADJUSTMENT. Fields that the request left out are absent. */
interface OfAdjustment {
  readonly currency: string;
  /** Minor units, above zero. */
  readonly amount: number;
  readonly item_id?: string;
  /** `2026-01`. */
  readonly relates_to?: string;
}

interface AccountAdjustment extends OfAdjustment {
  readonly kind: AccountAdjustmentKind;
  readonly merchant_id: string;
  readonly waive_fee?: true;
  readonly direction?: 'back';
}

interface HouseAdjustment extends OfAdjustment {
  readonly kind: HouseAdjustmentKind;
  readonly mode: Mode;
  readonly source?: string;
  readonly position?: number;
}

export type AdjustmentContent = AccountAdjustment | HouseAdjustment;

export interface AdjustmentServices {
  /** Read models that locate records, and that have the items of processors. */
  readonly reads: DecisionReads;
  readonly snapshots: AccountSnapshots;
  /** Time zone of the books, IANA name. */
  readonly timeZone: string;
}

/** Kinds that need two approvals without any tier: our loss is the merchant's gain or the reverse, or new money enters the books. */
const BY_TWO: readonly AdjustmentKind[] = ['CLAWBACK', 'COVER', 'OPENING'];

const isAccountAdjustment = (content: AdjustmentContent): content is AccountAdjustment => isAccountKind(content.kind);

export function approvalsOfAdjustment(
  { kind, currency, amount }: Pick<AdjustmentContent, 'kind' | 'currency' | 'amount'>,
  tiers: readonly ApprovalTier[],
): Pick<ProposalMade, 'approvals_required' | 'controllers_required'> {
  return {
    approvals_required: approvalsByTier(tiers, currency, amount, BY_TWO.includes(kind) ? 2 : 1),
    controllers_required: kind === 'OPENING' ? 1 : 0,
  };
}

/** Returns how many operators must approve this amount. @param least without any tier */
export const approvalsByTier = (tiers: readonly ApprovalTier[], currency: string, amount: number, least: 1 | 2): number =>
  Math.max(least, ...tiers.filter((tier) => tier.currency === currency && amount > tier.above).map(({ approvals }) => approvals));

/** Events that a decision depends on are read from their own streams; read models only locate them. */
export const adjustmentKind = (store: EventStore, services: AdjustmentServices): ProposalKind<AdjustmentContent> => ({
  approvalsOf: (content, policy) => approvalsOfAdjustment(content, policy?.adjustments ?? []),
  modeOf: (content, known) => (isAccountAdjustment(content) ? (known.merchant(content.merchant_id)?.mode ?? null) : content.mode),
  targetOf: (content, { proposal_id }) =>
    isAccountAdjustment(content) ? accountTarget(store, services, content, proposal_id) : houseTarget(store, services, content, proposal_id),
});

const refusedIn =
  (merchant_id: string | null, currency: string): ProposalTarget['refused'] =>
  (refused) => ({ type: 'AdjustmentRefused', data: { merchant_id, currency, ...refused } });

/** Fields that every kind has. */
const orderOf = ({ amount, currency, relates_to }: OfAdjustment, proposal_id: string, time_zone: string) => ({
  ...{ proposal_id, amount, currency, relates_to: relates_to ?? null, time_zone },
});

const itemOf = ({ kind, item_id }: AdjustmentContent): string | null => (isSuspenseKind(kind) ? item_id! : null);

function accountTarget(
  store: EventStore,
  { reads, snapshots, timeZone }: AdjustmentServices,
  content: AccountAdjustment,
  proposal_id: string,
): ProposalTarget {
  const { kind, merchant_id, currency, waive_fee, direction = null } = content;
  const stream = accountStream(merchant_id, currency);
  const loadState = (of: EventStore) => new AccountKind(of, snapshots).load(stream, undefined, () => undefined);
  const item = itemOf(content);
  return targetOf({ stream, item, loadState, refused: refusedIn(merchant_id, currency) }, account, async (now) => {
    const mode = await modeOfMerchant(store, merchant_id);
    if (mode === undefined) return refuse('merchant-not-found', `There is no merchant ${merchant_id}.`);
    const found = item === null ? null : await itemInSuspense(store, reads, item);
    const charge = kind === 'UNMATCHED_TO_MERCHANT' && waive_fee !== true ? (found?.charge_id ?? null) : null;
    const fee = charge === null ? null : await feeOfCharge(store, charge);
    return {
      kind: 'adjust' as const,
      order: { ...orderOf(content, proposal_id, timeZone), kind, merchant_id, mode, direction, item: found, fee },
      now,
    };
  });
}

function houseTarget(store: EventStore, { reads, timeZone }: AdjustmentServices, content: HouseAdjustment, proposal_id: string): ProposalTarget {
  const { kind, mode, currency, item_id, source, position = null } = content;
  const item = itemOf(content);
  return targetOf({ stream: houseStream(mode, currency), item, refused: refusedIn(null, currency) }, house, async (now, newest) => {
    // Earlier adjustments of the same stream have closed items.
    if (kind === 'WRITE_OFF' || kind === 'OPENING') await reads.requireApplied(['recon'], newest);
    const about = {
      item: item === null ? null : await itemInSuspense(store, reads, item),
      at_processor: kind === 'WRITE_OFF' ? await itemAtProcessor(reads, item_id!) : null,
      opening: kind === 'OPENING' ? await openedSource(reads, { source: source!, mode, currency, position }) : null,
    };
    return { kind: 'adjust' as const, order: { ...orderOf(content, proposal_id, timeZone), kind, mode, ...about }, now };
  });
}
