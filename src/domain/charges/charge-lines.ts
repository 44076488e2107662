import { isOfAccount, refusalOfListed, whyItWaits, type LineRefusal, type ListedLine, type RefuseLine } from '../accounts/listed-line.js';
import { NOTHING_TO_DO, refuse, type Decision } from '../../ledger/decider.js';
import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { ChargeEvent } from '../../ledger/events/charge.events.js';
import type { Timestamp } from '../../ledger/time.js';
import { ofCharge, restOf, type ChargeState, type ExistingCharge } from './charge-state.js';
import { disputeLineKey } from './disputes/dispute-state.js';

export type ClaimRefusal =
  | 'charge-not-found'
  /** The stream has no payment: the reader is behind. Never a reason to drop a line. */
  | 'charge-not-paid'
  | 'charge-claimed-elsewhere'
  | 'charge-reversed-before-claim'
  | 'charge-not-reversed-after-claim'
  /** The charge has no such refund or dispute, or a settlement moves no money for it. */
  | 'line-not-found'
  | LineRefusal;

type ClaimDecision = Decision<ChargeEvent, ClaimRefusal>;

/** Refusals by which a settlement drops the line. For any other refusal it waits. */
export const DROPS_CHARGE: ReadonlySet<string> = new Set<ClaimRefusal>(['charge-claimed-elsewhere', 'charge-reversed-before-claim', 'line-refused']);

export function decideLine(state: ChargeState, { listed, now }: { readonly listed: ListedLine; readonly now: Timestamp }): ClaimDecision {
  const { settlement_number } = listed;
  const refusal = refusalOfListed(state.refused, listed, state.status === 'NONE' ? undefined : state.created);
  if (refusal) return refusal;
  if (state.status === 'NONE') return refuse('charge-not-found', 'There is no such charge.');
  switch (listed.line.kind) {
    case 'charge':
      return decideClaim(state, settlement_number, now);
    case 'reversal':
      return decideClaimReversal(state, settlement_number, now);
    default:
      return decideClaimLine(state, listed, now);
  }
}

/** Returns the reason for which the settlement waits; undefined when it does not wait for this charge. */
export function waitsFor(state: ChargeState, { listed, now }: RefuseLine): string | undefined {
  const claim = decideLine(state, { listed, now });
  if (!('refusal' in claim) || DROPS_CHARGE.has(claim.refusal)) return undefined;
  return isClaimedFor(state, listed) ? undefined : whyItWaits(claim);
}

function isClaimedFor(state: ChargeState, listed: ListedLine): boolean {
  if (state.status === 'NONE' || !isOfAccount(listed, state.created)) return false;
  return claimOfLine(state, listed.line)?.settlement_number === listed.settlement_number;
}

type Claim = Pick<SettlementLine, 'net_amount' | 'fee_amount'> & { readonly settlement_number: number | null };

/** Returns null when the charge has no such line. `settlement_number` is null while no settlement has claimed it. */
function claimOfLine(state: ExistingCharge, { kind, record_id }: SettlementLine): Claim | null {
  const { claim, reversed, refunds, dispute_lines } = state;
  switch (kind) {
    case 'charge':
      return claim;
    case 'reversal':
      return reversed && { ...reversed, settlement_number: reversed.reversal_claimed_in };
    case 'refund-return': {
      const refund = refunds.get(record_id);
      if (refund?.to !== 'RETURNS') return null;
      return { net_amount: refund.claimed.net_amount, fee_amount: 0, settlement_number: refund.line_claimed_in };
    }
    default: {
      const line = dispute_lines.get(disputeLineKey(kind, record_id));
      return line ? { net_amount: line.net_amount, fee_amount: 0, settlement_number: line.claimed_in } : null;
    }
  }
}

/** Returns a claimed line with the amounts of its claim. The listed amounts date from the creation of the list. */
export function claimedLine(state: ChargeState, line: SettlementLine): SettlementLine {
  const claim = state.status === 'NONE' ? null : claimOfLine(state, line);
  if (claim?.settlement_number == null) throw new Error(`${line.kind} ${line.record_id} is not claimed`);
  return { ...line, net_amount: claim.net_amount, fee_amount: claim.fee_amount };
}

/**
 * Returns the unsettled lines of a charge, regardless of their due date, and the number of the newest settlement that has claimed
 * any of its lines; 0 while none has.
 */
export function linesToSettle(state: ExistingCharge): { readonly lines: readonly SettlementLine[]; readonly claimed_in: number } {
  const { created, claim, reversed, refunds, dispute_lines } = state;
  const { charge_id } = created;
  const lines: SettlementLine[] = [];
  if (state.status === 'SUCCEEDED' && !reversed && !claim) lines.push({ kind: 'charge', record_id: charge_id, ...amountsOf(restOf(state)) });
  if (reversed && reversed.claimed_in !== null && reversed.reversal_claimed_in === null)
    lines.push({ kind: 'reversal', record_id: charge_id, ...amountsOf(reversed) });
  const returned = [...refunds.values()].filter(({ to, claimed }) => to === 'RETURNS' && claimed.net_amount > 0);
  for (const { claimed, line_claimed_in } of returned) {
    if (line_claimed_in !== null) continue;
    lines.push({ kind: 'refund-return', record_id: claimed.refund_id, net_amount: claimed.net_amount, fee_amount: 0, charge_id });
  }
  for (const { kind, record_id, net_amount, claimed_in } of dispute_lines.values()) {
    if (claimed_in === null) lines.push({ kind, record_id, net_amount, fee_amount: 0, charge_id });
  }
  const claims = [...returned.map(({ line_claimed_in }) => line_claimed_in), ...[...dispute_lines.values()].map(({ claimed_in }) => claimed_in)];
  const numbers = [claim?.settlement_number, reversed?.reversal_claimed_in, ...claims];
  return { lines, claimed_in: Math.max(...numbers.map((number) => number ?? 0)) };
}

const amountsOf = ({ net_amount, fee_amount }: Pick<SettlementLine, 'net_amount' | 'fee_amount'>) => ({ net_amount, fee_amount });

function decideClaim(state: ExistingCharge, settlement_number: number, now: Timestamp): ClaimDecision {
  if (state.claim?.settlement_number === settlement_number) return NOTHING_TO_DO;
  if (state.claim) return refuse('charge-claimed-elsewhere', `The charge is in settlement ${state.claim.settlement_number}.`);
  if (state.reversed) return refuse('charge-reversed-before-claim', 'The charge was reversed before any settlement.');
  if (state.status !== 'SUCCEEDED') return refuse('charge-not-paid', `The charge is ${state.status}.`);
  const { net_amount, fee_amount } = restOf(state);
  return { events: [{ type: 'ChargeSettlementClaimed', data: { ...ofCharge(state), settlement_number, net_amount, fee_amount, claimed_on: now } }] };
}

function decideClaimReversal(state: ExistingCharge, settlement_number: number, now: Timestamp): ClaimDecision {
  if (!state.reversed) return refuse('charge-not-reversed-after-claim', 'The charge is not reversed.');
  if (state.reversed.reversal_claimed_in === settlement_number) return NOTHING_TO_DO;
  if (state.reversed.reversal_claimed_in !== null) {
    return refuse('charge-claimed-elsewhere', `The reversal is in settlement ${state.reversed.reversal_claimed_in}.`);
  }
  if (state.reversed.claimed_in === null) return refuse('charge-reversed-before-claim', 'The charge was reversed before any settlement.');
  return { events: [{ type: 'ChargeReversalClaimed', data: { ...ofCharge(state), settlement_number, claimed_on: now } }] };
}

function decideClaimLine(state: ExistingCharge, { settlement_number, line }: ListedLine, now: Timestamp): ClaimDecision {
  const { kind, record_id } = line;
  const claim = claimOfLine(state, line);
  if (kind === 'charge' || kind === 'reversal' || kind === 'return' || !claim)
    return refuse('line-not-found', `The charge has no ${kind} of ${record_id}.`);
  if (claim.settlement_number === settlement_number) return NOTHING_TO_DO;
  if (claim.settlement_number !== null) return refuse('charge-claimed-elsewhere', `The ${kind} is in settlement ${claim.settlement_number}.`);
  const { net_amount } = claim;
  return { events: [{ type: 'ChargeLineClaimed', data: { ...ofCharge(state), kind, record_id, settlement_number, net_amount, claimed_on: now } }] };
}
