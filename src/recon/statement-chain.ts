import type { AccountStatement, RemittanceBatch, StatementAccepted } from '../ledger/events/recon.events.js';
import type { FileSummary } from './checked-statement.js';
import type { RefusedStatement } from './formats/statement-item.js';

/** A file that was read, in front of its source. */
export interface OfferedFile {
  readonly statement_id: string;
  readonly source: string;
  /** Of the settings that it was read with. */
  readonly account_hmac: string | null;
  readonly summary: Pick<FileSummary, 'statements' | 'batches'>;
}

interface SourceFiles {
  readonly settings: readonly { readonly account_hmac: string | null }[];
  readonly files: readonly StatementAccepted[];
}

export type Counted = Pick<StatementAccepted, 'statements' | 'batches' | 'dropped'>;

type OfferedStatement = FileSummary['statements'][number];
type OfferedBatch = FileSummary['batches'][number];

/**
 * What of a file counts: the statements that go on where the source's last one ended, and the batches that are new. What the source has
 * already is dropped, if it is the same. @param replacedId the file that it takes the place of
 */
export function countedOf({ settings, files }: SourceFiles, file: OfferedFile, replacedId: string | null): Counted | RefusedStatement {
  if (settings.at(-1)!.account_hmac !== file.account_hmac)
    return { reason: 'wrong-account', line: null, expected: 'the account that the source has by now', found: 'another' };
  const others = files.filter(({ statement_id }) => statement_id !== replacedId);
  const statements = newStatements(file.summary.statements, others);
  if ('reason' in statements) return statements;
  const batches = newBatches(file.summary.batches, others);
  if ('reason' in batches) return batches;
  const replaced = files.find(({ statement_id }) => statement_id === replacedId);
  const missing = replaced && missingOf(replaced, statements.counted, batches.counted);
  if (missing) return missing;
  const gap = gapIn(files, replacedId, statements.counted);
  if (gap) return gap;
  return {
    statements: statements.counted.map(({ line: _, ...statement }) => statement),
    batches: batches.counted.map(({ line: _, ...batch }) => batch),
    dropped: { groups: statements.dropped.length + batches.dropped.length, lines: sumOfLines([...statements.dropped, ...batches.dropped]) },
  };
}

interface Sorted<Group> {
  readonly counted: readonly Group[];
  readonly dropped: readonly Group[];
}

const sumOfLines = (groups: readonly { readonly lines: number }[]): number => groups.reduce((sum, { lines }) => sum + lines, 0);
const nameOf = ({ currency, number }: Pick<AccountStatement, 'currency' | 'number'>): string => `${currency} ${number}`;
const inWords = ({ opening, closing, lines }: AccountStatement): string => `opening ${opening}, closing ${closing}, ${lines} lines`;

function newStatements(offered: readonly OfferedStatement[], others: readonly StatementAccepted[]): Sorted<OfferedStatement> | RefusedStatement {
  const known = new Map(others.flatMap(({ statements }) => statements.map((statement) => [nameOf(statement), statement])));
  const counted: OfferedStatement[] = [];
  const dropped: OfferedStatement[] = [];
  for (const statement of offered) {
    const before = known.get(nameOf(statement));
    if (before && before.digest !== statement.digest) {
      const same = inWords(before) === inWords(statement);
      return {
        reason: 'reissued',
        line: statement.line,
        expected: `statement ${before.number} as it was accepted: ${inWords(before)}`,
        found: same ? 'the same figures, and other lines' : inWords(statement),
      };
    }
    (before ? dropped : counted).push(statement);
    known.set(nameOf(statement), statement);
  }
  return { counted, dropped };
}

function newBatches(offered: readonly OfferedBatch[], others: readonly StatementAccepted[]): Sorted<OfferedBatch> | RefusedStatement {
  const known = new Map(others.flatMap(({ batches }) => batches.map((batch) => [batch.batch, batch])));
  const words = ({ lines, amount, currency }: RemittanceBatch): string => `${lines} lines, net ${amount} ${currency}`;
  for (const batch of offered) {
    const before = known.get(batch.batch);
    if (!before || before.digest === batch.digest) continue;
    const found = words(before) === words(batch) ? 'the same figures, and other lines' : words(batch);
    return { reason: 'batch-changed', line: batch.line, expected: `batch ${batch.batch} as it was accepted: ${words(before)}`, found };
  }
  return { counted: offered.filter(({ batch }) => !known.has(batch)), dropped: offered.filter(({ batch }) => known.has(batch)) };
}

/** Whoever replaces a file says anew all that it said: nothing disappears. */
function missingOf(
  replaced: StatementAccepted,
  statements: readonly AccountStatement[],
  batches: readonly RemittanceBatch[],
): RefusedStatement | undefined {
  const statement = replaced.statements.find((each) => !statements.some((other) => nameOf(other) === nameOf(each)));
  if (statement) return { reason: 'gap', line: null, expected: `statement ${statement.number}, which the replaced file has`, found: 'none' };
  const batch = replaced.batches.find(({ batch }) => !batches.some((other) => other.batch === batch));
  return batch && { reason: 'batch-changed', line: null, expected: `batch ${batch.batch}, which the replaced file has`, found: 'none' };
}

type InChain = AccountStatement & { readonly line?: number };

/** Every statement of a currency opens with what the one before closed with, and closes on no earlier day. */
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
    // Of two statements in a row, at most the second or the first is the file's: its line is the one to name.
    const line = statement.line ?? before.line ?? null;
    if (before.closing !== statement.opening) {
      const expected = `an opening balance of ${before.closing} ${before.currency}, with which statement ${before.number} closed`;
      return { reason: 'gap', line, expected, found: `${statement.opening} in statement ${statement.number}` };
    }
    if (before.closes_on > statement.closes_on) {
      const expected = `a statement of ${before.closes_on} or later, after statement ${before.number}`;
      return { reason: 'gap', line, expected, found: `${statement.closes_on} in statement ${statement.number}` };
    }
  }
  return undefined;
}
