import { isHouseAccount } from '../../projections/journal.js';
import type { TrialBalance } from '../../projections/trial-balance.js';
import { readFact } from '../ledger/catalogue.js';
import { moneyMove, movesMoney, type Account } from '../ledger/postings.js';
import type { RecordedEvent } from '../platform/event-store/event-store.js';
import { GrowingTree } from './merkle-tree.js';

export interface Verification {
  /** How many were read. */
  readonly events: number;
  /** Root of the tree, hex: as it is sealed; of a file's events, as computed. null: nothing is sealed. */
  readonly head: string | null;
  /**
   * Minor units, added up over all accounts whatever the sign; 0 where money adds up. By how much the debits of the log's postings
   * differ from the credits, and both from the trial balance that the service shows.
   */
  readonly trial_balance_difference: number;
  /** Ordinal of the first event that is wrong; null: everything is as it was sealed. */
  readonly broken_at: number | null;
  /** What is wrong, in one sentence; null: nothing is. */
  readonly fault: string | null;
  /** Events of the tail that the head does not cover. */
  readonly unsealed: number;
}

interface Books {
  debit: bigint;
  credit: bigint;
}

/** What a log adds up to, event by event: its tree, its money, and which of the heads that finance kept are roots on the way. */
export class Recount {
  readonly tree = new GrowingTree();
  /** Each head that was met, and the number of events under it. */
  readonly met = new Map<string, number>();
  readonly #wanted: ReadonlySet<string>;
  readonly #books = new Map<string, Books>();
  #fault: { readonly position: number; readonly reason: string } | undefined;

  /** @param heads hashes, hex in lower case */
  constructor(heads: readonly string[]) {
    this.#wanted = new Set(heads);
    this.#meet();
  }

  get isBroken(): boolean {
    return this.#fault !== undefined;
  }

  /** The first fault counts: what comes behind it follows from it, as a rule. */
  broken(position: number, reason: string): void {
    this.#fault ??= { position, reason };
  }

  /** The hashes of the subtrees that the leaf completes. */
  add(leaf: Buffer): Buffer[] {
    const completed = this.tree.append(leaf);
    this.#meet();
    return completed;
  }

  book(position: number, event: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>): void {
    try {
      const fact = readFact(event);
      if (!movesMoney(fact)) return;
      const { merchant_id, currency, postings } = moneyMove(fact);
      for (const { from, to, amount } of postings) {
        this.#of(currency, from, merchant_id).debit += amount;
        this.#of(currency, to, merchant_id).credit += amount;
      }
    } catch (error) {
      this.broken(position, `event ${position} cannot be read: ${(error as Error).message}`);
    }
  }

  /**
   * Call it at the end.
   * @param source what was read, as in "this log"
   * @param shown as the service shows it after the booked events; undefined: there is no service
   */
  result(
    { source, events, head, unsealed }: { source: string; events: number; head: string | null; unsealed: number },
    shown?: readonly TrialBalance[],
  ): Verification {
    for (const wanted of this.#wanted) {
      if (this.met.has(wanted)) continue;
      this.broken(
        events + 1,
        `the head ${wanted} is not the root of any beginning of ${source}: events behind ${events} were cut off, or earlier ones were rewritten together with their hashes`,
      );
    }
    const difference = this.#imbalance() + (shown ? this.#differenceFrom(shown) : 0n);
    const misfit = `the trial balance and the postings of ${source} differ by ${difference}: "projections verify" names the rows`;
    return {
      events,
      head,
      trial_balance_difference: Number(difference),
      broken_at: this.#fault?.position ?? null,
      fault: this.#fault?.reason ?? (difference === 0n ? null : misfit),
      unsealed,
    };
  }

  #of(currency: string, account: Account, merchantId: string | null): Books {
    const key = `${currency} ${account} ${isHouseAccount(account) ? '' : merchantId}`;
    const known = this.#books.get(key);
    if (known) return known;
    const books = { debit: 0n, credit: 0n };
    this.#books.set(key, books);
    return books;
  }

  #imbalance(): bigint {
    const balances = new Map<string, bigint>();
    for (const [key, { debit, credit }] of this.#books) {
      const currency = key.slice(0, key.indexOf(' '));
      balances.set(currency, (balances.get(currency) ?? 0n) + credit - debit);
    }
    return [...balances.values()].reduce((sum, balance) => sum + magnitude(balance), 0n);
  }

  #differenceFrom(shown: readonly TrialBalance[]): bigint {
    let difference = 0n;
    let [debits, credits] = [0n, 0n];
    for (const { currency, accounts } of shown) {
      for (const { account, merchant_id, debit, credit } of accounts) {
        const books = this.#of(currency, account, merchant_id);
        difference += magnitude(books.debit - debit) + magnitude(books.credit - credit);
        debits += books.debit;
        credits += books.credit;
      }
    }
    // What stands in the log and in no shown account.
    for (const { debit, credit } of this.#books.values()) [debits, credits] = [debits - debit, credits - credit];
    return difference + magnitude(debits) + magnitude(credits);
  }

  #meet(): void {
    if (this.#wanted.size === this.met.size) return;
    const root = this.tree.root().toString('hex');
    if (this.#wanted.has(root)) this.met.set(root, this.tree.size);
  }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
