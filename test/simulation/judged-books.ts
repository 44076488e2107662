import { balanceOf, book, emptyBooks, isPlatformAccount, ACCOUNTS, type Books, type JournalEntry } from '../../projections/balances/journal.js';
import { PLATFORM } from '../../projections/merchants/owners.js';
import { moneyMove, type MoneyEvent } from '../../src/ledger/postings.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { later, milliseconds, timestamp } from '../../src/ledger/time.js';

/** The journal of all merchants as the read model books it, and the rules for its times. */
export class JudgedBooks {
  readonly #house: Books;
  readonly #owners = new Map<string, { readonly books: Books; readonly entries: JournalEntry[] }>();

  constructor(private readonly currency: string) {
    this.#house = emptyBooks(PLATFORM.live, currency);
  }

  /** @returns the fault in the time of booking; null without one. */
  add(event: OrdinalEvent & MoneyEvent): string | null {
    const move = moneyMove(event);
    const { merchant_id } = move;
    const owner = this.#owners.get(merchant_id) ?? { books: emptyBooks(merchant_id, this.currency), entries: [] };
    this.#owners.set(merchant_id, owner);
    const { occurred_on } = event.metadata;
    const before = owner.entries.at(-1)?.booked_on;
    const due = before === undefined ? occurred_on : later(before, occurred_on);
    const entry = book(event, move, { mode: 'live', merchant: owner.books, platform: this.#house });
    owner.entries.push(entry);
    return entry.booked_on === due
      ? null
      : `${event.type} of ${merchant_id} is booked on ${entry.booked_on}; by the merchant's own events it is ${due}`;
  }

  /** Once every clock is right: the balances as of now are the live ones, of each owner and in sum. @returns the first difference; null without one. */
  compareAsOf(nowMs: number): string | null {
    const now = timestamp(nowMs);
    const sums = new Map(ACCOUNTS.map((account) => [account, 0n]));
    for (const [merchant_id, { books, entries }] of this.#owners) {
      const asOf = entries.findLast(({ booked_on }) => milliseconds(booked_on) <= nowMs);
      for (const account of ACCOUNTS) {
        const then = asOf ? balanceOf(asOf, account) : 0n;
        const live = balanceOf(books.sums, account);
        if (then !== live) return `${account} of ${merchant_id} is ${live}, but ${then} as of ${now}`;
        sums.set(account, sums.get(account)! + then);
      }
    }
    for (const account of ACCOUNTS.filter(isPlatformAccount)) {
      const live = balanceOf(this.#house.sums, account);
      if (sums.get(account) !== live) return `${account} of the house is ${live}, but ${sums.get(account)} as of ${now}`;
    }
    return null;
  }
}
