import type { ChargeLineKind } from '../ledger/events/account.events.js';
import type { ChargeLineClaimed } from '../ledger/events/charge.events.js';
import type { ChargeDisputeEvent, ChargeDisputeEvidenceAdded, ChargeDisputeOpened, DisputeStage } from '../ledger/events/dispute.events.js';

export const DISPUTE_STATUSES = ['INQUIRY', 'ACTION_REQUIRED', 'UNDER_REVIEW', 'WON', 'LOST'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** Minor units; net_amount is amount − fee_amount. */
export interface DisputedAmounts {
  readonly amount: number;
  readonly fee_amount: number;
  readonly net_amount: number;
}

export interface Dispute {
  readonly opened: ChargeDisputeOpened;
  readonly status: DisputeStatus;
  readonly stage: DisputeStage;
  /** In dispute at this stage. */
  readonly amount: number;
  readonly due_by: string;
  /** Held for it while it is open, taken by it once it is lost. */
  readonly held: DisputedAmounts;
  /** No stage follows the one that was won. */
  readonly isFinal: boolean;
  /** Its fee has been charged, if it has one. */
  readonly hasBeenLost: boolean;
  readonly wonAt: ReadonlySet<DisputeStage>;
  /** The processor has taken the answer. */
  readonly isSubmitted: boolean;
  /** Reminders that the merchant has had of `due_by`, in seconds before it. */
  readonly reminders: readonly number[];
  /** In the order in which it was added. */
  readonly evidence: ReadonlyMap<string, Evidence>;
}

export interface Evidence {
  readonly added: ChargeDisputeEvidenceAdded;
  readonly isErased: boolean;
}

/** What a settlement is to move for a dispute. */
export interface DisputeLine {
  readonly kind: Exclude<ChargeLineKind, 'refund-return'>;
  readonly record_id: string;
  readonly net_amount: number;
  /** Number of the settlement that has claimed it. */
  readonly claimed_in: number | null;
}

/** The part of a charge's state that disputes are. */
export interface Disputes {
  /** In the order in which they were opened. */
  readonly disputes: ReadonlyMap<string, Dispute>;
  /** In the order in which they came about, by kind and record. */
  readonly dispute_lines: ReadonlyMap<string, DisputeLine>;
}

export const NO_DISPUTES: Disputes = { disputes: new Map(), dispute_lines: new Map() };

export const NOTHING_HELD: DisputedAmounts = { amount: 0, fee_amount: 0, net_amount: 0 };

export const disputeLineKey = (kind: string, record_id: string): string => `${kind} ${record_id}`;

export function evolveDisputes(state: Disputes, event: ChargeDisputeEvent): Disputes {
  const { dispute_id } = event.data;
  switch (event.type) {
    case 'ChargeDisputeOpened':
      return { ...state, disputes: new Map(state.disputes).set(dispute_id, openedDispute(event.data)) };
    case 'ChargeDisputeReopened': {
      const { stage, amount, due_by } = event.data;
      return changed(state, dispute_id, { status: 'ACTION_REQUIRED', stage, amount, due_by, isFinal: false, isSubmitted: false, reminders: [] });
    }
    case 'ChargeDisputeHeld': {
      const { hold_id, net_amount, from } = event.data;
      const after = changed(state, dispute_id, { held: sumOf(existing(state, dispute_id).held, event.data) });
      return from === 'RETURNS' ? withLine(after, 'dispute-hold', hold_id, net_amount) : after;
    }
    case 'ChargeDisputeWon': {
      const { stage, is_final: isFinal, release_id, net_amount, to } = event.data;
      const wonAt = new Set(existing(state, dispute_id).wonAt).add(stage);
      const after = changed(state, dispute_id, { status: 'WON', held: NOTHING_HELD, isFinal, wonAt });
      return to === 'RETURNS' ? withLine(after, 'dispute-release', release_id, net_amount) : after;
    }
    case 'ChargeDisputeLost': {
      const { stage, dispute_fee_amount } = event.data;
      const hasBeenLost = existing(state, dispute_id).hasBeenLost || stage !== 'INQUIRY';
      return withLine(changed(state, dispute_id, { status: 'LOST', hasBeenLost }), 'dispute-fee', dispute_id, dispute_fee_amount);
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
      throw new Error(`a dispute knows no ${(event satisfies never as ChargeDisputeEvent).type}`);
  }
}

/** A settlement has claimed the line. */
export function claimDisputeLine(state: Disputes, { kind, record_id, settlement_number }: ChargeLineClaimed): Disputes {
  const key = disputeLineKey(kind, record_id);
  const line = state.dispute_lines.get(key);
  if (!line) throw new Error(`a settlement has claimed ${key}, which is not there`);
  return { ...state, dispute_lines: new Map(state.dispute_lines).set(key, { ...line, claimed_in: settlement_number }) };
}

function openedDispute(opened: ChargeDisputeOpened): Dispute {
  const { stage, amount, due_by } = opened;
  return {
    opened,
    status: stage === 'INQUIRY' ? 'INQUIRY' : 'ACTION_REQUIRED',
    stage,
    amount,
    due_by,
    held: NOTHING_HELD,
    isFinal: false,
    hasBeenLost: false,
    wonAt: new Set(),
    isSubmitted: false,
    reminders: [],
    evidence: new Map(),
  };
}

/** Of what comes to nothing, no settlement moves anything. */
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
  if (!dispute) throw new Error(`something happens to dispute ${disputeId}, which was never opened`);
  return dispute;
}

function sumOf(a: DisputedAmounts, b: DisputedAmounts): DisputedAmounts {
  return { amount: a.amount + b.amount, fee_amount: a.fee_amount + b.fee_amount, net_amount: a.net_amount + b.net_amount };
}
