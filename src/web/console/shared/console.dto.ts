import { IsOptional } from 'class-validator';
import { SCHEMA_VERSIONS, type LedgerEventType } from '../../../ledger/catalogue.js';
import type { ChargeStatus } from '../../../ledger/events/charge.events.js';
import { PAYOUT_STATUSES, type PayoutStatus } from '../../../domain/payouts/payouts.dto.js';
import { PENDING_REASONS, type PendingReason } from '../../../domain/payouts/pending-reason.js';
import { BUCKETS, type Bucket } from '../../../../projections/balances/explanation.js';
import { ACCOUNTS } from '../../../../projections/balances/journal.js';
import { PROPOSAL_FILTERS, type ProposalFilter } from '../../../../projections/approvals/proposals.js';
import { DISPUTE_STATUSES, type DisputeStatus } from '../../../../projections/disputes/disputes.js';
import { REFUND_STATUSES, type RefundStatus } from '../../../../projections/refunds/refunds.js';
import type { Delivery } from '../../../domain/webhooks/delivery-log.js';
import { CHANNELS } from '../../../ledger/channels.js';
import { IsDay } from '../../../ledger/dto/list-query.dto.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import type { Account } from '../../../ledger/postings.js';
import { SECTIONS, type Section } from './layout.js';
import { IsQueryInteger } from '../../../platform/http/validation/number-validators.js';
import { IsCurrency, IsId, IsName, IsText, IsWord } from '../../../platform/http/validation/validators.js';
import { MONTH } from '../../../domain/balances/statement-period.js';
import { invalid } from '../../../platform/http/validation/validation.js';
import { parseTimestamp } from '../../../platform/http/validation/timestamp.js';

/** Queries of the console's pages. An empty field of a form counts as absent. */

export const DATE = { max: 10, pattern: /^\d{4}-\d\d-\d\d$/, patternDetail: 'Must be a date, such as 2026-01-31.' } as const;
const JOURNAL_CURSOR = {
  max: 24,
  pattern: /^\d{1,16}-\d{1,6}$/,
  patternDetail: 'Must be the position of a page of the journal.',
} as const;

/** Query of GET login. A `Next` that is no page of the desk counts as absent. */
export class SignInQuery {
  @IsOptional() @IsText({ max: 200 }) readonly Next?: string;
}

export class ApprovalsQuery {
  /** Page on which the operator has just acted. */
  @IsOptional() @IsText({ max: 200 }) readonly Done?: string;
}

export class MonthQuery {
  /** Cursor of the page of corrections. */
  @IsOptional() @IsText(JOURNAL_CURSOR) readonly After?: string;
}

export class HomeQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
}

/** Files with the figures of charts. */
export class DaysFileQuery extends HomeQuery {
  @IsOptional() @IsDay('First day.') readonly From?: string;
  @IsOptional() @IsDay('Last day.') readonly To?: string;
}

export class ChargeDaysFileQuery extends DaysFileQuery {
  @IsOptional() @IsId() readonly MerchantId?: string;
}

export class TrialBalancePageQuery {
  @IsOptional() @IsText(DATE) readonly AsOf?: string;
}

export class JournalQuery {
  @IsOptional() @IsId() readonly MerchantId?: string;
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsName(ACCOUNTS) readonly Account?: Account;
  @IsOptional() @IsText(DATE) readonly DateFrom?: string;
  @IsOptional() @IsText(DATE) readonly DateTo?: string;
  @IsOptional() @IsId() readonly EventId?: string;
  @IsOptional() @IsName(['newest', 'oldest']) readonly Order?: 'newest' | 'oldest';
  @IsOptional() @IsText(JOURNAL_CURSOR) readonly After?: string;
}

/** Body of the form that switches the mode. */
export class SwitchBody {
  @IsName(MODES) readonly Mode: Mode;
  @IsName(Object.keys(SECTIONS)) readonly Section: Section;
  /** Position of the past moment that the page shows. */
  @IsOptional() @IsText({ max: 40 }) readonly At?: string;
}

export class MerchantsQuery {
  @IsOptional() @IsId() readonly After?: string;
}

export class MerchantQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsQueryInteger({ min: 1, max: 3_650 }) readonly Days: number = 30;
}

export class ExplainQuery {
  @IsOptional() @IsWord(BUCKETS) readonly Bucket?: Bucket;
  @IsOptional() @IsText({ max: 50 }) readonly After?: string;
}

/** Query of a list of records. The list of a merchant has numbered pages; the list across merchants continues before an event. */
export class RecordsQuery {
  @IsOptional() @IsId() readonly MerchantId?: string;
  @IsQueryInteger({ min: 1, max: 10_000_000 }) readonly PageNumber: number = 1;

  /** Returns records before the event with this position. */
  @IsOptional() @IsQueryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER }) readonly Before?: number;
}

export const CHARGE_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const satisfies readonly ChargeStatus[];
export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const satisfies readonly Delivery['status'][];
export const SETTLEMENT_STATES = ['OPEN', 'CLOSED', 'SETTLED'] as const;

/** Query of records with a day and a currency. */
class MoneyRecordsQuery extends RecordsQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsText(DATE) readonly DateFrom?: string;
  @IsOptional() @IsText(DATE) readonly DateTo?: string;
}

export class ChargesQuery extends MoneyRecordsQuery {
  @IsOptional() @IsId() readonly Id?: string;
  @IsOptional() @IsWord(CHANNELS.map(({ code }) => code)) readonly ChannelCode?: string;
  @IsOptional() @IsWord(CHARGE_STATUSES) readonly Status?: ChargeStatus;
  @IsOptional() @IsText({ max: 200 }) readonly SearchText?: string;

  /** Order of one merchant's charges. */
  @IsWord(['CREATED_ON', 'AMOUNT', 'STATUS']) readonly OrderBy: 'CREATED_ON' | 'AMOUNT' | 'STATUS' = 'CREATED_ON';
}

export class PayoutsQuery extends MoneyRecordsQuery {
  @IsOptional() @IsWord(PAYOUT_STATUSES) readonly Status?: PayoutStatus;

  /** Selects payouts that have not ended for this reason. */
  @IsOptional() @IsName(PENDING_REASONS) readonly PendingReason?: PendingReason;
}

export class RefundsQuery extends MoneyRecordsQuery {
  @IsOptional() @IsId() readonly ChargeId?: string;
  @IsOptional() @IsWord(REFUND_STATUSES) readonly Status?: RefundStatus;
}

export class DisputesQuery extends MoneyRecordsQuery {
  @IsOptional() @IsId() readonly ChargeId?: string;
  @IsOptional() @IsWord(DISPUTE_STATUSES) readonly Status?: DisputeStatus;

  /** Selects disputes that can still be answered and are due by the end of that day. */
  @IsOptional() @IsText(DATE) readonly DueBefore?: string;
}

export class SettlementsQuery extends RecordsQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;
  @IsOptional() @IsWord(SETTLEMENT_STATES) readonly State?: (typeof SETTLEMENT_STATES)[number];
}

export class AllEventsQuery extends RecordsQuery {
  @IsOptional() @IsName(Object.keys(SCHEMA_VERSIONS)) readonly Type?: LedgerEventType;
  @IsOptional() @IsText({ max: 255 }) readonly Stream?: string;
}

export class PaymentsQuery extends RecordsQuery {
  @IsOptional() @IsName(['late', 'unmatched']) readonly Kind?: 'late' | 'unmatched';
}

export class SuspenseItemsQuery {
  @IsOptional() @IsId() readonly MerchantId?: string;
  @IsOptional() @IsCurrency() readonly Currency?: string;

  /** `ALL` includes resolved items. */
  @IsWord(['OPEN', 'ALL']) readonly Status: 'OPEN' | 'ALL' = 'OPEN';
  @IsOptional() @IsName(PROPOSAL_FILTERS) readonly Proposal?: ProposalFilter;
  @IsName(['newest', 'oldest']) readonly Order: 'newest' | 'oldest' = 'oldest';
  @IsOptional() @IsId() readonly After?: string;
}

export class DeliveriesQuery {
  @IsOptional() @IsId() readonly MerchantId?: string;
  @IsOptional() @IsWord(DELIVERY_STATUSES) readonly Status?: Delivery['status'];
  @IsOptional() @IsId() readonly After?: string;
}

export class EndpointsQuery {
  @IsOptional() @IsWord(['FAILING']) readonly State?: 'FAILING';
}

export class StatementQuery {
  @IsOptional() @IsCurrency() readonly Currency?: string;

  /** Month in the merchant's time zone. */
  @IsOptional() @IsText({ max: 7, pattern: MONTH, patternDetail: 'Must be a month, such as 2026-01.' }) readonly Month?: string;
}

export class EventsQuery {
  @IsOptional() @IsName(Object.keys(SCHEMA_VERSIONS)) readonly Type?: LedgerEventType;
  @IsOptional() @IsId() readonly MerchantId?: string;
  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }) readonly After: number = 0;
}

export class ProposeQuery {
  /** Id of the record that the proposal is about. */
  @IsOptional() @IsText({ max: 64 }) readonly Of?: string;
}

export class SearchQuery {
  @IsOptional() @IsText({ max: 200 }) readonly Text?: string;
  @IsOptional() @IsId() readonly MerchantId?: string;

  /** A search inside of texts continues with this merchant. */
  @IsOptional() @IsId() readonly From?: string;
}

/** Path and query of a page, below the console. A path does not leave it, also as browsers read it; a query may have any text, percent-encoded. */
const PAGE = {
  min: 0,
  max: 4_000,
  pattern: /^(?!\/)(?!(?:[^?#\\]*\/)?(?:\.|%2e){1,2}(?:[/?#]|$))(?![^?#]*\\)[\x21-\x7e]*$/i,
  patternDetail: 'Must be the path of a page of the console.',
} as const;

export class MomentQuery {
  /** The page that is shown as of the moment. */
  @IsOptional() @IsText(PAGE) readonly Page?: string;
}

/** Body of the form that opens a moment: at a day and time of the books, by its event, or as a month was closed. */
export class MomentForm extends MomentQuery {
  @IsOptional() @IsText(DATE) readonly Day?: string;

  @IsOptional()
  @IsText({ min: 0, max: 8, pattern: /^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/, patternDetail: 'Must be a time, such as 17:00.' })
  readonly Time?: string;

  @IsOptional() @IsText({ max: 15 }) readonly Position?: string;
  @IsOptional() @IsText({ max: 7, pattern: MONTH, patternDetail: 'Must be a month, such as 2026-01.' }) readonly Month?: string;
  @IsOptional() @IsName(MODES) readonly Mode?: Mode;
}

/** Returns the first moment of a day in UTC. @throws Problem validation-failed for a day that does not exist */
export function startOfDay(parameter: string, date: string | undefined): string | undefined {
  return date === undefined ? undefined : momentOf(parameter, date, '00:00:00.000');
}

export function endOfDay(parameter: string, date: string | undefined): string | undefined {
  return date === undefined ? undefined : momentOf(parameter, date, '23:59:59.999');
}

function momentOf(parameter: string, date: string, clock: string): string {
  const moment = parseTimestamp(`${date}T${clock}Z`);
  if (moment !== undefined) return moment;
  throw invalid('query', [{ at: parameter, code: 'wrong-format', detail: 'There is no such day.' }]);
}
