import { OPERATOR_ROLES, type OperatorRole } from '../../ledger/events/operator.events.js';
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '../../ledger/events/adjustment.events.js';
import { DIFFERENCE_ACCOUNTS, type DifferenceAccount } from '../../ledger/events/break.events.js';
import { MODES, type Mode } from '../../ledger/mode.js';
import { DeskPolicyContent } from '../operators/desk-policy.dto.js';
import type { DtoClass } from '../../platform/http/validation/validation.js';
import type { Fee } from '../../ledger/money.js';
import {
  IsCurrency,
  IsFlag,
  IsId,
  IsInteger,
  IsMinorUnits,
  IsName,
  IsNameList,
  IsNested,
  IsRate,
  IsText,
  IsWord,
} from '../../platform/http/validation/validators.js';
import { IsOptional } from 'class-validator';

/** What a proposal of each kind holds; that of POLICY is DeskPolicyContent. */

export class RolesContent {
  @IsId({ description: 'Of the person.' }) readonly person_id: string;

  @IsNameList(OPERATOR_ROLES, { description: 'All roles that the person has from then on; none: reading alone.', example: ['preparer', 'approver'] })
  readonly roles: readonly OperatorRole[];
}

const OF_MERCHANT = { description: 'Of the merchant.' } as const;
const CHANNEL = { max: 64, description: 'Of the payment channel, in any case.', example: 'QR_QRIS' } as const;
const CODE = { max: 100, example: 'xendit-live' } as const;

class FeeOf {
  @IsName(['charge', 'payout', 'dispute'], { description: 'A dispute costs when it is lost.', example: 'charge' })
  readonly kind: 'charge' | 'payout' | 'dispute';

  @IsOptional() @IsText({ ...CHANNEL, description: 'Of a charge: by which payment channel, in any case.' }) readonly channel_code?: string;
  @IsOptional() @IsCurrency({ description: 'Of a payout or dispute.' }) readonly currency?: string;
}

class FeeTerms {
  @IsName(['PERCENTAGE', 'FIXED'], { description: 'Of a dispute FIXED.', example: 'PERCENTAGE' }) readonly type: Fee['type'];
  @IsRate({ description: 'Percent of the amount (0.7 means 0.7 %), or minor units.', example: 0.7 }) readonly value: number;
}

/** What the merchant pays from then on; what exists keeps its fee. */
export class FeeContent {
  @IsId(OF_MERCHANT) readonly merchant_id: string;
  @IsNested(() => FeeOf, { description: 'What the fee is for.' }) readonly of: FeeOf;
  @IsNested(() => FeeTerms, { description: 'How much it is.' }) readonly fee: FeeTerms;
}

/** What is left out stays as it is when it takes effect. */
export class ChannelContent {
  @IsId(OF_MERCHANT) readonly merchant_id: string;
  @IsText(CHANNEL) readonly channel_code: string;
  @IsOptional() @IsFlag({ description: 'Whether the merchant has it.', example: true }) readonly enabled?: boolean;
  @IsOptional() @IsMinorUnits({ description: 'Least amount, minor units.' }) readonly min_amount?: number;
  @IsOptional() @IsMinorUnits({ description: 'Greatest amount, minor units.' }) readonly max_amount?: number;
  @IsOptional() @IsText({ max: 4, description: 'T+n, banking days.', example: 'T+2' }) readonly settlement_cycle?: string;
}

/** Where the merchant's charges or payouts go from then on. */
export class RailContent {
  @IsId(OF_MERCHANT) readonly merchant_id: string;
  @IsText({ ...CODE, description: 'A payment channel, or payout.<currency>.', example: 'payout.IDR' }) readonly use: string;
  @IsOptional() @IsText({ ...CODE, description: 'Null or absent: where merchants of its mode go.' }) readonly rail?: string | null;

  @IsOptional()
  @IsText({ max: 255, description: 'What the merchant is called at the provider.', example: 'KOPI KITA' })
  readonly merchant_name_id?: string | null;
}

/** Moves money as its kind says, or resolves an item in suspense. */
export class AdjustmentContentDto {
  @IsWord(ADJUSTMENT_KINDS, { description: 'Which accounts it moves money between; docs/money.md has the table.', example: 'UNMATCHED_TO_MERCHANT' })
  readonly kind: AdjustmentKind;

  @IsOptional() @IsId({ description: 'Of the merchant; of kinds that move available money.' }) readonly merchant_id?: string;
  @IsOptional() @IsName(MODES, { description: 'Of kinds that the house books itself.', example: 'live' }) readonly mode?: Mode;
  @IsCurrency() readonly currency: string;
  @IsMinorUnits({ description: 'Minor units; of an item all of it.' }) readonly amount: number;
  @IsOptional() @IsId({ description: 'Of the item in suspense, or (WRITE_OFF) at a processor.' }) readonly item_id?: string;
  @IsOptional() @IsFlag({ description: 'Of UNMATCHED_TO_MERCHANT: without the fee of the charge.', example: false }) readonly waive_fee?: boolean;
  @IsOptional() @IsName(['back'], { description: 'Of FEE_CORRECTION: from available to fees.', example: 'back' }) readonly direction?: 'back';

  @IsOptional()
  @IsText({ max: 128, description: 'Of OPENING: the source of statements that begins with it.', example: 'live-bca' })
  readonly source?: string;

  @IsOptional()
  @IsInteger({
    ...{ min: 1, max: Number.MAX_SAFE_INTEGER, example: 4711 },
    description: 'Of OPENING of a processor: what it owed for all events up to this position is what is opened with.',
  })
  readonly position?: number;

  @IsOptional()
  @IsText({
    max: 7,
    pattern: /^\d{4}-(0[1-9]|1[0-2])$/,
    description: 'The month that it belongs to, in UTC; absent: the one in which it is booked.',
    example: '2026-01',
  })
  readonly relates_to?: string;
}

/** The break does not count as open until that day has ended at its source. */
export class BreakAcceptContent {
  @IsId({ description: 'Of the break.' }) readonly break_id: string;

  @IsText({
    min: 10,
    max: 10,
    pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
    description: 'The last day, in the source’s time zone.',
    example: '2026-02-27',
  })
  readonly until: string;
}

/** The break ends with the source's next file or run: line and item, or batch, are matched, and what they differ by is booked. */
export class MatchDifferenceContent {
  @IsId({ description: 'Of the break: AMOUNT, PAYOUT_AMOUNT or REMITTANCE_SHORT.' }) readonly break_id: string;

  @IsName(DIFFERENCE_ACCOUNTS, { description: 'Whether we were charged it, or have lost it.', example: 'losses' })
  readonly account: DifferenceAccount;
}

/** Nobody opens any more whom the file names; amounts, references and proofs stay. */
export class ForgetFileContent {
  @IsId({ description: 'Of the file.' }) readonly statement_id: string;
}

/** Of a payout that is held. */
export class PayoutResolveContent {
  @IsId({ description: 'Of the payout.' }) readonly payout_id: string;
  @IsName(['paid', 'not-paid'], { description: 'Whether the money has left.', example: 'paid' }) readonly outcome: 'paid' | 'not-paid';

  @IsOptional()
  @IsFlag({ description: 'The evidence is the bank’s final statement of every day on which it may have been paid.', example: true })
  readonly final_statement?: boolean;
}

/** The projection passes over the event that it is stopped in front of, now and in every replay. */
export class SetAsideContent {
  @IsText({ max: 64, pattern: /^[a-z_]+$/, description: 'As "projections status" shows it.', example: 'ledger' }) readonly projection: string;
  @IsId({ description: 'Of the event.' }) readonly event_id: string;
}

/** Closes a month of a mode, in order. */
export class MonthCloseContent {
  @IsName(MODES, { description: 'Of which books.', example: 'live' }) readonly mode: Mode;
  @IsText({ max: 7, pattern: /^\d{4}-(0[1-9]|1[0-2])$/, description: 'In the time zone of the books.', example: '2026-01' }) readonly month: string;
}

/** A new build of the projection that differs from the live one in just this may take its place. */
export class AcceptDifferencesContent {
  @IsText({ max: 64, pattern: /^[a-z_]+$/, description: 'As "projections status" shows it.', example: 'ledger' }) readonly projection: string;

  @IsText({
    ...{ min: 64, max: 64, pattern: /^[0-9a-f]+$/, example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2' },
    description: 'Of the differences, as "projections rebuild" prints it.',
  })
  readonly digest: string;
}

export const PROPOSAL_CONTENTS: readonly DtoClass[] = [
  ...[DeskPolicyContent, RolesContent, FeeContent, ChannelContent, RailContent, AdjustmentContentDto],
  ...[
    BreakAcceptContent,
    MatchDifferenceContent,
    ForgetFileContent,
    PayoutResolveContent,
    SetAsideContent,
    MonthCloseContent,
    AcceptDifferencesContent,
  ],
];
