import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { Account } from '../../src/ledger/postings.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { joinOwners } from '../merchants/owners.js';
import { balanceSql, JOURNAL } from './journal.js';

/** A line of an entry, with the owner's part of its account, in minor units: after the entry, by the entry, and by those of its lines that follow. */
export interface Cumulated {
  readonly ordinal: bigint;
  readonly merchant_id: string;
  readonly occurred_on: Timestamp;
  readonly after_entry: string;
  readonly by_entry: string;
  readonly by_later_lines: string;
}

interface Wanted {
  readonly mode?: Mode | undefined;
  readonly merchant_id?: string | undefined;
  readonly currency?: string | undefined;
  readonly account?: Account | undefined;
  /** The last position that counts. */
  readonly until?: number | undefined;
  readonly is_descending?: boolean;
}

/** The lines of one account, in one currency, of a mode or of one of its merchants. */
type Selection = Wanted & { readonly currency: string; readonly account: Account };

/**
 * Running balances of a page of journal lines. The rows have the sums of their owner; those of all other owners are added up once a page, at its
 * first line, by one index lookup per owner. A page of one merchant needs none.
 */
export class Running {
  private constructor(
    private readonly selection: Selection,
    private readonly isOfTime: boolean,
  ) {}

  /** Returns undefined for lines whose sum has no meaning. @param isOfTime the list is in the order of booking, not in that of the log */
  static of({ currency, account, ...wanted }: Wanted, isOfTime: boolean): Running | undefined {
    if (account === undefined || currency === undefined || (wanted.mode ?? wanted.merchant_id) === undefined) return undefined;
    return new Running({ ...wanted, currency, account }, isOfTime);
  }

  /** Columns of `Cumulated`, of an entry `j` and its line `l`. */
  get columns(): string {
    const { account } = this.selection;
    const sum = (condition: string): string =>
      `(select coalesce(sum(x.amount), 0) from unnest(j.accounts, j.amounts) with ordinality x(account, amount, line) where x.account = l.account ${condition})`;
    return `${balanceSql('j', [account])} as after_entry, ${sum('')} as by_entry, ${sum('and x.line > l.line')} as by_later_lines`;
  }

  /** Returns the balance after each line. */
  async balances(db: Pick<ClientBase, 'query'>, rows: readonly Cumulated[]): Promise<bigint[]> {
    let entry = rows[0];
    if (entry === undefined) return [];
    let total = BigInt(entry.after_entry) + (await this.#ofOthers(db, entry));
    return rows.map((row) => {
      if (row.ordinal !== entry!.ordinal) {
        total += this.selection.is_descending === true ? -BigInt(entry!.by_entry) : BigInt(row.by_entry);
        entry = row;
      }
      return total - BigInt(row.by_later_lines);
    });
  }

  /** Returns the balance of all other owners at an entry. */
  async #ofOthers(db: Pick<ClientBase, 'query'>, { merchant_id: owner, ordinal, occurred_on }: Cumulated): Promise<bigint> {
    const { mode, merchant_id, currency, account, until } = this.selection;
    if (merchant_id !== undefined) return 0n;
    const before = new Conditions(mode, currency, owner, ordinal).where(until, (p) => `e.ordinal <= ${p}`);
    const [order, place] = this.isOfTime
      ? ['booked_on desc, ordinal desc', `(e.booked_on, e.ordinal) < (${before.parameter(occurred_on)}::timestamptz, $4::int8)`]
      : ['ordinal desc', 'e.ordinal < $4::int8'];
    const { rows } = await db.query<{ balance: string }>(
      `select coalesce(sum(${balanceSql('j', [account])}), 0)::text as balance
         from ledger.balances b ${joinOwners('b')}
         cross join lateral (select * from ${JOURNAL} e where e.merchant_id = b.merchant_id and e.currency = b.currency and ${before.sql(place)}
                              order by ${order} limit 1) j
        where o.mode = $1 and b.currency = $2 and b.merchant_id <> $3::uuid`,
      before.values,
    );
    return BigInt(rows[0]!.balance);
  }
}
