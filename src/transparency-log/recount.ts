import { isPlatformAccount } from '../../projections/balances/journal.js';
import type { TrialBalance } from '../../projections/balances/trial-balance.js';
import { readEvent } from '../ledger/catalogue.js';
import type { Mode } from '../ledger/mode.js';
import { isOfHouse, moneyMove, movesMoney, type Account } from '../ledger/postings.js';
import type { RecordedEvent } from '../platform/event-store/event-store.js';
import type { ChainHead } from './chain-keys.js';
import { GrowingTree } from './merkle-tree.js';

export interface Verification {
  /** Number of events read. */
  readonly events: number;
  /** Root of the tree, hex: the sealed one; for a file, the root computed from its events. null: nothing is sealed. */
  readonly head: string | null;
  /**
   * Minor units, the sum of absolute differences over all accounts; 0 when the books balance. It adds the difference between debits and credits of
   * the log's postings, and the difference of both from the trial balance that the service shows.
   */
  readonly trial_balance_difference: number;
  /** Ordinal of the first wrong event; null: every event is as sealed. */
  readonly broken_at: number | null;
  /** The fault, in one sentence; null: none. */
  readonly fault: string | null;
  /** Number of events at the end of the log that the head does not cover. */
  readonly unsealed: number;
}

/** A head that an auditor kept. */
export interface KeptHead {
  readonly events: number;
  /** Hex in lower case. */
  readonly hash: string;
  /** The whole head, when it was kept whole. */
  readonly signed?: ChainHead;
}

/** Heads that auditors kept. Each must be the root of a beginning of the verified log. */
export interface KeptHeads {
  /** Hashes alone, hex in lower case. */
  readonly hashes: readonly string[];
  /** Heads with their numbers of events. */
  readonly from: readonly KeptHead[];
}

interface Books {
  debit: bigint;
  credit: bigint;
}

/** Accumulates a log event by event: its tree, its money, and the kept heads that are roots on the way. */
export class Recount {
  readonly tree = new GrowingTree();
  /** Each kept head that was found, and its number of events. */
  readonly met = new Map<string, number>();
  readonly #wanted: ReadonlySet<string>;
  readonly #books = new Map<string, Books>();
  readonly #modes = new Map<string, Mode>();
  readonly #from: readonly KeptHead[];
  #fault: { readonly position: number; readonly reason: string } | undefined;
  #rewritten: { readonly position: number; readonly reason: string } | undefined;

  constructor({ hashes, from }: KeptHeads) {
    this.#wanted = new Set(hashes);
    this.#from = from;
    this.#meet();
  }

  get isBroken(): boolean {
    return this.#fault !== undefined;
  }

  /** Keeps the first fault: later ones usually follow from it. */
  broken(position: number, reason: string): void {
    this.#fault ??= { position, reason };
  }

  /** Adds a leaf. Returns the hashes of the subtrees that it completes. */
  add(leaf: Buffer): Buffer[] {
    const completed = this.tree.append(leaf);
    this.#meet();
    return completed;
  }

  book(position: number, event: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>): void {
    try {
      const entry = readEvent(event);
      if (entry.type === 'MerchantRegistered') this.#modes.set(entry.data.merchant_id, entry.data.mode);
      if (!movesMoney(entry)) return;
      const { merchant_id, currency, postings } = moneyMove(entry);
      // A single event of a proof has no known mode; without other events, none can be confused with it.
      const mode = isOfHouse(entry) ? entry.data.mode : (this.#modes.get(merchant_id) ?? 'live');
      for (const { from, to, amount } of postings) {
        this.#of(mode, currency, from, merchant_id).debit += amount;
        this.#of(mode, currency, to, merchant_id).credit += amount;
      }
    } catch (error) {
      this.broken(position, `event ${position} cannot be read: ${(error as Error).message}`);
    }
  }

  /**
   * Call this last.
   * @param source name of the source for messages, such as "this log"
   * @param shown the service's trial balance after the booked events; undefined: there is no service
   */
  result(
    { source, events, head, unsealed }: { source: string; events: number; head: string | null; unsealed: number },
    shown?: readonly TrialBalance[],
  ): Verification {
    for (const wanted of this.#wanted) {
      if (this.met.has(wanted)) continue;
      this.broken(
        events + 1,
        `the head ${wanted} is not the root of the first events of ${source}, for any number of them: events after ${events} were removed, or earlier events were rewritten together with their hashes`,
      );
    }
    for (const kept of this.#from) {
      if (kept.events > this.tree.size)
        this.broken(
          events + 1,
          `${source} ends after event ${events}, but the kept head is over ${kept.events} events: the newest events were removed`,
        );
    }
    const wrong = this.#firstFault();
    const difference = this.#imbalance() + (shown ? this.#differenceFrom(shown) : 0n);
    const misfit = `the trial balance and the postings of ${source} differ by ${difference}: "projections verify" names the rows`;
    return {
      events,
      head,
      trial_balance_difference: Number(difference),
      broken_at: wrong?.position ?? null,
      fault: wrong?.reason ?? (difference === 0n ? null : misfit),
      unsealed,
    };
  }

  #of(mode: Mode, currency: string, account: Account, merchantId: string | null): Books {
    const key = `${mode} ${currency} ${account} ${isPlatformAccount(account) ? '' : merchantId}`;
    const known = this.#books.get(key);
    if (known) return known;
    const books = { debit: 0n, credit: 0n };
    this.#books.set(key, books);
    return books;
  }

  #imbalance(): bigint {
    const balances = new Map<string, bigint>();
    for (const [key, { debit, credit }] of this.#books) {
      const of = key.split(' ', 2).join(' ');
      balances.set(of, (balances.get(of) ?? 0n) + credit - debit);
    }
    return [...balances.values()].reduce((sum, balance) => sum + magnitude(balance), 0n);
  }

  #differenceFrom(shown: readonly TrialBalance[]): bigint {
    let difference = 0n;
    let [debits, credits] = [0n, 0n];
    for (const { mode, currency, accounts } of shown) {
      for (const { account, merchant_id, debit, credit } of accounts) {
        const books = this.#of(mode, currency, account, merchant_id);
        difference += magnitude(books.debit - debit) + magnitude(books.credit - credit);
        debits += books.debit;
        credits += books.credit;
      }
    }
    // Postings of the log that no shown account has.
    for (const { debit, credit } of this.#books.values()) [debits, credits] = [debits - debit, credits - credit];
    return difference + magnitude(debits) + magnitude(credits);
  }

  /** A fault of an event identifies it. A different head only proves that one of its events is wrong. */
  #firstFault(): { readonly position: number; readonly reason: string } | undefined {
    const [fault, rewritten] = [this.#fault, this.#rewritten];
    return rewritten !== undefined && (fault === undefined || rewritten.position < fault.position) ? rewritten : fault;
  }

  #meet(): void {
    for (const { events, hash } of this.#from) {
      if (events !== this.tree.size) continue;
      if (this.tree.root().toString('hex') === hash) this.met.set(hash, events);
      else {
        const reason = `the first ${events} events do not match the kept head (${hash}): one of them was changed, removed or inserted, and the tree was recomputed`;
        this.#rewritten ??= { position: events, reason };
      }
    }
    if (this.#wanted.size === 0) return;
    const root = this.tree.root().toString('hex');
    if (this.#wanted.has(root)) this.met.set(root, this.tree.size);
  }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
