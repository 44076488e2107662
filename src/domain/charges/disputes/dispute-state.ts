import type { ChargeLineKind } from '../../../ledger/events/account.events.js';
import type { ChargeLineClaimed } from '../../../ledger/events/charge.events.js';
import type {
  ChargeDisputeEvent,
  ChargeDisputeEvidenceAdded,
  ChargeDisputeOpened,
  DisputeLostReason,
  DisputeStage,
} from '../../../ledger/events/dispute.events.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** Minor units; net_amount is amount − fee_amount. */
export interface DisputedAmounts {
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
}

export interface Dispute {
  readonly opened: ChargeDisputeOpened;
  readonly status: 'INQUIRY' | 'ACTION_REQUIRED' | 'UNDER_REVIEW' | 'WON' | 'LOST';
  readonly stage: DisputeStage;
  /** The disputed amount at this stage. */
  readonly amount: number;
  readonly due_by: string;
  /** Start of this stage. */
  readonly since: string;
  /** Held while the dispute is open, taken once it is lost. */
  readonly held: DisputedAmounts;
  /** No stage follows the one that was won. */
  readonly isFinal: boolean;
  /** Reason of the last loss; null before. */
  readonly lostReason: DisputeLostReason | null;
  /** Lost past inquiry: the fee has been charged, if there is one. */
  readonly hasBeenLost: boolean;
  readonly wonAt: ReadonlySet<DisputeStage>;
  /** Number of holds, and of releases, so far. */
  readonly holds: number;
  readonly releases: number;
  /** The processor has accepted the challenge. */
  readonly isSubmitted: boolean;
  /** Reminders of `due_by` that the merchant has received, in seconds before it. */
  readonly reminders: readonly number[];
  /** In the order of addition. */
  readonly evidence: ReadonlyMap<string, Evidence>;
}

export interface Evidence {
  readonly added: ChargeDisputeEvidenceAdded;
  readonly isErased: boolean;
}

/** An amount that a settlement moves for a dispute. */
export interface DisputeLine {
  readonly kind: Exclude<ChargeLineKind, 'refund-return'>;
  readonly record_id: string;
  readonly net_amount: number;
  /** Number of the settlement that has claimed the line; null while none has. */
  readonly claimed_in: number | null;
}

/** The disputes of a charge, as a part of its state. */
export interface Disputes {
  /** In the order of their opening. */
  readonly disputes: ReadonlyMap<string, Dispute>;
  /** In the order of creation, keyed by kind and record. */
  readonly dispute_lines: ReadonlyMap<string, DisputeLine>;
}

export const NO_DISPUTES: Disputes = { disputes: new Map(), dispute_lines: new Map() };

const NOTHING_HELD: DisputedAmounts = { amount: 0, fee_amount: 0, net_amount: 0 };

const hasEnded = ({ status }: Dispute): boolean => status === 'WON' || status === 'LOST';

/** True for an open dispute past inquiry: it holds money, as far as there is any. */
export const holdsMoney = (dispute: Dispute): boolean => !hasEnded(dispute) && dispute.stage !== 'INQUIRY';

/** Returns the amount that an open dispute should hold and does not. */
export const lacks = (dispute: Dispute): number => (holdsMoney(dispute) ? Math.max(0, dispute.amount - dispute.held.amount) : 0);

export const disputeLineKey = (kind: string, record_id: string): string => `${kind} ${record_id}`;

export function evolveDisputes(state: Disputes, event: ChargeDisputeEvent): Disputes {
  const { dispute_id } = event.data;
  switch (event.type) {
    case 'ChargeDisputeOpened':
      return { ...state, disputes: new Map(state.disputes).set(dispute_id, openedDispute(event.data)) };
    case 'ChargeDisputeReopened': {
      const { stage, amount, due_by, reopened_on: since } = event.data;
      const answer = { isFinal: false, isSubmitted: false, reminders: [] };
      return changed(state, dispute_id, { status: 'ACTION_REQUIRED', stage, amount, due_by, since, ...answer });
    }
    case 'ChargeDisputeHeld': {
      const { hold_id, net_amount, from } = event.data;
      const { held, holds } = existing(state, dispute_id);
      const after = changed(state, dispute_id, { held: sumOf(held, event.data), holds: holds + 1 });
      return from === 'RETURNS' ? withLine(after, 'dispute-hold', hold_id, net_amount) : after;
    }
    case 'ChargeDisputeWon': {
      const { stage, is_final: isFinal, release_id, net_amount, to } = event.data;
      const before = existing(state, dispute_id);
      const wonAt = new Set(before.wonAt).add(stage);
      const after = changed(state, dispute_id, { status: 'WON', held: NOTHING_HELD, isFinal, wonAt, releases: before.releases + 1 });
      return to === 'RETURNS' ? withLine(after, 'dispute-release', release_id, net_amount) : after;
    }
    case 'ChargeDisputeLost': {
      const { stage, lost_reason: lostReason, dispute_fee_amount } = event.data;
      const hasBeenLost = existing(state, dispute_id).hasBeenLost || stage !== 'INQUIRY';
      const after = changed(state, dispute_id, { status: 'LOST', lostReason, hasBeenLost });
      return withLine(after, 'dispute-fee', dispute_id, dispute_fee_amount);
    }
    case 'ChargeDisputeChallenged':
      return changed(state, dispute_id, { status: 'UNDER_REVIEW' });
    case 'ChargeDisputeSubmitted':
      return changed(state, dispute_id, { isSubmitted: true });
    case 'ChargeDisputeDueSoon':
      return changed(state, dispute_id, { reminders: [...existing(state, dispute_id).reminders, event.data.seconds_before] });
    case 'ChargeDisputeEvidenceAdded': {
      const evidence = new Map(existing(state, dispute_id).evidence).set(event.data.evidence_id, { added: event.data, isErased: false });
      return changed(state, dispute_id, { evidence });
    }
    case 'ChargeDisputeEvidenceErased': {
      const evidence = new Map([...existing(state, dispute_id).evidence].map(([id, each]) => [id, { ...each, isErased: true }]));
      return changed(state, dispute_id, { evidence });
    }
    default:
      return unreachable(event);
  }
}

/** Records that a settlement has claimed the line. */
export function claimDisputeLine(state: Disputes, { kind, record_id, settlement_number, net_amount }: ChargeLineClaimed): Disputes {
  const key = disputeLineKey(kind, record_id);
  const line = state.dispute_lines.get(key);
  // At other fees, a line that a settlement has claimed may be one of nothing.
  if (!line && net_amount === 0) return state;
  if (!line) throw new Error(`a settlement claimed ${key}, which does not exist`);
  return { ...state, dispute_lines: new Map(state.dispute_lines).set(key, { ...line, claimed_in: settlement_number }) };
}

function openedDispute(opened: ChargeDisputeOpened): Dispute {
  const { stage, amount, due_by, opened_on: since } = opened;
  return {
    opened,
    status: stage === 'INQUIRY' ? 'INQUIRY' : 'ACTION_REQUIRED',
    stage,
    amount,
    due_by,
    since,
    held: NOTHING_HELD,
    isFinal: false,
    lostReason: null,
    hasBeenLost: false,
    wonAt: new Set(),
    holds: 0,
    releases: 0,
    isSubmitted: false,
    reminders: [],
    evidence: new Map(),
  };
}

/** Adds no line for an amount of 0: there is nothing to settle. */
function withLine(state: Disputes, kind: DisputeLine['kind'], record_id: string, net_amount: number): Disputes {
  if (net_amount === 0) return state;
  const line = { kind, record_id, net_amount, claimed_in: null };
  return { ...state, dispute_lines: new Map(state.dispute_lines).set(disputeLineKey(kind, record_id), line) };
}

function changed(state: Disputes, disputeId: string, change: Partial<Dispute>): Disputes {
  return { ...state, disputes: new Map(state.disputes).set(disputeId, { ...existing(state, disputeId), ...change }) };
}

function existing({ disputes }: Disputes, disputeId: string): Dispute {
  const dispute = disputes.get(disputeId);
  if (!dispute) throw new Error(`an event changes dispute ${disputeId}, which was never opened`);
  return dispute;
}

function sumOf(a: DisputedAmounts, b: DisputedAmounts): DisputedAmounts {
  return { amount: a.amount + b.amount, fee_amount: a.fee_amount + b.fee_amount, net_amount: a.net_amount + b.net_amount };
}
