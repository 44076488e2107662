import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { FUNDINGS_MAX, type AccountName } from '../../../projections/balances/explanation.js';
import { findFundings, findQueueEnds } from '../../../projections/balances/funding.js';
import { findLastBooked } from '../../../projections/balances/journal.js';
import type { LedgerEvent } from '../../ledger/catalogue.js';
import { READ_POOL } from '../../ledger/ports/injection-tokens.js';
import { moneyMove, movesMoney, type Account } from '../../ledger/postings.js';
import { problemOf, type Previewed } from '../../ledger/streams/previewed.js';
import { StreamBusy } from '../../platform/event-store/event-store.js';
import { inSnapshot } from '../../platform/postgres/snapshot.js';
import { ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { balanceOf, type Db } from '../balances/explain.js';
import { Forecasts } from '../balances/forecasts.js';
import type { BalanceThenDto } from '../balances/statements.dto.js';
import type { PreviewDto } from './previews.dto.js';

/** Figures of the read models that belong to one decision. */
type Figures = Pick<PreviewDto, 'position' | 'balance_after' | 'funded_from'>;

/** The part of a preview that is the same for all kinds of requests. */
type Common = Omit<PreviewDto, 'approvals_required' | 'pending_reason'>;

/** Decisions of one preview before it is refused because its records keep changing. */
const DECISIONS_MAX = 5;

/** Adds the figures of the balance to decisions that are not recorded. */
@Injectable()
export class Previews {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(ReadYourWrites) private readonly consistency: Pick<ReadYourWrites, 'shows'>,
    private readonly forecasts: Forecasts,
  ) {}

  /**
   * The decision reads the streams, the figures come from the read models. They belong together when the same decision is made before and after
   * the figures are read, and the figures include it.
   * @throws Problem not-found as `decide` does; StoreUnavailable, StreamBusy
   */
  async make<Shown>(
    merchant_id: string,
    decide: () => Previewed<Shown> | Promise<Previewed<Shown>>,
  ): Promise<{ readonly common: Common; readonly shown: Shown | null }> {
    let decided = await decide();
    const account = { merchant_id, currency: decided.currency };
    for (let decisions = 1; decisions < DECISIONS_MAX; decisions += 1) {
      if (decided.position !== null) await this.consistency.shows(decided.position);
      const needs = 'needs' in decided ? decided.needs : null;
      const figures = await this.#figures(account, 'events' in decided ? decided.events : null);
      const earliest_on = needs === null ? null : await this.forecasts.firstDayCovering(this.pool, account, BigInt(needs));
      const again = await decide();
      if (again.position === decided.position) return answerOf(decided, figures, earliest_on);
      decided = again;
    }
    throw new StreamBusy(`the account ${merchant_id} ${account.currency}`, 'it kept changing');
  }

  #figures(account: AccountName, events: readonly LedgerEvent[] | null): Promise<Figures> {
    return inSnapshot(this.pool, async (tx) => {
      const position = await findLastBooked(tx);
      if (events === null) return { position, balance_after: null, funded_from: [] };
      const balance = await balanceOf(tx, account);
      return { position, balance_after: balanceAfter(balance, events), funded_from: await fundingOf(tx, account, balance.available_amount, events) };
    });
  }
}

function answerOf<Shown>(decided: Previewed<Shown>, figures: Figures, earliest_on: string | null): { common: Common; shown: Shown | null } {
  if ('shown' in decided) return { common: { would_succeed: true, refusal: null, ...figures, earliest_on }, shown: decided.shown };
  return { common: { would_succeed: false, refusal: problemOf(decided), ...figures, earliest_on }, shown: null };
}

/** The figure of a balance to which each account of the books belongs. */
const FIGURES: Partial<Record<Account, 'pending_amount' | 'available_amount' | 'reserved_amount' | 'fee_amount'>> = {
  pending: 'pending_amount',
  available: 'available_amount',
  reserved: 'reserved_amount',
  refunding: 'reserved_amount',
  disputed: 'reserved_amount',
  fees: 'fee_amount',
};

/** Pure. Returns the balance with the money moves of the events. */
function balanceAfter({ pending_amount, available_amount, reserved_amount, fee_amount }: BalanceThenDto, events: readonly LedgerEvent[]) {
  const after = { pending_amount, available_amount, reserved_amount, fee_amount };
  for (const { from, to, amount } of events.flatMap((event) => (movesMoney(event) ? moneyMove(event).postings : []))) {
    const [taking, bringing] = [FIGURES[from], FIGURES[to]];
    if (taking) after[taking] -= amount;
    if (bringing) after[bringing] += amount;
  }
  return { ...after, total_amount: after.available_amount + after.pending_amount };
}

/**
 * Returns the sources of the available money that the events take. A payout is open and comes after everything else that takes money; the claim of
 * a refund is final, and comes before open payouts.
 */
async function fundingOf(tx: Db, account: AccountName, available: bigint, events: readonly LedgerEvent[]): Promise<Figures['funded_from']> {
  const taking = events.find((event) => event.type === 'PayoutRequested' || event.type === 'RefundReserved');
  if (!taking) return [];
  const { came, went } = await findQueueEnds(tx, account);
  const [amount, before] = taking.type === 'PayoutRequested' ? [taking.data.amount, came - available] : [taking.data.net_amount, went];
  const sources = await findFundings(tx, { ...account, amount, before, position: Number.MAX_SAFE_INTEGER }, 0n, FUNDINGS_MAX);
  return sources.map(({ settlement_id, settlement_number, adjustment_id = null, used_here }) => ({
    settlement_id,
    settlement_number,
    adjustment_id,
    amount: used_here,
  }));
}
