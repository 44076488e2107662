import { IsOptional } from 'class-validator';
import { IsListOf, IsRecordOf } from '../../platform/http/validation/collection-validators.js';
import { IsInteger } from '../../platform/http/validation/number-validators.js';
import { IsCurrency, IsName } from '../../platform/http/validation/validators.js';
import { UUID } from '../../platform/text/uuid.js';
import { KeysInAnyCase } from '../../ledger/dto/any-case.js';
import type { ApprovalTier, ApprovalPolicy, MerchantApprovals } from '../../ledger/events/approval-policy.events.js';

/** Maximum tiers of one list. */
export const TIERS_MAX = 20;
/** Maximum merchants with separate tiers: the whole policy is one event. */
const MERCHANTS_MAX = 100;
/** 30 days. */
const EXPIRES_HOURS_MAX = 720;
export const EXPIRES_HOURS_DEFAULT = 72;

export class ApprovalTierDto implements ApprovalTier {
  @IsCurrency({ description: 'Amounts in other currencies are not compared.' }) readonly currency: string;

  @IsInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Minor units. Larger amounts need the approvals.', example: 1_000_000_000 })
  readonly above: number;

  @IsInteger({ min: 1, max: 2, description: 'Number of operators who must approve.', example: 1 }) readonly approvals: 1 | 2;
}

const tiers = (description: string) => ({
  max: TIERS_MAX,
  keyOf: ({ currency, above }: ApprovalTier): string => `${currency} ${above}`,
  description,
});

export class MerchantApprovalsDto implements MerchantApprovals {
  @IsOptional()
  @IsListOf(
    ApprovalTierDto,
    tiers(
      'Replaces the tiers of the mode. Absent: the tiers of the mode apply. Empty: no payout of the merchant needs approval because of its amount.',
    ),
  )
  readonly payouts?: readonly ApprovalTierDto[];

  @IsOptional() @IsListOf(ApprovalTierDto, tiers('Like payouts, for the daily sum.')) readonly payouts_day?: readonly ApprovalTierDto[];
}

/** The whole policy of a mode, as the content of a proposal of kind POLICY. */
export class ApprovalPolicyContent {
  @IsName(['live', 'test'], { description: 'Mode of the payouts and adjustments that the policy covers.', example: 'live' }) readonly mode:
    'live' | 'test';

  @IsListOf(
    ApprovalTierDto,
    tiers('Tiers by the amount of a payout. Of all tiers that the payout exceeds, here and in payouts_day, the one with the most approvals applies.'),
  )
  readonly payouts: readonly ApprovalTierDto[] = [];

  @IsListOf(ApprovalTierDto, tiers('Tiers by the sum that the merchant has requested in the currency on the same UTC day, this payout included.'))
  readonly payouts_day: readonly ApprovalTierDto[] = [];

  @KeysInAnyCase('lower')
  @IsRecordOf(MerchantApprovalsDto, {
    max: MERCHANTS_MAX,
    isName: (name) => UUID.test(name) && name === name.toLowerCase(),
    description: 'Merchants with separate tiers, by id.',
  })
  readonly merchants: Readonly<Record<string, MerchantApprovalsDto>> = {};

  @IsListOf(ApprovalTierDto, tiers('Tiers by the amount of an adjustment. An adjustment always needs at least one approval.'))
  readonly adjustments: readonly ApprovalTierDto[] = [];

  @IsInteger({
    min: 0,
    max: 1,
    description: 'Number of operators who must approve a change of settings; 0: the command line makes the change directly.',
    example: 1,
  })
  readonly settings: 0 | 1 = 0;

  @IsInteger({
    min: 1,
    max: EXPIRES_HOURS_MAX,
    description: 'Number of hours during which a request can be approved.',
    example: EXPIRES_HOURS_DEFAULT,
  })
  readonly expires_hours: number = EXPIRES_HOURS_DEFAULT;
}

/** Returns the policy to record: a plain object without absent lists. */
export function toApprovalPolicy(content: ApprovalPolicyContent): ApprovalPolicy {
  const { mode, payouts, payouts_day, merchants, adjustments, settings, expires_hours } = content;
  const own = Object.entries(merchants).map(([id, { payouts, payouts_day }]): [string, MerchantApprovals] => [
    id,
    { ...(payouts && { payouts: payouts.map(toTier) }), ...(payouts_day && { payouts_day: payouts_day.map(toTier) }) },
  ]);
  return {
    mode,
    payouts: payouts.map(toTier),
    payouts_day: payouts_day.map(toTier),
    merchants: Object.fromEntries(own),
    adjustments: adjustments.map(toTier),
    settings,
    expires_hours,
  };
}

const toTier = ({ currency, above, approvals }: ApprovalTierDto): ApprovalTier => ({ currency, above, approvals });
