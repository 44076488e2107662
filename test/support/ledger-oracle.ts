import type { AccountEvent, SettlementLine } from '../../src/ledger/events/account.events.js';
import type { ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { moneyMove, movesMoney, type Account } from '../../src/ledger/postings.js';
import type { PayoutEvent } from '../../src/ledger/events/payout.events.js';
import type { SettlementEvent } from '../../src/ledger/events/settlement.events.js';

export type MoneyFact = ChargeEvent | AccountEvent | PayoutEvent | SettlementEvent;

export type Sums = Readonly<Record<Account, bigint>> & { readonly pending_count: number; readonly available_count: number };

const ACCOUNTS: readonly Account[] = ['processor', 'bank', 'returns', 'fees', 'pending', 'available', 'reserved'];

/** What the postings table makes of the facts of one merchant and currency. */
export class PostedSums {
  readonly #sums = new Map<Account, bigint>(ACCOUNTS.map((account) => [account, 0n]));
  #pendingCount = 0;
  #availableCount = 0;

  add(fact: MoneyFact): void {
    if (!movesMoney(fact)) return;
    const { postings, counts } = moneyMove(fact);
    for (const { from, to, amount } of postings) {
      this.#sums.set(from, this.#sums.get(from)! - amount);
      this.#sums.set(to, this.#sums.get(to)! + amount);
    }
    this.#pendingCount += counts.pending_count;
    this.#availableCount += counts.available_count;
  }

  sums(): Sums {
    return {
      ...(Object.fromEntries(this.#sums) as Record<Account, bigint>),
      pending_count: this.#pendingCount,
      available_count: this.#availableCount,
    };
  }
}

interface ChargeRow {
  readonly amount: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly status: 'PENDING' | 'PROCESSING' | 'SETTLED' | 'REVERSED';
  /** ChargeReversed has been recorded; the row turns REVERSED with the money. */
  readonly isReversed: boolean;
}

interface PayoutRow {
  readonly amount: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'REVERSED';
  /** PayoutSucceeded, PayoutReturned have been recorded. */
  readonly hasLeft: boolean;
  readonly hasComeBack: boolean;
}

/**
 * What every account must hold, told from the records alone, as a merchant sees them: the postings table is not asked.
 * Written from the design's table of states, so that a posting that is wrong disagrees with it.
 */
export class Records {
  readonly charges = new Map<string, ChargeRow>();
  readonly payouts = new Map<string, PayoutRow>();

  /** @throws when a fact cannot follow, or a row would go back */
  add(fact: MoneyFact): void {
    switch (fact.type) {
      case 'ChargePaid': {
        const { charge_id, amount, net_amount, fee_amount } = fact.data;
        if (this.charges.has(charge_id)) throw new Error(`charge ${charge_id} paid twice`);
        this.charges.set(charge_id, {
          amount: BigInt(amount),
          net: BigInt(net_amount),
          fee: BigInt(fee_amount),
          status: 'PENDING',
          isReversed: false,
        });
        return;
      }
      case 'ChargeSettlementClaimed':
        return this.#charge(fact.data.charge_id, ['PENDING'], { status: 'PROCESSING' });
      case 'ChargeReversed':
        if (fact.data.claimed_in === null) return this.#charge(fact.data.charge_id, ['PENDING'], { status: 'REVERSED', isReversed: true });
        return this.#charge(fact.data.charge_id, ['PROCESSING', 'SETTLED'], { isReversed: true });
      case 'FundsSettled':
        for (const line of fact.data.lines) this.#settle(line);
        return;
      case 'PayoutRequested': {
        const { payout_id, amount, net_amount, fee_amount } = fact.data;
        if (this.payouts.has(payout_id)) throw new Error(`payout ${payout_id} requested twice`);
        this.payouts.set(payout_id, {
          amount: BigInt(amount),
          net: BigInt(net_amount),
          fee: BigInt(fee_amount),
          status: 'PENDING',
          hasLeft: false,
          hasComeBack: false,
        });
        return;
      }
      case 'PayoutSubmitted':
        return this.#payout(fact.data.payout_id, ['PENDING'], { status: 'PROCESSING' });
      case 'PayoutSucceeded':
        return this.#payout(fact.data.payout_id, ['PROCESSING'], { status: 'SUCCEEDED', hasLeft: true });
      case 'PayoutFailed':
        return this.#payout(fact.data.payout_id, ['PROCESSING'], { status: 'FAILED' });
      case 'PayoutCancelled':
        return this.#payout(fact.data.payout_id, ['PENDING'], { status: 'CANCELLED' });
      case 'PayoutReturned':
        return this.#payout(fact.data.payout_id, ['SUCCEEDED'], { hasComeBack: true });
      default:
        return;
    }
  }

  #settle({ kind, record_id }: SettlementLine): void {
    if (kind === 'charge') this.#charge(record_id, ['PROCESSING'], { status: 'SETTLED' });
    if (kind === 'reversal') this.#charge(record_id, ['SETTLED'], { status: 'REVERSED' });
    if (kind === 'return') this.#payout(record_id, ['SUCCEEDED'], { status: 'REVERSED' });
  }

  #charge(id: string, from: readonly ChargeRow['status'][], change: Partial<ChargeRow>): void {
    const row = this.charges.get(id);
    if (!row || !from.includes(row.status)) throw new Error(`charge ${id} is ${row?.status}, not ${from.join(' or ')}`);
    this.charges.set(id, { ...row, ...change });
  }

  #payout(id: string, from: readonly PayoutRow['status'][], change: Partial<PayoutRow>): void {
    const row = this.payouts.get(id);
    if (!row || !from.includes(row.status)) throw new Error(`payout ${id} is ${row?.status}, not ${from.join(' or ')}`);
    this.payouts.set(id, { ...row, ...change });
  }

  sums(): Sums {
    const charges = [...this.charges.values()];
    const payouts = [...this.payouts.values()];
    const of = <Row>(rows: readonly Row[], holds: (row: Row) => boolean, amount: (row: Row) => bigint): bigint =>
      rows.filter(holds).reduce((sum, row) => sum + amount(row), 0n);
    const isPending = ({ status }: ChargeRow): boolean => status === 'PENDING' || status === 'PROCESSING';
    const isOpen = ({ status }: PayoutRow): boolean => status === 'PENDING' || status === 'PROCESSING';
    return {
      // What processors owe us, and have been paid back.
      processor:
        of(
          charges,
          ({ isReversed }) => isReversed,
          ({ amount }) => amount,
        ) -
        of(
          charges,
          () => true,
          ({ amount }) => amount,
        ),
      bank:
        of(
          payouts,
          ({ hasLeft }) => hasLeft,
          ({ net }) => net,
        ) -
        of(
          payouts,
          ({ hasComeBack }) => hasComeBack,
          ({ net }) => net,
        ),
      // Paid back to the processor, not yet taken from the merchant; come back from the bank, not yet given to the merchant.
      returns:
        of(
          payouts,
          ({ hasComeBack, status }) => hasComeBack && status !== 'REVERSED',
          ({ net }) => net,
        ) -
        of(
          charges,
          ({ isReversed, status }) => isReversed && status !== 'REVERSED',
          ({ amount }) => amount,
        ),
      fees:
        of(
          charges,
          ({ status }) => status !== 'REVERSED',
          ({ fee }) => fee,
        ) +
        of(
          payouts,
          ({ status }) => status === 'SUCCEEDED',
          ({ fee }) => fee,
        ),
      pending: of(charges, isPending, ({ net }) => net),
      available:
        of(
          charges,
          ({ status }) => status === 'SETTLED',
          ({ net }) => net,
        ) -
        of(
          payouts,
          (row) => isOpen(row) || row.status === 'SUCCEEDED',
          ({ amount }) => amount,
        ),
      reserved: of(payouts, isOpen, ({ amount }) => amount),
      pending_count: charges.filter(isPending).length,
      available_count: charges.filter(({ status }) => status === 'SETTLED').length,
    };
  }
}
