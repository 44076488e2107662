import { daysIn } from '../../ledger/days.js';
import { moneyMove, movesMoney, type MoneyEvent, type MoneyMove } from '../../ledger/postings.js';
import { MODES, type Mode } from '../../ledger/mode.js';
import type { LoggedEvent } from '../../ledger/read-model.js';
import { milliseconds } from '../../ledger/time.js';
import { Coverage, flowTo, type UncoveredRequest } from './coverage.js';
import { Repricing } from './repricing.js';
import { isOfPeriod, type Period, type Scenario } from './scenario.js';

/** In their order in answers. */
export const RECORD_KINDS = ['CHARGE', 'PAYOUT', 'DISPUTE'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Members with amounts, in their order in answers. */
export const AMOUNTS = ['gross', 'fees_was', 'fees_would_be', 'fees_difference', 'net_was', 'net_would_be', 'net_difference'] as const;

/** Minor units; sums may pass 2^53. Fees are those that were booked and not given back. */
interface Amounts extends Readonly<Record<(typeof AMOUNTS)[number], bigint>> {
  /** Charges: paid by customers and not given back to them. Payouts: sent to banks and not returned. Disputes: 0. */
  readonly gross: bigint;
  /** `gross` less the fees. */
  readonly net_was: bigint;
}

/** Records of one kind, mode, merchant, channel, currency and month. */
interface Group {
  readonly kind: RecordKind;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly merchant_name: string;
  /** null for payouts and disputes. */
  readonly channel_code: string | null;
  readonly currency: string;
  /** `2026-01`: the month of the books in which they were created. */
  readonly month: string;
}

export interface AnswerRow extends Group, Amounts {
  readonly count: number;
}

export type AnswerTotal = Omit<AnswerRow, Exclude<keyof Group, 'kind' | 'mode' | 'currency'>>;

export interface AnswerRecord extends Group, Amounts {
  readonly id: string;
  /** The code of a charge; null for others. */
  readonly code: string | null;
}

export interface Uncovered extends UncoveredRequest, Pick<Group, 'mode' | 'merchant_name'> {}

/** A record of the period, and the amounts that were booked for it so far. */
interface Booked {
  readonly id: string;
  readonly code: string | null;
  readonly group: Group;
  /** Money has moved for it. */
  counts: boolean;
  gross: number;
  was: number;
  would: number;
}

type BookedBy<Type extends MoneyEvent['type']> = Extract<MoneyEvent, { readonly type: Type }>;

/** The answer to a scenario: receives every event of the log in its order. */
export class WhatIfAnswer {
  readonly #repricing: Repricing;
  readonly #coverage = new Coverage();
  readonly #booked = new Map<string, Booked>();
  readonly #groups = new Map<string, Group>();
  readonly #merchants = new Map<string, Pick<Group, 'mode' | 'merchant_name'>>();
  readonly #dayOf: (milliseconds: number) => string;

  /** @param timeZone of the books */
  constructor(
    scenario: Scenario,
    private readonly period: Period,
    timeZone: string,
  ) {
    this.#repricing = new Repricing(scenario, period);
    this.#dayOf = daysIn(timeZone);
  }

  /** Payouts and refunds that would not have been covered, in the order of the log. */
  uncovered(): Uncovered[] {
    return this.#coverage.uncovered.map((request) => ({ ...request, ...this.#merchants.get(request.merchant_id)! }));
  }

  /** Returns the event as the scenario has it: itself when it stays as it is. @throws NotReproduced */
  take(event: LoggedEvent): LoggedEvent {
    const repriced = this.#repricing.reprice(event);
    this.#expect(event);
    if (!movesMoney(event) || !movesMoney(repriced)) return repriced;
    const move = moneyMove(repriced);
    this.#book(event, repriced, move);
    this.#coverage.take(repriced, move, this.#repricing.unsettledOf(move.merchant_id, move.currency));
    return repriced;
  }

  *records(kind: RecordKind): Generator<AnswerRecord, void, undefined> {
    for (const { id, code, group, counts, ...sums } of this.#booked.values())
      if (counts && group.kind === kind) yield { id, code, ...group, ...amountsOf(sums) };
  }

  /** Ordered by kind, mode, merchant, channel, currency and month. */
  rows(): AnswerRow[] {
    const sums = new Map<Group, Sum>();
    for (const { group, counts, ...booked } of this.#booked.values()) if (counts) add(sums, group, { ...booked, count: 1 });
    return [...sums].map(([group, sum]) => ({ ...group, count: sum.count, ...amountsOf(sum) })).sort(inOrder);
  }

  /** One for each kind, mode and currency. */
  totals(): AnswerTotal[] {
    const sums = new Map<string, Sum>();
    for (const { kind, mode, currency, count, gross, fees_was: was, fees_would_be: would } of this.rows())
      add(sums, `${kind} ${mode} ${currency}`, { count, gross, was, would });
    return [...sums].map(([key, sum]) => {
      const [kind, mode, currency] = key.split(' ') as [RecordKind, Mode, string];
      return { kind, mode, currency, count: sum.count, ...amountsOf(sum) };
    });
  }

  /** A record that is created in the period. */
  #expect(event: LoggedEvent): void {
    switch (event.type) {
      case 'MerchantRegistered':
        this.#merchants.set(event.data.merchant_id, { mode: event.data.mode, merchant_name: event.data.name });
        return;
      case 'ChargeCreated':
        return this.#add('CHARGE', event.data, event.data.charge_id, event.data.created_on);
      case 'PayoutRequested':
        return this.#add('PAYOUT', event.data, event.data.payout_id, event.data.created_on);
      case 'ChargeDisputeOpened':
        return this.#add('DISPUTE', event.data, event.data.dispute_id, event.data.opened_on);
      default:
    }
  }

  #add(kind: RecordKind, of: Created, id: string, created_on: string): void {
    if (!isOfPeriod(this.period, created_on)) return;
    const { merchant_id, channel_code = null, currency, code = null } = of;
    const month = this.#dayOf(milliseconds(created_on)).slice(0, 7);
    const key = `${kind} ${merchant_id} ${channel_code} ${currency} ${month}`;
    let group = this.#groups.get(key);
    if (!group) {
      const { mode, merchant_name } = this.#merchants.get(merchant_id)!;
      group = { kind, mode, merchant_id, merchant_name, channel_code, currency, month };
      this.#groups.set(key, group);
    }
    this.#booked.set(id, { id, code, group, counts: false, gross: 0, was: 0, would: 0 });
  }

  #book(event: LoggedEvent & MoneyEvent, repriced: LoggedEvent & MoneyEvent, move: MoneyMove): void {
    if (event.type === 'FundsSettled') return this.#bookLines(event, repriced as typeof event);
    if (event.type === 'PayoutSucceeded') {
      const { payout_id, amount, fee_amount } = event.data;
      return this.#change(payout_id, amount, fee_amount, (repriced as typeof event).data.fee_amount);
    }
    if (!isOfCharge(event)) return;
    const { postings } = moneyMove(event);
    this.#change(
      event.data.charge_id,
      -Number(flowTo('processor', postings)),
      Number(flowTo('fees', postings)),
      Number(flowTo('fees', move.postings)),
    );
    if (event.type !== 'ChargeDisputeLost') return;
    const [was, would] = [event.data.dispute_fee_amount, (repriced as typeof event).data.dispute_fee_amount];
    if (was > 0 || would > 0) this.#change(event.data.dispute_id, 0, was, would);
  }

  /** The fee of a reversed charge, and a returned payout with its fee, are given back by a settlement. */
  #bookLines(event: BookedBy<'FundsSettled'>, repriced: BookedBy<'FundsSettled'>): void {
    for (const [index, { kind, record_id, fee_amount, net_amount }] of event.data.lines.entries()) {
      const would = repriced.data.lines[index]!.fee_amount;
      if (kind === 'reversal') this.#change(record_id, 0, -fee_amount, -would);
      if (kind === 'return') this.#change(record_id, -net_amount - fee_amount, -fee_amount, -would);
    }
  }

  #change(id: string, gross: number, was: number, would: number): void {
    const booked = this.#booked.get(id);
    if (!booked) return;
    booked.counts = true;
    booked.gross += gross;
    booked.was += was;
    booked.would += would;
  }
}

type Created = Pick<Group, 'merchant_id' | 'currency'> & { readonly channel_code?: string; readonly code?: string };

type OfCharge = Extract<LoggedEvent & MoneyEvent, { readonly type: `Charge${string}` }>;

/** A payment that a charge cannot accept is not the charge's money. */
const isOfCharge = (event: LoggedEvent & MoneyEvent): event is OfCharge => event.type.startsWith('Charge') && event.type !== 'ChargePaymentUnmatched';

interface Sum {
  count: number;
  gross: bigint;
  was: bigint;
  would: bigint;
}

function add<Key>(sums: Map<Key, Sum>, key: Key, { count, gross, was, would }: { readonly [Name in keyof Sum]: number | bigint }): void {
  const sum = sums.get(key) ?? { count: 0, gross: 0n, was: 0n, would: 0n };
  sums.set(key, {
    count: sum.count + Number(count),
    gross: sum.gross + BigInt(gross),
    was: sum.was + BigInt(was),
    would: sum.would + BigInt(would),
  });
}

function amountsOf(sum: { readonly [Name in 'gross' | 'was' | 'would']: number | bigint }): Amounts {
  const [gross, was, would] = [BigInt(sum.gross), BigInt(sum.was), BigInt(sum.would)];
  return {
    gross,
    fees_was: was,
    fees_would_be: would,
    fees_difference: would - was,
    net_was: gross - was,
    net_would_be: gross - would,
    net_difference: was - would,
  };
}

function inOrder(a: Group, b: Group): number {
  const [of, other] = [a, b].map(({ kind, mode, merchant_name, merchant_id, channel_code, currency, month }) =>
    [RECORD_KINDS.indexOf(kind), MODES.indexOf(mode), merchant_name, merchant_id, channel_code, currency, month].join('\n'),
  );
  return of! < other! ? -1 : 1;
}
