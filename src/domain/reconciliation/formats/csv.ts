import { Readable } from 'node:stream';
import { CsvError, Parser } from 'csv-parse';
import type { CsvProfile } from '../../../ledger/events/reconciliation.events.js';
import { CsvReader } from './csv-reader.js';
import { columnsOf } from './profile.js';
import { unreadable, type StatementItem } from './statement-item.js';

/** Maximum characters of a row, and rows that are passed on together. */
const ROW_CHARS_MAX = 16_384;
const ROWS_TOGETHER = 256;
/** Maximum rows before the row of names. */
const TITLE_ROWS_MAX = 20;

interface Row {
  readonly record: readonly string[];
  /** Line of the file in which it ends, from 1. */
  readonly at: number;
}

/** The row that lacks the fewest names of columns so far. */
interface Candidate extends Row {
  readonly missing: number;
}

/** Passes rows on together: the overhead of a stream and of the parser's notes for each row is larger than the row itself. */
class Rows extends Parser {
  private rows: Row[] = [];

  override push(record: readonly string[] | null): boolean {
    if (record !== null) this.rows.push({ record, at: this.info.lines });
    if (this.rows.length >= ROWS_TOGETHER || (record === null && this.rows.length > 0)) {
      super.push(this.rows);
      this.rows = [];
    }
    return record !== null || super.push(null);
  }
}

/**
 * Parses a processor's remittance file by its profile. Columns are found by the names in the first row, or in the first row that has them all if the
 * profile allows rows of titles. The file is refused when a column is missing, is there twice, or is not in the profile, because it may determine the
 * meaning of an amount.
 * @param batch that was given with the file
 * @throws StatementRefused `unreadable`
 */
export async function* parseCsv(
  chunks: AsyncIterable<Buffer>,
  profile: CsvProfile,
  timeZone: string,
  batch?: string,
): AsyncGenerator<StatementItem[]> {
  const rows = new Rows({
    delimiter: profile.delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARS_MAX,
    trim: true,
  });
  const text = Readable.from(decoded(chunks, profile.encoding));
  text.on('error', (error) => rows.destroy(error));
  text.pipe(rows);
  let reader: CsvReader | undefined;
  let names: Candidate | undefined;
  let titles = 0;
  try {
    for await (const some of rows as AsyncIterable<readonly Row[]>) {
      const items: StatementItem[] = [];
      for (const { record, at } of some) {
        if (reader !== undefined) {
          reader.row(record, at, items);
          continue;
        }
        const missing = [...columnsOf(profile)].filter((name) => !record.includes(name)).length;
        if (!names || missing < names.missing) names = { record, at, missing };
        if (profile.title_rows && missing > 0 && titles < TITLE_ROWS_MAX) titles += 1;
        else reader = new CsvReader(names, profile, timeZone, batch);
      }
      yield items;
    }
  } catch (error) {
    if (error instanceof CsvError) unreadable(rows.info.lines, 'CSV (RFC 4180)', error.code);
    throw error;
  } finally {
    text.destroy();
    rows.destroy();
  }
  if (names === undefined) unreadable(1, 'a row with the names of columns', 'an empty file');
  // No row has all names: the reader refuses the one that has most of them.
  reader ??= new CsvReader(names, profile, timeZone, batch);
  yield [...reader.end(rows.info.lines)];
}

async function* decoded(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 1;
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true });
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
      yield text;
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) unreadable(lines, `text in ${encoding}`, 'other bytes');
    throw error;
  }
}
