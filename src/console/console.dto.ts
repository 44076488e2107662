import { SCHEMA_VERSIONS, type LedgerEventType } from '../ledger/catalogue.js';
import { CurrencyCode, QueryInt, Text, Uuid, Word } from '../platform/http/fields.js';
import { Problem } from '../platform/problems.js';
import { parseTimestamp } from '../platform/http/timestamp.js';

/** Queries of the console's pages. A field that a form sends empty counts as absent. */

const DATE = { optional: true, max: 10, pattern: /^\d{4}-\d\d-\d\d$/, patternDetail: 'Must be a date, such as 2026-01-31.' } as const;
const JOURNAL_CURSOR = {
  optional: true,
  max: 24,
  pattern: /^\d{1,16}-\d{1,6}$/,
  patternDetail: 'Must be where a page of the journal goes on.',
} as const;

export class OverviewQuery {
  @Text(DATE)
  readonly AsOf?: string;
}

export class JournalQuery {
  @Uuid({ optional: true })
  readonly MerchantId?: string;

  @CurrencyCode({ optional: true })
  readonly Currency?: string;

  @Text(DATE)
  readonly DateFrom?: string;

  @Text(DATE)
  readonly DateTo?: string;

  @Uuid({ optional: true })
  readonly EventId?: string;

  @Word(['newest', 'oldest'], { optional: true })
  readonly Order?: 'newest' | 'oldest';

  @Text(JOURNAL_CURSOR)
  readonly After?: string;
}

export class MerchantsQuery {
  @Uuid({ optional: true })
  readonly After?: string;
}

export class MerchantQuery {
  @CurrencyCode({ optional: true })
  readonly Currency?: string;

  @QueryInt({ min: 1, max: 3_650, default: 30 })
  readonly Days: number;
}

export class SettlementsQuery {
  @Uuid({ optional: true })
  readonly MerchantId?: string;

  @CurrencyCode({ optional: true })
  readonly Currency?: string;

  @Uuid({ optional: true })
  readonly After?: string;
}

export class EventsQuery {
  @Word(Object.keys(SCHEMA_VERSIONS), { optional: true })
  readonly Type?: LedgerEventType;

  @Uuid({ optional: true })
  readonly MerchantId?: string;

  @QueryInt({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 })
  readonly After: number;
}

export class SearchQuery {
  @Text({ optional: true, max: 200 })
  readonly Text?: string;

  @Uuid({ optional: true })
  readonly MerchantId?: string;
}

/** The first and the last moment of a day in UTC. @throws Problem validation-failed when there is no such day */
export function startOfDay(parameter: string, date: string | undefined): string | undefined {
  return date === undefined ? undefined : momentOf(parameter, date, '00:00:00.000');
}

export function endOfDay(parameter: string, date: string | undefined): string | undefined {
  return date === undefined ? undefined : momentOf(parameter, date, '23:59:59.999');
}

function momentOf(parameter: string, date: string, clock: string): string {
  const moment = parseTimestamp(`${date}T${clock}Z`);
  if (moment !== undefined) return moment;
  throw new Problem('validation-failed', 'One query parameter is not valid.', {
    errors: [{ parameter, code: 'wrong-format', detail: 'There is no such day.' }],
  });
}
