import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';

/**
 * Returns the balance of a mode's bank account in the books, by currency, after the event at an ordinal: incoming less outgoing money. Minor units.
 */
export async function findBookCash(
  db: Pick<ClientBase, 'query'>,
  mode: Mode,
  currencies: readonly string[],
  ordinal: number,
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await db.query<{ currency: string; balance: string }>({
    name: 'books: cash',
    // Reads the last line of `bank` in the order of the log. The balance of such a line is that of the whole platform.
    text: `select c.currency, b.balance::text as balance
             from unnest($2::text[]) c (currency)
            cross join lateral (select accounts, balances from ledger.journal e
                                 where e.mode = $1 and e.currency = c.currency and e.ordinal <= $3 and e.accounts @> '{bank}'
                                 order by e.ordinal desc limit 1) j
            cross join lateral (select balance from unnest(j.accounts, j.balances) with ordinality l (account, balance, line)
                                 where account = 'bank' order by line desc limit 1) b`,
    values: [mode, currencies, ordinal],
  });
  return new Map(rows.map(({ currency, balance }) => [currency, -BigInt(balance)]));
}
