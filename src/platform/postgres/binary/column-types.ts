import pg from 'pg';

type Parser = (text: string) => unknown;

const { INT8, TIMESTAMPTZ, TIMESTAMP, DATE } = pg.types.builtins;
/** Array types, which `pg` does not name. */
const INT8_ARRAY = 1016;
const TIMESTAMPTZ_ARRAY = 1185;

/** As Postgres writes a timestamptz in a session with DateStyle ISO and TimeZone UTC. */
const UTC_TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/**
 * Returns a timestamptz as responses show it: RFC 3339, milliseconds, `+00:00`. Finer digits are cut, never rounded up into the future.
 * Values that RFC 3339 cannot express (infinity, BC, five-digit years) are returned as Postgres wrote them.
 */
function timestampText(text: string): string {
  const match = UTC_TIMESTAMP.exec(text);
  if (!match) return text;
  const [, date, time, fraction = ''] = match;
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}+00:00`;
}

const asWritten: Parser = (text) => text;

/** Parses an array of values that need no quotes inside `{…}`, or are quoted (timestamps); NULL stays null. */
function arrayOf(parse: Parser): Parser {
  return (text) =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((item) => (item === 'NULL' ? null : parse(item.replaceAll('"', ''))));
}

const PARSERS = new Map<number, Parser>([
  [INT8, BigInt],
  [INT8_ARRAY, arrayOf(BigInt)],
  [TIMESTAMPTZ, timestampText],
  [TIMESTAMPTZ_ARRAY, arrayOf(timestampText)],
  [TIMESTAMP, asWritten],
  [DATE, asWritten],
]);

/**
 * How our connections return columns, and only ours: the types that `pg` shares stay untouched.
 *
 * | SQL | TypeScript |
 * |---|---|
 * | int8 (count(*) too) | bigint, exact |
 * | int2, int4 | number |
 * | numeric (the type of sum(int8)) | string of all digits |
 * | timestamptz | `2026-01-31T08:15:30.123+00:00` |
 * | timestamp, date | string as Postgres writes it |
 * | bytea | Buffer |
 * | json, jsonb | parsed |
 *
 * `JSON.stringify` rejects a bigint: convert it before responding.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const ours = format === 'binary' ? undefined : PARSERS.get(oid);
    return ours ?? (pg.types.getTypeParser(oid, format) as Parser);
  },
};
