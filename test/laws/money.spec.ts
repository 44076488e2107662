import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { account } from '../../src/domain/accounts/account.decider.js';
import type { AccountState } from '../../src/domain/accounts/account-state.js';
import { effectOnAvailable, type AccountEvent } from '../../src/ledger/events/account.events.js';
import { HOUSE_OWNERS } from '../../src/ledger/events/adjustment.events.js';
import type { ChargeLineClaimed } from '../../src/ledger/events/charge.events.js';
import { fromStored, toStored } from '../../src/domain/accounts/account-snapshots.js';
import { moneyMove, movesMoney, type Account } from '../../src/ledger/postings.js';
import { PostedSums, Records, type MovingEvent } from '../support/ledger-oracle.js';
import { attemptsWithDisputes as attempts, play } from './history.js';

/** LAWS_SEED repeats a run; a failure names the seed and the path to the shortest history that shows it. */
const SEED = Number(process.env.LAWS_SEED ?? 20_260_131);
const RUNS = Number(process.env.LAWS_RUNS ?? 2_000);

const OWNER = { merchant_id: 'm1', currency: 'IDR' };

interface History {
  readonly events: readonly MovingEvent[];
  readonly end: AccountState;
}

/** The same for each law, so played once. */
let histories: readonly History[];
beforeAll(() => {
  histories = fc.sample(attempts, { seed: SEED, numRuns: RUNS }).map(history);
});
afterAll(() => {
  histories = [];
});

function history(tries: Parameters<typeof play>[1]): History {
  const { events, account: end } = play(OWNER, tries);
  return { events, end };
}

function law(name: string, holds: (events: readonly MovingEvent[], end: AccountState) => void): void {
  const isBroken = ({ events, end }: History): boolean => {
    try {
      holds(events, end);
      return false;
    } catch {
      return true;
    }
  };
  it(`${name} (${RUNS} histories, seed ${SEED})`, () => {
    const broken = histories.some(isBroken);
    const shrinking = fc.property(attempts, (tries) => {
      const { events, end } = history(tries);
      holds(events, end);
    });
    // Shows the shortest history that breaks it.
    if (broken) fc.assert(shrinking, { seed: SEED, numRuns: RUNS });
    expect(broken).toBe(false);
  });
}

const NAMES = [
  'processor',
  'bank',
  'returns',
  'suspense',
  'fees',
  'losses',
  'pending',
  'available',
  'reserved',
  'refunding',
  'disputed',
  'pending_count',
  'available_count',
] as const;

/** Lines that may take available below zero. */
const TAKING: ReadonlySet<string> = new Set(['reversal', 'dispute-hold', 'dispute-fee']);

/** Cheaper than `expect` by far, and asked a million times. */
function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

const isOfAccount = (event: MovingEvent): event is AccountEvent =>
  ['FundsSettled', 'PayoutRequested', 'PayoutSubmitted', 'PayoutSucceeded', 'PayoutFailed', 'PayoutCancelled'].includes(event.type) ||
  event.type.startsWith('Refund') ||
  event.type === 'AccountAdjusted';

describe('the laws of money', () => {
  law('every event moves as much as it takes: its postings are positive and sum to zero in its one currency', (events) => {
    for (const event of events) {
      if (!movesMoney(event)) continue;
      const { postings, currency, merchant_id } = moneyMove(event);
      const owner = event.type === 'HouseAdjusted' ? HOUSE_OWNERS.test : OWNER.merchant_id;
      must(merchant_id === owner && currency === OWNER.currency, 'somebody else is named');
      const changes = new Map<Account, bigint>();
      for (const { from, to, amount } of postings) {
        must(amount > 0n && from !== to, `${amount} from ${from} to ${to}`);
        changes.set(from, (changes.get(from) ?? 0n) - amount);
        changes.set(to, (changes.get(to) ?? 0n) + amount);
      }
      must([...changes.values()].reduce((sum, change) => sum + change, 0n) === 0n, `${event.type} does not sum to zero`);
    }
  });

  law('available never falls below zero through a payout, a refund or a corrected fee, at every prefix', (events) => {
    let state = account.initial;
    for (const event of events.filter(isOfAccount)) {
      const before = state.available;
      state = account.evolve(state, event);
      // Reversals and disputes alone may take it there; once there, no payout and no refund takes it further.
      if (state.available >= before) continue;
      const mayFall = event.type === 'FundsSettled' || (event.type === 'AccountAdjusted' && event.data.kind === 'CLAWBACK');
      must(mayFall || state.available >= 0n, `${event.type} leaves ${state.available} available`);
    }
  });

  law("the postings, the account's fold and the records agree on every sum and count, at every prefix", (events) => {
    const posted = new PostedSums();
    const records = new Records();
    let state = account.initial;
    let hasCorrected = false;
    for (const event of events) {
      posted.add(event);
      records.add(event);
      hasCorrected ||= event.type === 'AccountAdjusted' && event.data.kind === 'FEE_CORRECTION';
      if (isOfAccount(event)) state = account.evolve(state, event);
      const told = records.sums();
      const sums = posted.sums();
      for (const name of NAMES) must(sums[name] === told[name], `${name} is ${sums[name]} by the postings, ${told[name]} by the records`);
      must(state.available === told.available && state.reserved === told.reserved, 'the account holds otherwise than the records');
      must(
        told.pending >= 0n &&
          told.reserved >= 0n &&
          told.refunding >= 0n &&
          told.disputed >= 0n &&
          (told.fees >= 0n || hasCorrected) &&
          told.pending_count >= 0 &&
          told.available_count >= 0,
        'something is below zero',
      );
    }
  });

  law('refunds and disputes return no more of a charge and its fee than was paid, and the last one all of the fee, at every prefix', (events) => {
    const records = new Records();
    for (const event of events) {
      records.add(event);
      if (!('charge_id' in event.data) || event.data.charge_id === null) continue;
      const row = records.charges.get(event.data.charge_id);
      if (!row) continue;
      const gone = records.goneBack(event.data.charge_id);
      must(gone.amount <= row.amount && gone.fee <= row.fee, `${gone.amount} and ${gone.fee} of ${row.amount} and ${row.fee} go back`);
      must(gone.amount < row.amount || gone.fee === row.fee, `all goes back, and ${gone.fee} of the fee of ${row.fee}`);
      must(row.net - (gone.amount - gone.fee) >= 0n, 'the merchant gives more than it got');
    }
  });

  law('only reversal and dispute lines of a settlement take available below zero', (events) => {
    let available = 0n;
    let state = account.initial;
    for (const event of events.filter(isOfAccount)) {
      available = state.available;
      state = account.evolve(state, event);
      if (event.type !== 'FundsSettled' || state.available >= available || state.available >= 0n) continue;
      const taken = event.data.lines.filter((line) => effectOnAvailable(line) < 0n).map(({ kind }) => kind);
      must(taken.length > 0 && taken.every((kind) => TAKING.has(kind)), `lines ${taken.join()} leave ${state.available} available`);
    }
  });

  law('when every line is settled and nothing is open, the balances of returns, refunding and disputed are zero', (events) => {
    const records = new Records();
    for (const event of events) records.add(event);
    const { returns, refunding, disputed } = records.sums();
    if (records.isAtRest()) must(returns === 0n && refunding === 0n && disputed === 0n, `${returns}, ${refunding} and ${disputed} stay`);
  });

  law(
    'a charge, its reversal, the return of a payout and each line of a refund or dispute settle once at most, with the amount of its claim, and every settlement adds up',
    (events) => {
      const claims = new Map<string, ChargeLineClaimed>(
        events.flatMap((event) => (event.type === 'ChargeLineClaimed' ? [[`${event.data.kind} ${event.data.record_id}`, event.data] as const] : [])),
      );
      const settled = new Set<string>();
      let number = 0;
      for (const event of events) {
        if (event.type !== 'FundsSettled') continue;
        number += 1;
        must(event.data.settlement_number === number, `settlement ${event.data.settlement_number} follows ${number - 1}`);
        const sum = event.data.lines.reduce((sum, line) => sum + effectOnAvailable(line), 0n).toString();
        must(event.data.totals.net_amount === sum, `settlement ${number} says ${event.data.totals.net_amount}, its lines ${sum}`);
        for (const { kind, record_id, net_amount } of event.data.lines) {
          must(!settled.has(`${kind} ${record_id}`), `${kind} ${record_id} settles twice`);
          const claim = claims.get(`${kind} ${record_id}`);
          must(!claim || (claim.net_amount === net_amount && claim.settlement_number === number), `${kind} ${record_id} is not settled as claimed`);
          settled.add(`${kind} ${record_id}`);
        }
      }
    },
  );

  law('folding from a snapshot at any event gives the same account', (entries, end) => {
    const events = entries.filter(isOfAccount);
    const cut = Math.floor(events.length / 2);
    const snapshot = fromStored(
      JSON.parse(JSON.stringify(toStored(events.slice(0, cut).reduce(account.evolve, account.initial)))) as ReturnType<typeof toStored>,
    );
    const resumed = events.slice(cut).reduce(account.evolve, snapshot);
    must(comparable(resumed) === comparable(end), 'the snapshot led elsewhere');
  });

  it('the laws of money run on histories in which every type of event occurs', () => {
    const types = new Set(histories.flatMap(({ events }) => events.map(({ type }) => type)));
    expect([...types].sort()).toEqual([
      'AccountAdjusted',
      'ChargeCreated',
      'ChargeDisputeChallenged',
      'ChargeDisputeDueSoon',
      'ChargeDisputeEvidenceAdded',
      'ChargeDisputeEvidenceErased',
      'ChargeDisputeHeld',
      'ChargeDisputeLost',
      'ChargeDisputeOpened',
      'ChargeDisputeReopened',
      'ChargeDisputeSubmitted',
      'ChargeDisputeWon',
      'ChargeLineClaimed',
      'ChargePaid',
      'ChargePaymentUnmatched',
      'ChargeRefundBounced',
      'ChargeRefundCancelled',
      'ChargeRefundClaimed',
      'ChargeRefundDeclined',
      'ChargeRefundFailed',
      'ChargeRefundSubmitted',
      'ChargeRefundSucceeded',
      'ChargeReversalClaimed',
      'ChargeReversed',
      'ChargeSettlementClaimed',
      'FundsSettled',
      'HouseAdjusted',
      'PayoutCancelled',
      'PayoutFailed',
      'PayoutRegistered',
      'PayoutRequested',
      'PayoutReturnClaimed',
      'PayoutReturned',
      'PayoutSubmitted',
      'PayoutSucceeded',
      'RefundConfirmed',
      'RefundReleased',
      'RefundReserved',
      'SettlementClosed',
      'SettlementOpened',
    ]);
  });
});

/** Maps become sorted entries, since their inner form depends on the order of insertion. */
function comparable(state: AccountState): string {
  const { open, younger, older, reservations, ...rest } = toStored(state);
  const sorted = (entries: readonly (readonly unknown[])[]): unknown[] => [...entries].sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  return JSON.stringify({ ...rest, open: sorted(open), reservations: sorted(reservations), younger: sorted(younger), older: sorted(older) });
}
