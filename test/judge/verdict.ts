import type { Payment, Refund } from '../../tools/provider-simulators/xendit-book.js';
import type { Transfer } from '../../tools/provider-simulators/snap-book.js';
import type { WantedPayout } from './traffic.js';

/** The providers' records. Amounts are minor units. */
export interface Truth {
  readonly payments: readonly Pick<Payment, 'payment_id' | 'reference_id' | 'amount'>[];
  readonly refunds: readonly Pick<Refund, 'reference_id' | 'amount' | 'status'>[];
  readonly transfers: readonly Pick<Transfer, 'account' | 'amount' | 'status' | 'told'>[];
}

export interface ChargeRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly amount: number;
  readonly status: string;
}

export interface PayoutRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly bank_account_number: string;
  readonly amount: number;
  readonly net_amount: number;
  readonly fee_amount: number;
  readonly payout_status: string;
  readonly pending_reason: string | null;
}

export interface LoggedEvent {
  readonly type: string;
  readonly data: any;
}

/** The service's lists, log and balances. Amounts are minor units. */
export interface Books {
  readonly charges: readonly ChargeRow[];
  readonly payouts: readonly PayoutRow[];
  readonly events: readonly LoggedEvent[];
  /** Balance of each merchant, reserved amounts included. */
  readonly balances: ReadonlyMap<string, number>;
  /** Balances of the company's accounts; positive when money went in. */
  readonly house: ReadonlyMap<string, number>;
}

export interface Line {
  readonly what: string;
  readonly truth: readonly [count: number, sum: number] | null;
  readonly books: readonly [count: number, sum: number];
}

export interface Verdict {
  readonly lines: readonly Line[];
  readonly violations: readonly string[];
}

/** End of the numbers of accounts that the simulated bank does not know. */
const UNKNOWN_ACCOUNT = '0001';
const ENDED: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'REVERSED']);

/** Compares the providers' records with the books. Only the providers' records count as true; each payout is judged by its own status. */
export function judge(truth: Truth, books: Books, wanted: ReadonlyMap<string, WantedPayout>): Verdict {
  const violations: string[] = [];
  const must = (is: boolean, what: string): void => void (is || violations.push(what));
  const of = (type: string): any[] => books.events.filter((event) => event.type === type).map(({ data }) => data);
  const paid = of('ChargePaid');
  const unmatched = of('ChargePaymentUnmatched');
  const lines = [
    ...judgePayments(truth, books, { paid, unmatched }, must),
    ...judgeRefunds(truth, { claimed: of('ChargeRefundClaimed'), succeeded: of('ChargeRefundSucceeded'), failed: of('ChargeRefundFailed') }, must),
    ...judgePayouts(truth, books, wanted, of, must),
  ];
  judgeMoney(truth, books, { paid, unmatched, refunded: of('ChargeRefundSucceeded') }, must);
  return { lines, violations };
}

type Must = (is: boolean, what: string) => void;
type Pair = readonly [count: number, sum: number];

const pair = (amounts: readonly number[]): Pair => [amounts.length, amounts.reduce((sum, amount) => sum + amount, 0)];

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = grouped.get(key);
    if (known) known.push(item);
    else grouped.set(key, [item]);
  }
  return grouped;
}

/** The books must have every payment once, with its amount and its charge, and no other payment. */
function judgePayments({ payments }: Truth, { charges }: Books, { paid, unmatched }: { paid: any[]; unmatched: any[] }, must: Must): Line[] {
  const ours = new Set(charges.map(({ id }) => id));
  const booked = groups(
    [...paid.filter(({ charge_id }) => ours.has(charge_id)), ...unmatched],
    ({ payment_reference }) => payment_reference as string,
  );
  for (const { payment_id, reference_id, amount } of payments) {
    const found = booked.get(payment_id) ?? [];
    must(found.length === 1, `payment ${payment_id} of ${amount} for charge ${reference_id} is booked ${found.length} times`);
    for (const each of found)
      must(
        each.charge_id === reference_id && each.amount === amount,
        `payment ${payment_id} of ${amount} for ${reference_id} is booked as ${each.amount} for ${each.charge_id}`,
      );
  }
  const known = new Set(payments.map(({ payment_id }) => payment_id));
  for (const reference of booked.keys()) must(known.has(reference), `payment ${reference} is in the books, and was never made`);
  const byCharge = groups(paid, ({ charge_id }) => charge_id as string);
  for (const { id, status, amount } of charges) {
    const own = byCharge.get(id) ?? [];
    must(own.length <= 1, `charge ${id} is paid ${own.length} times in the books`);
    must((status === 'SUCCEEDED') === (own.length === 1), `charge ${id} is ${status}, and has ${own.length} payments of its own`);
    must(
      own.every((each) => each.amount === amount),
      `charge ${id} of ${amount} was paid in another amount`,
    );
    must(status !== 'PENDING', `charge ${id} is still PENDING`);
  }
  const lines = [...groups(charges, ({ status }) => status)].sort().map(([status, rows]) => ({
    what: `charges ${status}`,
    truth:
      status === 'SUCCEEDED'
        ? pair(payments.filter(({ payment_id }) => booked.get(payment_id)?.some((each) => paid.includes(each))).map(({ amount }) => amount))
        : null,
    books: pair(rows.map(({ amount }) => amount)),
  }));
  const all = [...booked.values()].flat();
  return [
    ...lines,
    { what: 'payments, all', truth: pair(payments.map(({ amount }) => amount)), books: pair(all.map(({ amount }) => amount)) },
    { what: 'payments beside a charge', truth: null, books: pair(unmatched.map(({ amount }) => amount)) },
  ];
}

function judgeRefunds({ refunds }: Truth, { claimed, succeeded, failed }: Record<'claimed' | 'succeeded' | 'failed', any[]>, must: Must): Line[] {
  const done = groups(
    refunds.filter(({ status }) => status === 'SUCCEEDED'),
    ({ reference_id }) => reference_id,
  );
  const asked = groups(refunds, ({ reference_id }) => reference_id);
  const ended = new Set([...succeeded, ...failed].map(({ refund_id }) => refund_id as string));
  const amounts = new Map(claimed.map((each) => [each.refund_id as string, each.amount as number]));
  for (const [id, given] of done) {
    must(given.length === 1, `refund ${id} was given ${given.length} times`);
    must(given[0]!.amount === amounts.get(id), `refund ${id} of ${amounts.get(id)} was given as ${given[0]!.amount}`);
    must(succeeded.filter(({ refund_id }) => refund_id === id).length === 1, `refund ${id} was given, and is not in the books once`);
  }
  for (const { refund_id } of succeeded) must(done.has(refund_id), `refund ${refund_id} is in the books, and was never given`);
  for (const { refund_id } of failed) must(!done.has(refund_id), `refund ${refund_id} is FAILED, and was given`);
  const held = [...amounts.keys()].filter((id) => !ended.has(id));
  for (const id of held) must(!asked.has(id), `refund ${id} has not ended in the books, and the provider knows of it`);
  return [
    {
      what: 'refunds SUCCEEDED',
      truth: pair([...done.values()].flat().map(({ amount }) => amount)),
      books: pair(succeeded.map(({ refund_id }) => amounts.get(refund_id)!)),
    },
    { what: 'refunds FAILED', truth: null, books: pair(failed.map(({ refund_id }) => amounts.get(refund_id)!)) },
    { what: 'refunds held', truth: null, books: pair(held.map((id) => amounts.get(id)!)) },
  ];
}

function judgePayouts(
  { transfers }: Truth,
  { payouts }: Books,
  wanted: ReadonlyMap<string, WantedPayout>,
  of: (type: string) => any[],
  must: Must,
): Line[] {
  const byAccount = groups(transfers, ({ account }) => account);
  const held = groups(of('PayoutHeld'), ({ payout_id }) => payout_id as string);
  const byPeople = new Set(
    of('PayoutDecided')
      .filter(({ by }) => by === 'person')
      .map(({ payout_id }) => payout_id as string),
  );
  const rows = groups(payouts, ({ bank_account_number }) => bank_account_number);
  for (const [account, each] of byAccount) {
    must(rows.get(account)?.length === 1, `account ${account} was sent money by ${rows.get(account)?.length ?? 0} payouts`);
    const gone = each.filter(({ status }) => status !== 'failed');
    must(gone.length <= 1, `account ${account} was paid ${gone.length} times: ${gone.map(({ status }) => status).join()}`);
  }
  for (const [account, each] of rows)
    must(wanted.has(account) && each.length === 1, `account ${account} has ${each.length} payouts, and was wanted once at most`);
  for (const payout of payouts) {
    const sent = byAccount.get(payout.bank_account_number) ?? [];
    const wish = wanted.get(payout.bank_account_number);
    const wrong = wish
      ? wrongOf(payout, sent, wish, { held: held.get(payout.id)?.at(-1)?.reason, isByPeople: byPeople.has(payout.id) })
      : 'nobody wanted it';
    must(wrong === null, `payout ${payout.id} is ${payout.payout_status} ${payout.pending_reason ?? ''}: ${wrong}`);
    must(
      sent.every(({ amount }) => amount === payout.net_amount),
      `payout ${payout.id} of ${payout.net_amount} was sent as ${sent.map(({ amount }) => amount).join()}`,
    );
  }
  const inTruth: Readonly<Record<string, Transfer['status']>> = { SUCCEEDED: 'paid', REVERSED: 'returned' };
  const succeeded = groups(payouts, ({ payout_status }) => payout_status).get('SUCCEEDED') ?? [];
  const unannounced = new Set(transfers.filter(isUnannounced).map(({ account }) => account));
  const states = [...groups(payouts, ({ payout_status, pending_reason }) => `payouts ${payout_status} ${pending_reason ?? ''}`.trim())]
    .sort()
    .map(([what, each]) => {
      const status = inTruth[each[0]!.payout_status];
      return {
        what,
        truth: status === undefined ? null : pair(transfers.filter((one) => one.status === status).map(({ amount }) => amount)),
        books: pair(each.map(({ net_amount }) => net_amount)),
      };
    });
  const onStatement = {
    what: 'of SUCCEEDED: given back later, on the statement alone',
    truth: pair(transfers.filter(isUnannounced).map(({ amount }) => amount)),
    books: pair(succeeded.filter(({ bank_account_number }) => unannounced.has(bank_account_number)).map(({ net_amount }) => net_amount)),
  };
  return [...states, onStatement];
}

/**
 * True for a transfer that was returned after the bank had reported it as paid, without a report of the return. The service does not query
 * a paid transfer again; the comparison of the books with the bank's statement finds the return (decision 71).
 */
const isUnannounced = ({ status, told }: Truth['transfers'][number]): boolean => status === 'returned' && told !== 'returned';

/** Returns null when the payout's status agrees with the bank's records. */
function wrongOf(
  payout: PayoutRow,
  sent: Truth['transfers'],
  wish: WantedPayout,
  { held, isByPeople }: { readonly held: string | undefined; readonly isByPeople: boolean },
): string | null {
  const has = (status: Transfer['status']): boolean => sent.some((each) => each.status === status);
  const nothing = !has('paid') && !has('paying') && !has('returned');
  const truth = `the bank has ${sent.map(({ status }) => status).join() || 'nothing'}`;
  const is = (right: boolean): string | null => (right ? null : truth);
  switch (`${payout.payout_status} ${payout.pending_reason ?? ''}`.trim()) {
    case 'SUCCEEDED':
      return is(has('paid') || sent.some(isUnannounced));
    case 'REVERSED':
      return is(has('returned'));
    case 'FAILED':
      return is(nothing && (isByPeople || has('failed') || payout.bank_account_number.endsWith(UNKNOWN_ACCOUNT)));
    case 'PENDING beneficiary-differs':
      return is(nothing && wish.isOthers);
    case 'PENDING bank-unknown':
      return is(nothing && !wish.hasBankCode);
    case 'PROCESSING held':
      if (held === 'no-answer') return null;
      // A transfer may reach the bank after two "not found" responses. It has not ended before the bank reports its end.
      return is(held === 'not-found' ? !has('paid') && !has('returned') : held !== undefined);
    case 'PROCESSING outcome-unknown':
    case 'PROCESSING awaiting-bank':
      return is(has('paying'));
    default:
      return `that is no end, and ${truth}`;
  }
}

/** Compares each merchant's balance and the company's processor and bank accounts, exactly. */
function judgeMoney(truth: Truth, books: Books, { paid, unmatched, refunded }: { paid: any[]; unmatched: any[]; refunded: any[] }, must: Must): void {
  const has = new Map<string, number>();
  const add = (merchant: string, amount: number): void => void has.set(merchant, (has.get(merchant) ?? 0) + amount);
  const sum = (amounts: readonly number[]): number => pair(amounts)[1];
  const ours = new Set(books.charges.map(({ id }) => id));
  const terms = new Map(paid.map((each) => [each.charge_id as string, each]));
  const booked = new Set(paid.map(({ payment_reference }) => payment_reference as string));
  const matched = truth.payments.filter(({ payment_id }) => booked.has(payment_id));
  const given = truth.refunds.filter(({ status }) => status === 'SUCCEEDED');
  const funded = paid.filter(({ charge_id }) => !ours.has(charge_id));
  for (const { merchant_id, net_amount } of funded) add(merchant_id, net_amount);
  for (const { reference_id, amount } of matched) add(terms.get(reference_id).merchant_id, amount - terms.get(reference_id).fee_amount);
  const refunds = new Map(refunded.map((each) => [each.refund_id as string, each]));
  for (const { reference_id, amount } of given) {
    const of = refunds.get(reference_id);
    if (of) add(of.merchant_id, of.fee_amount - amount);
  }
  const byAccount = new Map(books.payouts.map((payout) => [payout.bank_account_number, payout]));
  const left = truth.transfers.filter((transfer) => transfer.status === 'paid' || isUnannounced(transfer));
  for (const { account, amount } of left) {
    const payout = byAccount.get(account);
    if (payout && ENDED.has(payout.payout_status)) add(payout.merchant_id, -(amount + payout.fee_amount));
  }
  for (const [merchant, amount] of books.balances)
    must(amount === (has.get(merchant) ?? 0), `merchant ${merchant} has ${amount}, and by truth ${has.get(merchant) ?? 0}`);
  const processor = sum([...funded, ...matched, ...unmatched].map(({ amount }) => amount)) - sum(given.map(({ amount }) => amount));
  must(books.house.get('processor') === processor, `by truth the providers hold ${processor}, in the books ${books.house.get('processor')}`);
  const ended = left.filter(({ account }) => ENDED.has(byAccount.get(account)?.payout_status ?? ''));
  const bank = -sum(ended.map(({ amount }) => amount));
  must((books.house.get('bank') ?? 0) === bank, `by truth the banks have paid ${-bank}, in the books ${-(books.house.get('bank') ?? 0)}`);
}
