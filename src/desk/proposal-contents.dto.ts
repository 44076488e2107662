import { OPERATOR_ROLES, type OperatorRole } from '../ledger/events/operator.events.js';
import { DeskPolicyContent } from '../merchants/desk-policy.dto.js';
import type { DtoClass } from '../platform/http/validation.js';
import type { Fee } from '../ledger/money.js';
import { IsCurrency, IsFlag, IsId, IsMinorUnits, IsName, IsNameList, IsNested, IsRate, IsText } from '../platform/http/validators.js';
import { IsOptional } from 'class-validator';

/** What a proposal of each kind holds; that of POLICY is DeskPolicyContent. */

export class RolesContent {
  @IsId({ description: 'Of the person.' })
  readonly person_id: string;

  @IsNameList(OPERATOR_ROLES, { description: 'All roles that the person has from then on; none: reading alone.', example: ['preparer', 'approver'] })
  readonly roles: readonly OperatorRole[];
}

const OF_MERCHANT = { description: 'Of the merchant.' } as const;
const CHANNEL = { max: 64, description: 'Of the payment channel, in any case.', example: 'QR_QRIS' } as const;
const CODE = { max: 100, example: 'xendit-live' } as const;

class FeeOf {
  @IsName(['charge', 'payout', 'dispute'], { description: 'A dispute costs when it is lost.', example: 'charge' })
  readonly kind: 'charge' | 'payout' | 'dispute';

  @IsOptional()
  @IsText({ ...CHANNEL, description: 'Of a charge: by which payment channel, in any case.' })
  readonly channel_code?: string;

  @IsOptional()
  @IsCurrency({ description: 'Of a payout or dispute.' })
  readonly currency?: string;
}

class FeeTerms {
  @IsName(['PERCENTAGE', 'FIXED'], { description: 'Of a dispute FIXED.', example: 'PERCENTAGE' })
  readonly type: Fee['type'];

  @IsRate({ description: 'Percent of the amount (0.7 means 0.7 %), or minor units.', example: 0.7 })
  readonly value: number;
}

/** What the merchant pays from then on; what exists keeps its fee. */
export class FeeContent {
  @IsId(OF_MERCHANT)
  readonly merchant_id: string;

  @IsNested(() => FeeOf, { description: 'What the fee is for.' })
  readonly of: FeeOf;

  @IsNested(() => FeeTerms, { description: 'How much it is.' })
  readonly fee: FeeTerms;
}

/** What is left out stays as it is when it takes effect. */
export class ChannelContent {
  @IsId(OF_MERCHANT)
  readonly merchant_id: string;

  @IsText(CHANNEL)
  readonly channel_code: string;

  @IsOptional()
  @IsFlag({ description: 'Whether the merchant has it.', example: true })
  readonly enabled?: boolean;

  @IsOptional()
  @IsMinorUnits({ description: 'Least amount, minor units.' })
  readonly min_amount?: number;

  @IsOptional()
  @IsMinorUnits({ description: 'Greatest amount, minor units.' })
  readonly max_amount?: number;

  @IsOptional()
  @IsText({ max: 4, description: 'T+n, banking days.', example: 'T+2' })
  readonly settlement_cycle?: string;
}

/** Where the merchant's charges or payouts go from then on. */
export class RailContent {
  @IsId(OF_MERCHANT)
  readonly merchant_id: string;

  @IsText({ ...CODE, description: 'A payment channel, or payout.<currency>.', example: 'payout.IDR' })
  readonly use: string;

  @IsOptional()
  @IsText({ ...CODE, description: 'Null or absent: where merchants of its mode go.' })
  readonly rail?: string | null;

  @IsOptional()
  @IsText({ max: 255, description: 'What the merchant is called at the provider.', example: 'KOPI KITA' })
  readonly merchant_name_id?: string | null;
}

export const PROPOSAL_CONTENTS: readonly DtoClass[] = [DeskPolicyContent, RolesContent, FeeContent, ChannelContent, RailContent];
