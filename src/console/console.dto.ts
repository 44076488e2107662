import { IsOptional } from 'class-validator';
import { SCHEMA_VERSIONS, type LedgerEventType } from '../ledger/catalogue.js';
import { IsCurrency, IsId, IsName, IsQueryInteger, IsText } from '../platform/http/validators.js';
import { Problem } from '../platform/problems.js';
import { parseTimestamp } from '../platform/http/timestamp.js';

/** Queries of the console's pages. A field that a form sends empty counts as absent. */

const DATE = { max: 10, pattern: /^\d{4}-\d\d-\d\d$/, patternDetail: 'Must be a date, such as 2026-01-31.' } as const;
const JOURNAL_CURSOR = {
  max: 24,
  pattern: /^\d{1,16}-\d{1,6}$/,
  patternDetail: 'Must be where a page of the journal goes on.',
} as const;

export class OverviewQuery {
  @IsOptional()
  @IsText(DATE)
  readonly AsOf?: string;
}

export class JournalQuery {
  @IsOptional()
  @IsId()
  readonly MerchantId?: string;

  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsOptional()
  @IsText(DATE)
  readonly DateFrom?: string;

  @IsOptional()
  @IsText(DATE)
  readonly DateTo?: string;

  @IsOptional()
  @IsId()
  readonly EventId?: string;

  @IsOptional()
  @IsName(['newest', 'oldest'])
  readonly Order?: 'newest' | 'oldest';

  @IsOptional()
  @IsText(JOURNAL_CURSOR)
  readonly After?: string;
}

export class MerchantsQuery {
  @IsOptional()
  @IsId()
  readonly After?: string;
}

export class MerchantQuery {
  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsQueryInteger({ min: 1, max: 3_650 })
  readonly Days: number = 30;
}

export class SettlementsQuery {
  @IsOptional()
  @IsId()
  readonly MerchantId?: string;

  @IsOptional()
  @IsCurrency()
  readonly Currency?: string;

  @IsOptional()
  @IsId()
  readonly After?: string;
}

export class EventsQuery {
  @IsOptional()
  @IsName(Object.keys(SCHEMA_VERSIONS))
  readonly Type?: LedgerEventType;

  @IsOptional()
  @IsId()
  readonly MerchantId?: string;

  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
  readonly After: number = 0;
}

export class SearchQuery {
  @IsOptional()
  @IsText({ max: 200 })
  readonly Text?: string;

  @IsOptional()
  @IsId()
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
