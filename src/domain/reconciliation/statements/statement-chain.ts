import type { AccountStatement, RemittanceBatch, StatementAccepted } from '../../../ledger/events/reconciliation.events.js';
import { isNought, numbersOf, type FileSummary } from './checked-statement.js';
import type { RefusedStatement } from '../formats/statement-item.js';
import { inUnits } from '../../../platform/text/amounts.js';

/** A file that was read, and is offered to its source. */
export interface OfferedFile {
  readonly statement_id: string;
  readonly source: string;
  /** Account in the settings that it was read with. */
  readonly account_hmac: string | null;
  readonly summary: Pick<FileSummary, 'statements' | 'batches'>;
  /** Ids of the files that counted when it was read. */
  readonly known: ReadonlySet<string>;
}

interface SourceFiles {
  readonly settings: readonly { readonly account_hmac: string | null }[];
  readonly files: readonly StatementAccepted[];
}

export type Counted = Pick<StatementAccepted, 'statements' | 'batches' | 'dropped'>;

type OfferedStatement = FileSummary['statements'][number];
type OfferedBatch = FileSummary['batches'][number];

/**
 * Returns the part of a file that counts: statements that continue from the source's last one, and new batches. Statements and batches that the
 * source has already are dropped, if they are the same.
 * @param replacedId the file that it replaces
 */
export function countedOf({ settings, files }: SourceFiles, file: OfferedFile, replacedId: string | null): Counted | RefusedStatement {
  if (settings.at(-1)!.account_hmac !== file.account_hmac)
    return { reason: 'wrong-account', line: null, expected: 'the account that the source has by now', found: 'another' };
  const others = files.filter(({ statement_id }) => statement_id !== replacedId);
  const statements = newStatements(file.summary.statements, files, replacedId);
  if ('reason' in statements) return statements;
  const batches = newBatches(file.summary.batches, others);
  if ('reason' in batches) return batches;
  const replaced = files.find(({ statement_id }) => statement_id === replacedId);
  const missing = replaced && missingOf(replaced, statements.counted, batches.counted);
  if (missing) return missing;
  const gap = gapIn(files, replacedId, statements.counted);
  if (gap) return gap;
  return {
    statements: statements.counted.map(({ line: _, former_digests: __, has_short_keys: ___, ...statement }) => statement),
    batches: batches.counted.map(({ line: _, former_digests: __, ...batch }) => batch),
    dropped: { groups: statements.dropped.length + batches.dropped.length, lines: sumOfLines([...statements.dropped, ...batches.dropped]) },
  };
}

/**
 * Returns the number of a statement that counts, if another file with that number has been accepted since this one was read: lines of both could have
 * the same keys.
 */
export function numberTaken(
  { files }: SourceFiles,
  { summary, known }: OfferedFile,
  { statements }: Counted,
  replacedId: string | null,
): string | undefined {
  const since = files.filter(({ statement_id }) => statement_id !== replacedId && !known.has(statement_id));
  const taken = new Set(since.flatMap((file) => file.statements.flatMap(numbersOf)));
  return summary.statements.find(
    (read) => read.has_short_keys && numbersOf(read).some((number) => taken.has(number)) && statements.some(({ group }) => group === read.group),
  )?.number;
}

interface Sorted<Group> {
  readonly counted: readonly Group[];
  readonly dropped: readonly Group[];
}

const sumOfLines = (groups: readonly { readonly lines: number }[]): number => groups.reduce((sum, { lines }) => sum + lines, 0);
const nameOf = ({ currency, number }: Pick<AccountStatement, 'currency' | 'number'>): string => `${currency} ${number}`;
const inWords = ({ opening, closing, lines }: AccountStatement): string => `opening ${inUnits(opening)}, closing ${inUnits(closing)}, ${lines} lines`;

function newStatements(
  offered: readonly OfferedStatement[],
  files: readonly StatementAccepted[],
  replacedId: string | null,
): Sorted<OfferedStatement> | RefusedStatement {
  const known = new KnownStatements(files, replacedId);
  const counted: OfferedStatement[] = [];
  const dropped: OfferedStatement[] = [];
  for (const statement of offered) {
    if (known.has(statement)) {
      dropped.push(statement);
      continue;
    }
    const before = known.clashOf(statement);
    if (before) {
      const same = inWords(before) === inWords(statement);
      return {
        reason: 'reissued',
        line: statement.line,
        expected: `statement ${before.number} as it was accepted: ${inWords(before)}`,
        found: same ? 'the same figures, and other lines' : inWords(statement),
      };
    }
    counted.push(statement);
    known.add(statement);
  }
  return { counted, dropped };
}

/** Returns a bank's number without the year before it and the page after it. */
const baseOf = ({ number }: AccountStatement): string => number.split('/')[1] ?? '';

/** Statements that count, and those of the file that are new. */
class KnownStatements {
  private readonly digests = new Set<string>();
  private readonly byName = new Map<string, AccountStatement[]>();
  private readonly bases = new Map<string, Set<string>>();
  /** The statement of each currency from which the next one of the file continues. */
  private readonly last = new Map<string, AccountStatement>();

  constructor(files: readonly StatementAccepted[], replacedId: string | null) {
    let isBefore = true;
    for (const { statement_id, statements } of files) {
      if (statement_id === replacedId) isBefore = false;
      else for (const statement of statements) this.keep(statement, isBefore);
    }
  }

  has({ digest, former_digests }: OfferedStatement): boolean {
    return this.digests.has(digest) || former_digests.some((former) => this.digests.has(former));
  }

  add(statement: OfferedStatement): void {
    this.keep(statement, true);
  }

  /** Returns the statement that has the same number and other content; undefined: this is a different statement, regardless of its number. */
  clashOf(statement: AccountStatement): AccountStatement | undefined {
    const named = this.byName.get(nameOf(statement)) ?? [];
    return named.find((before) => !this.isAnother(statement, before, named));
  }

  /**
   * Numbers that are zero or the same each day do not distinguish statements: the day does, and within a day the opening balance. A number that
   * occurs again later, as with banks that restart each month, is a different statement if it continues from the last one.
   */
  private isAnother(statement: AccountStatement, before: AccountStatement, named: readonly AccountStatement[]): boolean {
    const base = baseOf(statement);
    const isAlone = this.bases.get(statement.currency)!.size === 1;
    const last = this.last.get(statement.currency);
    const continues = last === undefined || (last.closing === statement.opening && last.closes_on <= statement.closes_on);
    if (before.closes_on !== statement.closes_on) return isNought(base) || isAlone || (continues && last !== undefined && baseOf(last) !== base);
    const tellsNothing = isNought(base) || (isAlone && new Set(named.map(({ closes_on }) => closes_on)).size > 1);
    return tellsNothing && continues && before.opening !== statement.opening;
  }

  private keep(statement: AccountStatement, isBefore: boolean): void {
    const { currency, digest } = statement;
    this.digests.add(digest);
    listIn(this.byName, nameOf(statement)).push(statement);
    const bases = this.bases.get(currency) ?? new Set();
    this.bases.set(currency, bases.add(baseOf(statement)));
    if (isBefore) this.last.set(currency, statement);
  }
}

function listIn<Value>(lists: Map<string, Value[]>, name: string): Value[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

function newBatches(offered: readonly OfferedBatch[], others: readonly StatementAccepted[]): Sorted<OfferedBatch> | RefusedStatement {
  const known = new Map(others.flatMap(({ batches }) => batches.map((batch) => [batch.batch, batch])));
  const words = ({ lines, amount, currency }: RemittanceBatch): string => `${lines} lines, net ${inUnits(amount)} ${currency}`;
  for (const batch of offered) {
    const before = known.get(batch.batch);
    if (!before || [batch.digest, ...batch.former_digests].includes(before.digest)) continue;
    const found = words(before) === words(batch) ? 'the same figures, and other lines' : words(batch);
    return { reason: 'batch-changed', line: batch.line, expected: `batch ${batch.batch} as it was accepted: ${words(before)}`, found };
  }
  return { counted: offered.filter(({ batch }) => !known.has(batch)), dropped: offered.filter(({ batch }) => known.has(batch)) };
}

/** A replacement must contain every statement and batch of the replaced file: nothing disappears. */
function missingOf(
  replaced: StatementAccepted,
  statements: readonly AccountStatement[],
  batches: readonly RemittanceBatch[],
): RefusedStatement | undefined {
  const left = [...statements];
  for (const each of replaced.statements) {
    const isByDay = isNought(baseOf(each)) || replaced.statements.filter((other) => nameOf(other) === nameOf(each)).length > 1;
    const at = left.findIndex((other) => nameOf(other) === nameOf(each) && (!isByDay || other.closes_on === each.closes_on));
    if (at < 0) return { reason: 'gap', line: null, expected: `statement ${each.number}, which the replaced file has`, found: 'none' };
    left.splice(at, 1);
  }
  const batch = replaced.batches.find(({ batch }) => !batches.some((other) => other.batch === batch));
  return batch && { reason: 'batch-changed', line: null, expected: `batch ${batch.batch}, which the replaced file has`, found: 'none' };
}

type InChain = AccountStatement & { readonly line?: number };

/** Each statement of a currency opens with the closing balance of the one before, and closes on the same day or later. */
function gapIn(
  files: readonly StatementAccepted[],
  replacedId: string | null,
  counted: readonly (AccountStatement & { readonly line: number })[],
): RefusedStatement | undefined {
  const chain: readonly InChain[] = files.flatMap(({ statement_id, statements }): readonly InChain[] =>
    statement_id === replacedId ? counted : statements,
  );
  const last = new Map<string, InChain>();
  for (const statement of replacedId === null ? [...chain, ...counted] : chain) {
    const before = last.get(statement.currency);
    last.set(statement.currency, statement);
    if (!before) continue;
    // Names the line of the second statement, or of the first when only that one is in the file.
    const line = statement.line ?? before.line ?? null;
    if (before.closing !== statement.opening) {
      const expected = `an opening balance of ${inUnits(before.closing)} ${before.currency}, with which statement ${before.number} closed`;
      return { reason: 'gap', line, expected, found: `${inUnits(statement.opening)} in statement ${statement.number}` };
    }
    if (before.closes_on > statement.closes_on) {
      const expected = `a statement of ${before.closes_on} or later, after statement ${before.number}`;
      return { reason: 'gap', line, expected, found: `${statement.closes_on} in statement ${statement.number}` };
    }
  }
  return undefined;
}
