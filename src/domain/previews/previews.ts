import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { FUNDINGS_MAX, type AccountName } from '../../../projections/balances/explanation.js';
import { findFundings, findQueueEnds } from '../../../projections/balances/funding.js';
import { BALANCE_ACCOUNTS, findLastBooked } from '../../../projections/balances/journal.js';
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
type Figures = Pick<PreviewDto, 'position' | 'balance_after' | 'funded_from' | 'earliest_on'>;

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
      const figures = await this.#figures(account, decided);
      const again = await decide();
      if (again.position === decided.position) return answerOf(decided, figures);
      decided = again;
    }
    throw new StreamBusy(`the account ${merchant_id} ${account.currency}`, 'it kept changing');
  }

  #figures(account: AccountName, decided: Previewed<unknown>): Promise<Figures> {
    return inSnapshot(this.pool, async (tx) => {
      const position = await findLastBooked(tx);
      if ('shown' in decided) {
        const balance = await balanceOf(tx, account);
        const funded_from = await fundingOf(tx, account, balance.available_amount, decided.events);
        return { position, balance_after: balanceAfter(balance, decided.events), funded_from, earliest_on: null };
      }
      const earliest_on = decided.needs === null ? null : await this.forecasts.firstDayCovering(tx, account, BigInt(decided.needs));
      return { position, balance_after: null, funded_from: [], earliest_on };
    });
  }
}

function answerOf<Shown>(decided: Previewed<Shown>, figures: Figures): { common: Common; shown: Shown | null } {
  if ('shown' in decided) return { common: { would_succeed: true, refusal: null, ...figures }, shown: decided.shown };
  return { common: { would_succeed: false, refusal: problemOf(decided), ...figures }, shown: null };
}

/** Pure. Returns the balance with the money moves of the events. */
function balanceAfter(balance: BalanceThenDto, events: readonly LedgerEvent[]): BalanceThenDto {
  const postings = events.flatMap((event) => (movesMoney(event) ? moneyMove(event).postings : []));
  const effectOn = (accounts: readonly Account[]): bigint => {
    const sum = (side: 'from' | 'to'): bigint => postings.reduce((total, line) => (accounts.includes(line[side]) ? total + line.amount : total), 0n);
    return sum('to') - sum('from');
  };
  const pending_amount = balance.pending_amount + effectOn(BALANCE_ACCOUNTS.pending);
  const available_amount = balance.available_amount + effectOn(BALANCE_ACCOUNTS.available);
  return {
    pending_amount,
    available_amount,
    reserved_amount: balance.reserved_amount + effectOn(BALANCE_ACCOUNTS.reserved),
    fee_amount: balance.fee_amount + effectOn(BALANCE_ACCOUNTS.fees),
    total_amount: pending_amount + available_amount,
  };
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
