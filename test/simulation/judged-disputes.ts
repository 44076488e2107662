import { rowAfter, type DisputeRow } from '../../projections/disputes/disputes.js';
import { DISPUTE_STAGES, type ChargeDisputeEvent, type DisputeStage } from '../../src/ledger/events/dispute.events.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import { milliseconds } from '../../src/ledger/time.js';
import type { Records } from '../support/ledger-oracle.js';
import type { SimulatedProcessor } from './simulated-processor.js';
import { must } from './violation.js';

type Status = 'INQUIRY' | 'ACTION_REQUIRED' | 'UNDER_REVIEW' | 'WON' | 'LOST';

type DisputeEvent = Parameters<typeof rowAfter>[1];

interface DisputeSeen {
  readonly charge: string;
  status: Status;
  stage: DisputeStage;
  amount: bigint;
  due_by: string;
  since: string;
  isFinal: boolean;
  isSubmitted: boolean;
  hasBeenLost: boolean;
  readonly wonAt: Set<DisputeStage>;
  /** Of each challenge of a stage, the files that it was made with: ids, joined. */
  readonly challengedWith: Map<DisputeStage, readonly string[]>;
  reminders: number[];
  /** Files, by the hash of their bytes; null once they are erased. */
  evidence: Map<string, string> | null;
}

interface Hold {
  readonly dispute_id: string;
  readonly amount: bigint;
}

/** Fee for a lost dispute in the simulation, minor units. */
export const DISPUTE_FEE = 3;

const orderOf = (stage: DisputeStage): number => DISPUTE_STAGES.indexOf(stage);
const isPastInquiry = ({ status, stage }: DisputeSeen): boolean => status !== 'WON' && status !== 'LOST' && stage !== 'INQUIRY';

/** Checks the disputes of one account by the contract's table of states: the order of states, the required holds, and the row in the read model. */
export class JudgedDisputes {
  readonly seen = new Map<string, DisputeSeen>();
  readonly #rows = new Map<string, DisputeRow>();
  /** Holds that the same append must contain, in this order. */
  #due: Hold[] = [];

  /** @param forgotten disputes of which the store has lost events: acknowledged steps of theirs may be missing from the log. */
  constructor(
    private readonly records: Records,
    private readonly processor: SimulatedProcessor,
    private readonly forgotten: ReadonlySet<string>,
  ) {}

  /** @param event is in the records already. @throws when a rule is broken */
  follow(event: LoggedEvent): void {
    const { type, data } = event;
    if (this.#due.length > 0)
      must(type === 'ChargeDisputeHeld', `${this.#due[0]!.amount} are to be held of ${this.#due[0]!.dispute_id}, ${type} follows`);
    if (type === 'ChargeRefundClaimed') return this.#refund(data.charge_id);
    if (type === 'ChargeRefundFailed' && data.to !== 'PROCESSOR') this.#due = this.#lacking(data.charge_id, BigInt(data.amount));
    if (!isOfDispute(event)) return;
    if (event.type === 'ChargeDisputeOpened') this.#open(event.data);
    else this.#change(event);
    this.#compareRow(event);
  }

  /** The log ends with whole appends. @throws when a required hold is missing */
  atRest(): void {
    must(this.#due.length === 0, `${this.#due[0]?.amount} are to be held of ${this.#due[0]?.dispute_id}, and are not`);
  }

  row(disputeId: string): DisputeRow | undefined {
    return this.#rows.get(disputeId);
  }

  /** The first unfinished work; null when all have ended. */
  unfinished(): string | null {
    for (const [id, { status }] of this.seen) if (status !== 'WON' && status !== 'LOST') return `dispute ${id} is ${status}`;
    for (const [id, { kind, isSettled }] of this.records.disputeLines) if (!isSettled) return `${kind} of ${id} is not settled`;
    return null;
  }

  #refund(chargeId: string): void {
    const open = [...this.seen].find(([, dispute]) => dispute.charge === chargeId && isPastInquiry(dispute));
    must(!open, `money of charge ${chargeId} is refunded, dispute ${open?.[0]} holds it`);
  }

  #open(opened: Extract<ChargeDisputeEvent, { readonly type: 'ChargeDisputeOpened' }>['data']): void {
    const { dispute_id, charge_id, stage, amount, due_by, opened_on, dispute_fee_amount } = opened;
    must(this.records.charges.has(charge_id), `charge ${charge_id} is disputed, which was not paid`);
    must(dispute_fee_amount === DISPUTE_FEE, `dispute ${dispute_id} is to cost ${dispute_fee_amount}`);
    this.seen.set(dispute_id, {
      charge: charge_id,
      status: stage === 'INQUIRY' ? 'INQUIRY' : 'ACTION_REQUIRED',
      stage,
      amount: BigInt(amount),
      due_by,
      since: opened_on,
      isFinal: false,
      isSubmitted: false,
      hasBeenLost: false,
      wonAt: new Set(),
      challengedWith: new Map(),
      reminders: [],
      evidence: new Map(),
    });
    this.#begin(dispute_id, opened);
  }

  /** Refunds that are not with the processor are cancelled before; the rest of the charge is held, as far as it is in dispute. */
  #begin(
    dispute_id: string,
    { charge_id, stage, amount, excess_amount }: { charge_id: string; stage: string; amount: number; excess_amount: number },
  ): void {
    const left = stage === 'INQUIRY' ? 0n : this.#leftOf(charge_id);
    const held = left < BigInt(amount) ? left : BigInt(amount);
    must(
      BigInt(excess_amount) === (stage === 'INQUIRY' ? 0n : BigInt(amount) - held),
      `dispute ${dispute_id} says that ${excess_amount} are in excess`,
    );
    if (stage === 'INQUIRY') return;
    const waiting = [...this.records.refunds].find(([, { charge, status }]) => charge === charge_id && status === 'PENDING');
    must(!waiting, `refund ${waiting?.[0]} waits although dispute ${dispute_id} has begun`);
    if (held > 0n) this.#due = [{ dispute_id, amount: held }];
  }

  #leftOf(chargeId: string): bigint {
    const { amount, reversed } = this.records.charges.get(chargeId)!;
    return reversed ? 0n : amount - this.records.goneBack(chargeId).amount;
  }

  /** Holds that open disputes take from `freed` minor units, the oldest first. */
  #lacking(chargeId: string, freed: bigint): Hold[] {
    let left = freed;
    const holds: Hold[] = [];
    for (const [dispute_id, dispute] of this.seen) {
      if (dispute.charge !== chargeId || !isPastInquiry(dispute)) continue;
      const lacks = dispute.amount - this.records.disputes.get(dispute_id)!.amount;
      const amount = lacks < left ? lacks : left;
      if (amount <= 0n) continue;
      holds.push({ dispute_id, amount });
      left -= amount;
    }
    return holds;
  }

  #change(event: Exclude<ChargeDisputeEvent, { readonly type: 'ChargeDisputeOpened' }>): void {
    const { type, data } = event;
    const id = data.dispute_id;
    const dispute = this.seen.get(id);
    if (!dispute) return must(false, `${type} of dispute ${id}, which was never opened`);
    const { status, stage, due_by } = dispute;
    const isAnswerable = status === 'INQUIRY' || status === 'ACTION_REQUIRED';
    const mustBe = (holds: boolean): void => must(holds, `${type} of dispute ${id}, which is ${status} at ${stage}`);
    switch (type) {
      case 'ChargeDisputeReopened':
        mustBe([stage, ...dispute.wonAt].every((before) => orderOf(data.stage) > orderOf(before)));
        mustBe(stage === 'INQUIRY' || (status === 'WON' && !dispute.isFinal));
        Object.assign(dispute, { status: 'ACTION_REQUIRED', stage: data.stage, amount: BigInt(data.amount), due_by: data.due_by });
        Object.assign(dispute, { since: data.reopened_on, isFinal: false, isSubmitted: false, reminders: [] });
        return this.#begin(id, data);
      case 'ChargeDisputeHeld': {
        const due = this.#due.shift();
        must(
          due?.dispute_id === id && due.amount === BigInt(data.amount),
          `${data.amount} are held of ${id}, ${due?.amount} of ${due?.dispute_id} were to be`,
        );
        return;
      }
      case 'ChargeDisputeWon':
        mustBe(status !== 'WON' && (data.stage === stage || status === 'LOST'));
        Object.assign(dispute, { status: 'WON', isFinal: data.is_final });
        dispute.wonAt.add(data.stage);
        return;
      case 'ChargeDisputeLost': {
        mustBe(status !== 'WON' && status !== 'LOST');
        mustBe(data.lost_reason === 'DECIDED' ? !dispute.wonAt.has(stage) : status === 'ACTION_REQUIRED');
        const isLate = milliseconds(data.lost_on) >= milliseconds(due_by);
        must(data.lost_reason !== 'LAPSED' || isLate, `dispute ${id} lapses on ${data.lost_on}, it is due by ${due_by}`);
        const fee = stage === 'INQUIRY' || dispute.hasBeenLost ? 0 : DISPUTE_FEE;
        must(data.dispute_fee_amount === fee, `dispute ${id} costs ${data.dispute_fee_amount} when it is lost, not ${fee}`);
        dispute.status = 'LOST';
        dispute.hasBeenLost ||= stage !== 'INQUIRY';
        return;
      }
      case 'ChargeDisputeChallenged':
        mustBe(isAnswerable);
        must(
          milliseconds(data.challenged_on) <= milliseconds(due_by),
          `dispute ${id} is challenged on ${data.challenged_on}, it was due by ${due_by}`,
        );
        must((dispute.evidence?.size ?? 0) > 0, `dispute ${id} is challenged without evidence`);
        dispute.status = 'UNDER_REVIEW';
        dispute.challengedWith.set(stage, [...(dispute.challengedWith.get(stage) ?? []), [...dispute.evidence!.values()].join()]);
        return;
      case 'ChargeDisputeSubmitted': {
        mustBe(status === 'UNDER_REVIEW' && data.stage === stage && !dispute.isSubmitted);
        const isTaken = this.processor.challenges.get(`${id} ${stage}`) === 'TAKEN' || this.forgotten.has(id);
        must(isTaken, `dispute ${id} is with the processor, which has not taken it`);
        dispute.isSubmitted = true;
        return;
      }
      case 'ChargeDisputeDueSoon': {
        const [now, due] = [milliseconds(data.reminded_on), milliseconds(due_by)];
        const from = due - data.seconds_before * 1000;
        mustBe(isAnswerable && data.due_by === due_by && !dispute.reminders.includes(data.seconds_before));
        must(from <= now && now < due && from >= milliseconds(dispute.since), `${data.seconds_before} s before ${due_by} is not ${data.reminded_on}`);
        dispute.reminders.push(data.seconds_before);
        return;
      }
      case 'ChargeDisputeEvidenceAdded':
        mustBe(isAnswerable && dispute.evidence !== null && !dispute.evidence.has(data.sha256));
        dispute.evidence!.set(data.sha256, data.evidence_id);
        return;
      case 'ChargeDisputeEvidenceErased':
        mustBe((dispute.evidence?.size ?? 0) > 0);
        dispute.evidence = null;
        return;
      default:
        throw new Error(`nobody judges ${(event satisfies never as ChargeDisputeEvent).type}`);
    }
  }

  /** The row that merchants see is as the contract has it. */
  #compareRow(event: DisputeEvent): void {
    const id = event.data.dispute_id;
    const row = rowAfter(this.#rows.get(id), event);
    this.#rows.set(id, row);
    const { status, stage, amount } = this.seen.get(id)!;
    const { amount: held } = this.records.disputes.get(id)!;
    must(
      row.dispute_status === status && row.stage === stage,
      `dispute ${id} is ${status} at ${stage}, its row ${row.dispute_status} at ${row.stage}`,
    );
    must(BigInt(row.held_amount) === held, `${held} are held of dispute ${id}, its row has ${row.held_amount}`);
    const isHolding = isPastInquiry(this.seen.get(id)!) && this.#due.length === 0;
    must(
      !isHolding || BigInt(row.excess_amount) === amount - held,
      `${amount - held} of dispute ${id} are in excess, its row has ${row.excess_amount}`,
    );
  }
}

const isOfDispute = (event: LoggedEvent): event is DisputeEvent => event.type.startsWith('ChargeDispute');
