import { OPERATOR_ROLES, type OperatorRole } from '../../ledger/events/operator.events.js';
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '../../ledger/events/adjustment.events.js';
import { DIFFERENCE_ACCOUNTS, type DifferenceAccount } from '../../ledger/events/break.events.js';
import { CHANNEL_COUNTRIES } from '../../ledger/channels.js';
import { HOLIDAYS_MAX, YEAR_MAX, YEAR_MIN, type HolidaysOfYear } from '../calendar/holidays.js';
import { MODES, type Mode } from '../../ledger/mode.js';
import type { Fee } from '../../ledger/money.js';
import { IsTextList } from '../../platform/http/validation/collection-validators.js';
import { IsInteger, IsMinorUnits, IsRate } from '../../platform/http/validation/number-validators.js';
import { IsCurrency, IsFlag, IsId, IsName, IsNameList, IsNested, IsText, IsWord } from '../../platform/http/validation/validators.js';
import { IsOptional } from 'class-validator';

/** Content of each kind of proposal. POLICY uses DeskPolicyContent. */

export class RolesContent {
  @IsId({ description: 'Id of the operator.' }) readonly person_id: string;

  @IsNameList(OPERATOR_ROLES, {
    description: 'All roles of the operator from now on. An empty list leaves read access only.',
    example: ['preparer', 'approver'],
  })
  readonly roles: readonly OperatorRole[];
}

const OF_MERCHANT = { description: 'Id of the merchant.' } as const;
const CHANNEL = { max: 64, description: 'Code of the payment channel, case-insensitive.', example: 'QR_QRIS' } as const;
const CODE = { max: 100, example: 'xendit-live' } as const;

class FeeOf {
  @IsName(['charge', 'payout', 'dispute'], { description: 'The fee of a dispute is charged when the dispute is lost.', example: 'charge' })
  readonly kind: 'charge' | 'payout' | 'dispute';

  @IsOptional()
  @IsText({ ...CHANNEL, description: 'Required for a charge: code of the payment channel, case-insensitive.' })
  readonly channel_code?: string;
  @IsOptional() @IsCurrency({ description: 'Required for a payout or a dispute.' }) readonly currency?: string;
}

class FeeTerms {
  @IsName(['PERCENTAGE', 'FIXED'], { description: 'FIXED for a dispute.', example: 'PERCENTAGE' }) readonly type: Fee['type'];
  @IsRate({ description: 'Percent of the amount (0.7 means 0.7 %), or minor units.', example: 0.7 }) readonly value: number;
}

/** The merchant's fee from then on; existing records keep theirs. */
export class FeeContent {
  @IsId(OF_MERCHANT) readonly merchant_id: string;
  @IsNested(() => FeeOf, { description: 'Subject of the fee.' }) readonly of: FeeOf;
  @IsNested(() => FeeTerms, { description: 'Amount of the fee.' }) readonly fee: FeeTerms;
}

/** Fields that are left out keep the value that they have when the proposal takes effect. */
export class ChannelContent {
  @IsId(OF_MERCHANT) readonly merchant_id: string;
  @IsText(CHANNEL) readonly channel_code: string;
  @IsOptional() @IsFlag({ description: 'Whether the merchant can use the channel.', example: true }) readonly enabled?: boolean;
  @IsOptional() @IsMinorUnits({ description: 'Minimum amount, minor units.' }) readonly min_amount?: number;
  @IsOptional() @IsMinorUnits({ description: 'Maximum amount, minor units.' }) readonly max_amount?: number;
  @IsOptional() @IsText({ max: 4, description: 'T+n, where n is a number of banking days.', example: 'T+2' }) readonly settlement_cycle?: string;
}

/** The rail of the merchant's charges or payouts from then on. */
export class RailContent {
  @IsId(OF_MERCHANT) readonly merchant_id: string;
  @IsText({ ...CODE, description: 'A payment channel, or payout.<currency>.', example: 'payout.IDR' }) readonly use: string;
  @IsOptional() @IsText({ ...CODE, description: 'Code of the rail. Null or absent: the route of the merchant’s mode applies.' }) readonly rail?:
    string | null;

  @IsOptional()
  @IsText({ max: 255, description: 'The merchant’s name at the provider.', example: 'KOPI KITA' })
  readonly merchant_name_id?: string | null;
}

/** All holidays of a country and year from then on; due dates that were decided before stay. */
export class CalendarContent implements HolidaysOfYear {
  @IsName(CHANNEL_COUNTRIES, { description: 'Country of payment channels.', example: 'ID' }) readonly country: string;
  @IsInteger({ min: YEAR_MIN, max: YEAR_MAX, description: 'Year of the holidays.', example: 2027 }) readonly year: number;

  @IsTextList({
    ...{ max: HOLIDAYS_MAX, pattern: /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/ },
    description: 'Days of that year without banking. Weekends need not be listed.',
    example: ['2027-01-01', '2027-08-17'],
  })
  readonly days: readonly string[];
}

/** Moves money according to its kind, or resolves an item in suspense. */
export class AdjustmentContentDto {
  @IsWord(ADJUSTMENT_KINDS, {
    description: 'Determines the accounts that the money moves between; docs/money.md lists them.',
    example: 'UNMATCHED_TO_MERCHANT',
  })
  readonly kind: AdjustmentKind;

  @IsOptional()
  @IsId({ description: 'Required for kinds that move a merchant’s available money; not allowed otherwise.' })
  readonly merchant_id?: string;
  @IsOptional()
  @IsName(MODES, { description: 'Required for kinds that move no merchant’s money; not allowed otherwise.', example: 'live' })
  readonly mode?: Mode;
  @IsCurrency() readonly currency: string;
  @IsMinorUnits({ description: 'Minor units. When an item is resolved, its full amount.' }) readonly amount: number;
  @IsOptional() @IsId({ description: 'Item in suspense; for WRITE_OFF, the open item at a processor.' }) readonly item_id?: string;
  @IsOptional()
  @IsFlag({ description: 'UNMATCHED_TO_MERCHANT only: true waives the fee of the charge.', example: false })
  readonly waive_fee?: boolean;
  @IsOptional()
  @IsName(['back'], { description: 'FEE_CORRECTION only: "back" moves the money from available to fees.', example: 'back' })
  readonly direction?: 'back';

  @IsOptional()
  @IsText({ max: 128, description: 'OPENING only: the source of statements that is opened.', example: 'live-bca' })
  readonly source?: string;

  @IsOptional()
  @IsInteger({
    ...{ min: 1, max: Number.MAX_SAFE_INTEGER, example: 4711 },
    description:
      'OPENING of a processor’s source only: log position. The opening amount is the sum that the processor owed for all events up to this position.',
  })
  readonly position?: number;

  @IsOptional()
  @IsText({
    max: 7,
    pattern: /^[0-9]{4}-(0[1-9]|1[0-2])$/,
    description: 'Month that the adjustment belongs to, in the time zone of the books. Default: the month of booking.',
    example: '2026-01',
  })
  readonly relates_to?: string;
}

/** The break does not count as open until that day has ended at its source. */
export class BreakAcceptContent {
  @IsId({ description: 'Id of the break.' }) readonly break_id: string;

  @IsText({
    min: 10,
    max: 10,
    pattern: /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/,
    description: 'Last day of the acceptance, in the source’s time zone.',
    example: '2026-02-27',
  })
  readonly until: string;
}

/** The source's next file or run ends the break: it matches the line with its item or batch, and the difference is booked. */
export class MatchDifferenceContent {
  @IsId({ description: 'Id of a break of kind AMOUNT, PAYOUT_AMOUNT or REMITTANCE_SHORT.' }) readonly break_id: string;

  @IsName(DIFFERENCE_ACCOUNTS, {
    description: 'Account that the difference is booked to: costs if it was charged to us, losses if it is lost.',
    example: 'losses',
  })
  readonly account: DifferenceAccount;
}

/** The names in the file can no longer be decrypted; amounts, references and proofs stay. */
export class ForgetFileContent {
  @IsId({ description: 'Id of the file.' }) readonly statement_id: string;
}

/** Sets the outcome of a held payout. */
export class PayoutResolveContent {
  @IsId({ description: 'Id of the payout.' }) readonly payout_id: string;
  @IsName(['paid', 'not-paid'], { description: 'Whether the money has left the account.', example: 'paid' }) readonly outcome: 'paid' | 'not-paid';

  @IsOptional()
  @IsFlag({ description: 'True if the evidence is the bank’s final statement of every day on which the payout may have been paid.', example: true })
  readonly final_statement?: boolean;
}

/** The projection skips the event that it is stopped at, now and in every replay. */
export class SetAsideContent {
  @IsText({ max: 64, pattern: /^[a-z_]+$/, description: 'Name of the projection, as "projections status" shows it.', example: 'ledger' })
  readonly projection: string;
  @IsId({ description: 'Id of the event.' }) readonly event_id: string;
}

/** Closes a month of a mode, in order. */
export class MonthCloseContent {
  @IsName(MODES, { description: 'Mode of the books that are closed.', example: 'live' }) readonly mode: Mode;
  @IsText({ max: 7, pattern: /^[0-9]{4}-(0[1-9]|1[0-2])$/, description: 'Month in the time zone of the books.', example: '2026-01' })
  readonly month: string;
}

/** A new build of the projection may replace the live one when it has exactly these differences. */
export class AcceptDifferencesContent {
  @IsText({ max: 64, pattern: /^[a-z_]+$/, description: 'Name of the projection, as "projections status" shows it.', example: 'ledger' })
  readonly projection: string;

  @IsText({
    ...{ min: 64, max: 64, pattern: /^[0-9a-f]+$/, example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2' },
    description: 'Digest of the differences, as "projections rebuild" prints it.',
  })
  readonly digest: string;
}
