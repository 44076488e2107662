import type { PoolClient } from 'pg';
import { moneyMove, type MoneyEvent, type MoneyMove } from '../../src/ledger/postings.js';
import type { Mode } from '../../src/ledger/mode.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { book, emptyBooks, journalDdl, journalIndexes, saveEntries, SUM_COLUMNS, SUM_DDL, type BookedIn, type Books, type Sums } from './journal.js';
import { accountDaysDdl, addToDays } from './account-days.js';
import { houseOwners, ownersDdl, PLATFORM, saveOwners } from '../merchants/owners.js';

const table = new Table(
  'balances',
  {
    /** A merchant, the owner of the house accounts, or the platform in one mode: the sums of all its merchants and house accounts. */
    merchant_id: 'uuid not null',
    currency: 'text collate "C" not null',
    ...SUM_DDL,
    pending_count: 'bigint not null',
    available_count: 'bigint not null',
    modified_on: 'timestamptz not null',
    modified_by: 'text not null',
  },
  ['primary key (merchant_id, currency)'],
  // Each batch updates the rows of its merchants. Free space on their pages spares the indexes an update.
  'with (fillfactor = 50)',
);

/**
 * Balances and the journal that explains them. One computation writes both, so they cannot contradict each other. An event that moves no money costs
 * nothing here.
 */
export const balances: LedgerReadModel = {
  name: 'balances',
  version: 3,
  ddl: (schema) => ownersDdl(schema) + houseOwners(schema) + table.ddl(schema) + accountDaysDdl(schema) + journalDdl(schema),
  indexes: journalIndexes,

  async apply(tx, schema, batch) {
    const changes = batch.flatMap(changeOfBalance);
    const accumulator = new BalanceAccumulator();
    for (const event of batch) if (event.type === 'MerchantRegistered') accumulator.register(event.data.merchant_id, event.data.mode);
    for (const { move } of changes) accumulator.want(move);
    if (changes.length > 0) await fill(tx, schema, accumulator);
    const entries = changes.map(({ event, move }) => book(event, move, accumulator.booksOf(move)));
    await Promise.all([
      ...(accumulator.registered.size > 0 ? [saveOwners(tx, schema, accumulator.registered)] : []),
      ...(changes.length > 0 ? [saveBooks(tx, schema, accumulator.changed()), saveEntries(tx, schema, entries), addToDays(tx, schema, entries)] : []),
    ]);
  },
};

interface Change {
  readonly event: LoggedEvent & MoneyEvent;
  readonly move: MoneyMove;
}

const changesBalances = handling({
  charges: { except: ['ChargeCreated', 'unpaid charges', 'settlement claims', 'refund submissions'] },
  disputes: { except: ['dispute proceedings'] },
  accounts: { except: ['payout approvals', 'PayoutSubmitted', 'RefundConfirmed', 'unbooked adjustments'] },
  payouts: { except: ['transfers', 'payout registry'] },
  recon: { except: ['statements', 'recon sources', 'breaks', 'DayCloseOpened', 'DayClosed'] },
});

/**
 * Returns nothing for an event that changes no balance. A new event of these groups does not compile here until it moves money or is named as an
 * exception above.
 */
function changeOfBalance(event: LoggedEvent): Change[] {
  if (!changesBalances(event)) return [];
  const move = moneyMove(event);
  const { postings, counts } = move;
  return postings.length > 0 || counts.pending_count !== 0 || counts.available_count !== 0 ? [{ event, move }] : [];
}

type BalanceRow = RowOf<(typeof table)['definitions'], Sums>;

const balanceColumns = table.parameters(table.names, 'rows');
const keyColumns = table.parameters(['merchant_id', 'currency'], 'k');

/** Loads the books as they are before the batch. The fence has made this process the only writer. */
async function fill(tx: PoolClient, schema: string, accumulator: BalanceAccumulator): Promise<void> {
  const { rows } = await tx.query<StoredRow>({
    name: `${schema} balances: load`,
    text: `select b.*, k.merchant_id, k.currency, o.mode
             from ${keyColumns.rows} left join ${schema}.balances b using (merchant_id, currency) left join ${schema}.owners o using (merchant_id)`,
    values: keyColumns.values(accumulator.all().map(({ owner, currency }) => ({ merchant_id: owner, currency }))),
  });
  for (const row of rows) {
    if (row.mode !== null) accumulator.isOf(row.merchant_id, row.mode);
    if (row.modified_on === null) continue;
    const books = accumulator.books(row.merchant_id, row.currency);
    for (const column of SUM_COLUMNS) books.sums[column] = BigInt(row[column]);
    books.pending_count = Number(row.pending_count);
    books.available_count = Number(row.available_count);
    books.modified_on = row.modified_on;
  }
}

/** The row of an account, all null before its first entry, with the mode of its owner; the mode of the platform is null. */
type StoredRow = Record<keyof Sums, string> &
  Pick<BalanceRow, 'merchant_id' | 'currency'> & { readonly modified_on: Timestamp | null; readonly mode: Mode | null } & Record<
    'pending_count' | 'available_count',
    bigint
  >;

async function saveBooks(tx: PoolClient, schema: string, books: readonly Books[]): Promise<void> {
  const rows = books.map(({ owner, currency, sums, ...rest }): BalanceRow => ({ merchant_id: owner, currency, ...sums, ...rest }));
  const changing = balanceColumns.names.filter((column) => column !== 'merchant_id' && column !== 'currency');
  await tx.query({
    name: `${schema} balances: save`,
    text: `insert into ${schema}.balances (${balanceColumns.list}) select ${balanceColumns.list} from ${balanceColumns.rows}
           on conflict (merchant_id, currency) do update set ${changing.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    values: balanceColumns.values(rows),
  });
}

/** The books that a batch changes, each loaded once, and the modes of their owners. */
class BalanceAccumulator {
  readonly #books = new Map<string, Map<string, Books>>();
  readonly #modes = new Map<string, Mode>();
  readonly #changed = new Set<Books>();

  /** Merchants that the batch itself registers. */
  readonly registered = new Map<string, Mode>();

  register(merchantId: string, mode: Mode): void {
    this.registered.set(merchantId, mode);
    this.isOf(merchantId, mode);
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
