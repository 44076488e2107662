import type { Mode } from '../../src/ledger/mode.js';
import type { MoneyMove } from '../../src/ledger/postings.js';
import { PLATFORM } from '../merchants/owners.js';
import { emptyBooks, type BookedIn, type Books } from './journal.js';

/** The books that a batch changes, each loaded once, and the modes of their owners. */
export class BalanceAccumulator {
  readonly #books = new Map<string, Map<string, Books>>();
  readonly #modes: Map<string, Mode>;
  readonly #changed = new Set<Books>();

  /** @param registered merchants that the batch itself registers */
  constructor(registered: ReadonlyMap<string, Mode>) {
    this.#modes = new Map(registered);
  }

  /** Adds the books of the merchant and of the platform in both modes, because the merchant's mode is not loaded yet. */
  want({ merchant_id, currency }: MoneyMove): void {
    for (const owner of [merchant_id, PLATFORM.live, PLATFORM.test]) this.books(owner, currency);
  }

  /** Returns empty books for an owner and currency that were not wanted before. */
  books(owner: string, currency: string): Books {
    let ofOwner = this.#books.get(owner);
    if (ofOwner === undefined) this.#books.set(owner, (ofOwner = new Map<string, Books>()));
    let books = ofOwner.get(currency);
    if (books === undefined) ofOwner.set(currency, (books = emptyBooks(owner, currency)));
    return books;
  }

  isOf(owner: string, mode: Mode): void {
    this.#modes.set(owner, mode);
  }

  /** Returns the books that a move is booked in. @throws when the merchant was never registered, because the mode of its money is unknown */
  booksOf({ merchant_id, currency }: MoneyMove): BookedIn {
    const mode = this.#modes.get(merchant_id);
    if (mode === undefined) throw new Error(`there is no merchant ${merchant_id}`);
    const [merchant, platform] = [this.books(merchant_id, currency), this.books(PLATFORM[mode], currency)];
    this.#changed.add(merchant).add(platform);
    return { mode, merchant, platform };
  }

  all(): Books[] {
    return [...this.#books.values()].flatMap((ofOwner) => [...ofOwner.values()]);
  }

  changed(): Books[] {
    return [...this.#changed];
  }
}
