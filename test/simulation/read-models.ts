import { rowAfter, type DisputeRow } from '../../projections/disputes/disputes.js';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import type { AccountId } from '../../src/domain/accounts/account-queue.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import type { ApprovalExpiryOptions } from '../../src/domain/payouts/approval-expiry.js';
import type { PayoutReader, ReadPayout } from '../../src/domain/payouts/payout-reader.js';
import type { RecordedEvent } from '../../src/platform/event-store/event-store.js';
import type { OpenRefundReader, OpenRefundRow, OpenReservationRow } from '../../src/domain/charges/refunds/refund.worker.js';
import type { OpenPayoutReader, OpenPayoutRow } from '../../src/domain/payouts/payout.worker.js';
import type { DisputeWorkerOptions, DueDisputeRow } from '../../src/domain/charges/disputes/dispute.worker.js';
import type { SettlementReader } from '../../src/domain/settlements/settlement.worker.js';
import { milliseconds, type Timestamp } from '../../src/ledger/time.js';

interface Candidate extends SettlementLine {
  readonly due_on: Timestamp;
}

/** The read models that processes look at, folded anew from however much of the log has been seen. */
export class View {
  readonly payouts = new Map<string, ReadPayout & OpenPayoutRow>();
  readonly candidates = new Map<string, Candidate>();
  readonly openSettlements = new Set<number>();
  readonly refunds = new Map<string, OpenRefundRow | null>();
  readonly reservations = new Map<string, OpenReservationRow>();
  readonly disputes = new Map<string, DisputeRow>();
  /** Approvals of the payouts that require any. */
  readonly approvals = new Map<string, { readonly required: number; readonly approve_by: Timestamp; readonly given: Set<string> }>();
  /** Ordinal of the newest event seen. */
  ordinal = 0;

  constructor(log: readonly RecordedEvent[], { merchant_id }: AccountId) {
    for (const event of log) {
      this.ordinal++;
      if (event.metadata.merchant_id === merchant_id) this.#add(event);
    }
  }

  #add(event: RecordedEvent): void {
    const entry = readEvent(event);
    const move = (payout_id: string, payout_status: ReadPayout['payout_status']): void => {
      const row = this.payouts.get(payout_id)!;
      this.payouts.set(payout_id, { ...row, payout_status: payout_status as OpenPayoutRow['payout_status'], updated_on: event.metadata.occurred_on });
    };
    const offer = (
      kind: SettlementLine['kind'],
      record_id: string,
      due_on: string,
      { net_amount, fee_amount }: { net_amount: number; fee_amount: number },
      of: { charge_id?: string } = {},
    ): void => void this.candidates.set(`${kind} ${record_id}`, { kind, record_id, net_amount, fee_amount, due_on, ...of });
    const change = (charge_id: string, net: number, fee: number): void => {
      const row = this.candidates.get(`charge ${charge_id}`);
      if (row) this.candidates.set(`charge ${charge_id}`, { ...row, net_amount: row.net_amount + net, fee_amount: row.fee_amount + fee });
    };
    const moveDispute = (of: Parameters<typeof rowAfter>[1]): void => {
      const { dispute_id } = of.data;
      this.disputes.set(dispute_id, rowAfter(this.disputes.get(dispute_id), of));
    };
    switch (entry.type) {
      case 'PayoutRequested': {
        const { payout_id, merchant_id, currency, created_on, approvals_required: required, approve_by } = entry.data;
        const ordinal = this.ordinal;
        if (approve_by !== null) this.approvals.set(payout_id, { required, approve_by, given: new Set() });
        this.payouts.set(payout_id, {
          payout_id,
          merchant_id,
          currency,
          created_on,
          updated_on: created_on,
          payout_status: 'PENDING',
          rail: null,
          ordinal,
        });
        return;
      }
      case 'PayoutApproved':
        return void this.approvals.get(entry.data.payout_id)!.given.add(entry.data.person_id);
      case 'PayoutApprovalVoided':
        return void this.approvals.get(entry.data.payout_id)!.given.delete(entry.data.person_id);
      case 'PayoutSubmitted':
        return move(entry.data.payout_id, 'PROCESSING');
      case 'PayoutSucceeded':
        return move(entry.data.payout_id, 'SUCCEEDED');
      case 'PayoutFailed':
        return move(entry.data.payout_id, 'FAILED');
      case 'PayoutCancelled':
        return move(entry.data.payout_id, 'CANCELLED');
      case 'ChargePaid':
        return offer('charge', entry.data.charge_id, entry.data.settlement_date, entry.data);
      case 'ChargeSettlementClaimed':
        return void this.candidates.delete(`charge ${entry.data.charge_id}`);
      case 'ChargeReversed':
        if (entry.data.claimed_in === null) return void this.candidates.delete(`charge ${entry.data.charge_id}`);
        return offer('reversal', entry.data.charge_id, entry.data.reversed_on, entry.data);
      case 'ChargeReversalClaimed':
        return void this.candidates.delete(`reversal ${entry.data.charge_id}`);
      case 'ChargeRefundClaimed': {
        const { refund_id, charge_id, merchant_id, source, net_amount, fee_amount, claimed_on } = entry.data;
        if (source === 'PENDING') change(charge_id, -net_amount, -fee_amount);
        const row = { refund_id, charge_id, merchant_id, refund_status: 'PENDING' as const, created_on: claimed_on, updated_on: claimed_on };
        this.refunds.set(refund_id, { ...row, ordinal: this.ordinal });
        return;
      }
      case 'ChargeRefundSubmitted':
        return void this.refunds.set(entry.data.refund_id, { ...this.refunds.get(entry.data.refund_id)!, refund_status: 'PROCESSING' });
      case 'ChargeRefundSucceeded':
        return void this.refunds.set(entry.data.refund_id, null);
      case 'ChargeRefundFailed':
      case 'ChargeRefundCancelled':
      case 'ChargeRefundBounced': {
        const { refund_id, charge_id, net_amount, fee_amount, to } = entry.data;
        this.refunds.set(refund_id, null);
        if (to === 'PENDING') change(charge_id, net_amount, fee_amount);
        if (to === 'RETURNS' && net_amount > 0)
          offer('refund-return', refund_id, event.metadata.occurred_on, { net_amount, fee_amount: 0 }, { charge_id });
        return;
      }
      case 'ChargeDisputeOpened':
      case 'ChargeDisputeReopened':
      case 'ChargeDisputeChallenged':
      case 'ChargeDisputeSubmitted':
      case 'ChargeDisputeDueSoon':
      case 'ChargeDisputeEvidenceAdded':
      case 'ChargeDisputeEvidenceErased':
        return moveDispute({ ...entry, ordinal: this.ordinal });
      case 'ChargeDisputeHeld': {
        const { charge_id, hold_id, net_amount, fee_amount, from, held_on } = entry.data;
        moveDispute({ ...entry, ordinal: this.ordinal });
        if (from === 'PENDING') change(charge_id, -net_amount, -fee_amount);
        else if (net_amount > 0) offer('dispute-hold', hold_id, held_on, { net_amount, fee_amount: 0 }, { charge_id });
        return;
      }
      case 'ChargeDisputeWon': {
        const { charge_id, release_id, net_amount, fee_amount, to, won_on } = entry.data;
        moveDispute({ ...entry, ordinal: this.ordinal });
        if (to === 'PENDING') change(charge_id, net_amount, fee_amount);
        else if (net_amount > 0) offer('dispute-release', release_id, won_on, { net_amount, fee_amount: 0 }, { charge_id });
        return;
      }
      case 'ChargeDisputeLost': {
        const { charge_id, dispute_id, dispute_fee_amount: net_amount, lost_on } = entry.data;
        moveDispute({ ...entry, ordinal: this.ordinal });
        if (net_amount > 0) offer('dispute-fee', dispute_id, lost_on, { net_amount, fee_amount: 0 }, { charge_id });
        return;
      }
      case 'ChargeLineClaimed':
        return void this.candidates.delete(`${entry.data.kind} ${entry.data.record_id}`);
      case 'RefundReserved': {
        const { reservation_id, refund_id, merchant_id, currency } = entry.data;
        return void this.reservations.set(reservation_id, { refund_id, merchant_id, currency });
      }
      case 'RefundReleased':
      case 'RefundConfirmed':
        return void this.reservations.delete(entry.data.reservation_id);
      case 'PayoutReturned':
        return offer('return', entry.data.payout_id, entry.data.returned_on, entry.data);
      case 'PayoutReturnClaimed':
        return void this.candidates.delete(`return ${entry.data.payout_id}`);
      case 'SettlementOpened':
        return void this.openSettlements.add(entry.data.settlement_number);
      case 'FundsSettled':
        this.openSettlements.delete(entry.data.settlement_number);
        for (const { kind, record_id } of entry.data.lines) if (kind === 'return') move(record_id, 'REVERSED');
    }
  }
}

const isOpen = ({ payout_status }: ReadPayout): boolean => payout_status === 'PENDING' || payout_status === 'PROCESSING';

/** As findDueDisputes asks the table. */
function dueOf(row: DisputeRow, nowMs: number, reminders: readonly number[]): DueDisputeRow[] {
  const { id: dispute_id, charge_id, dispute_status, due_by, stage_since } = row;
  const dueMs = milliseconds(due_by);
  if (dispute_status !== 'INQUIRY' && dispute_status !== 'ACTION_REQUIRED') return [];
  if (dueMs <= nowMs) return dispute_status === 'ACTION_REQUIRED' ? [{ dispute_id, charge_id, seconds_before: null }] : [];
  const isDue = (seconds: number): boolean => dueMs - seconds * 1000 <= nowMs && dueMs - seconds * 1000 >= milliseconds(stage_since);
  return reminders
    .filter((seconds) => isDue(seconds) && !row.reminders.includes(seconds))
    .map((seconds_before) => ({ dispute_id, charge_id, seconds_before }));
}

export interface Readers {
  readonly payouts: PayoutReader;
  readonly openPayouts: OpenPayoutReader;
  readonly openRefunds: OpenRefundReader;
  readonly disputes: Pick<DisputeWorkerOptions, 'findChallenges'> & {
    readonly findDue: (now: Timestamp, reminders: readonly number[]) => ReturnType<DisputeWorkerOptions['findDue']>;
  };
  readonly settlements: SettlementReader;
  readonly findUnapproved: ApprovalExpiryOptions['findUnapproved'];
}

/** Readers of one account's read models; `view` returns the state that each look may see. */
export function readersOf(account: AccountId, view: () => View): Readers {
  const accountIf = (holds: boolean): AccountId[] => (holds ? [account] : []);
  const dueAt = (now: Timestamp): Candidate[] => [...view().candidates.values()].filter(({ due_on }) => milliseconds(due_on) <= milliseconds(now));
  return {
    payouts: { find: async (_merchantId, payoutId) => view().payouts.get(payoutId) },
    openPayouts: {
      async findOpen(after) {
        const { payouts, ordinal: reached } = view();
        return { rows: [...payouts.values()].filter((row) => isOpen(row) && row.ordinal > after), reached };
      },
      async isOpen(payoutId) {
        const row = view().payouts.get(payoutId);
        return row === undefined || isOpen(row);
      },
      async findApproved() {
        const { approvals, payouts } = view();
        const isReady = (id: string): boolean => payouts.get(id)?.payout_status === 'PENDING';
        return [...approvals].filter(([id, { required, given }]) => isReady(id) && given.size >= required).map(([id]) => id);
      },
    },
    openRefunds: {
      async findOpen(after) {
        const { refunds, ordinal: reached } = view();
        return { rows: [...refunds.values()].filter((row) => row !== null).filter(({ ordinal }) => ordinal > after), reached };
      },
      findReservations: async () => [...view().reservations.values()],
    },
    disputes: {
      findDue: async (now, reminders) => [...view().disputes.values()].flatMap((row) => dueOf(row, milliseconds(now), reminders)),
      async findChallenges(after) {
        const open = [...view().disputes.values()].filter((row) => row.dispute_status === 'UNDER_REVIEW' && row.submitted_on === null);
        return open
          .filter(({ ordinal }) => ordinal > after)
          .map(({ id: dispute_id, charge_id, merchant_id, ordinal }) => ({ dispute_id, charge_id, merchant_id, ordinal }));
      },
    },
    settlements: {
      findOpen: async () => accountIf(view().openSettlements.size > 0),
      findDue: async (now) => accountIf(dueAt(now).length > 0),
      findUrgent: async () => accountIf([...view().candidates.values()].some(({ kind }) => kind !== 'charge')),
      findLines: async (_account, now, limit) =>
        dueAt(now)
          .slice(0, limit)
          .map(({ due_on: _, ...line }) => line),
      hasSeen: async () => true,
    },
    async findUnapproved(now) {
      const { approvals, payouts } = view();
      const isDue = ([id, { required, approve_by, given }]: [string, { required: number; approve_by: Timestamp; given: Set<string> }]): boolean =>
        payouts.get(id)?.payout_status === 'PENDING' && given.size < required && milliseconds(approve_by) <= milliseconds(now);
      return [...approvals].filter(isDue).map(([id]) => ({ ...account, id }));
    },
  };
}
