import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { MODES, type Mode } from '../../ledger/mode.js';
import { IsId, IsTimestamp } from '../../platform/http/validation/validators.js';
import { ACCOUNTS } from '../../../projections/balances/journal.js';
import { IsMode } from '../../ledger/list-query.dto.js';
import { Int64Field, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/trial-balance. */
export class TrialBalanceQuery {
  @IsMode() readonly Mode?: Mode;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'The books as they stood then (inclusive), by the time of booking. Not in the future.' })
  readonly AsOf?: string;

  @IsOptional() @IsId({ description: 'This merchant’s part in every account.' }) readonly MerchantId?: string;
}

export class TrialBalanceAccountDto {
  @ApiProperty({ enum: ACCOUNTS, example: 'fees' }) readonly account: string;
  @UuidField({ nullable: true, description: 'null for the accounts of the house.', example: null }) readonly merchant_id: string | null;
  @Int64Field({ description: 'Everything that ever went out.', example: 0 }) readonly debit: bigint;
  @Int64Field({ description: 'Everything that ever came in.', example: 70 }) readonly credit: bigint;
  @Int64Field({ description: 'Credit less debit.', example: 70 }) readonly balance: bigint;
}

export class TrialBalanceCurrencyDto {
  @ApiProperty({ enum: MODES, description: 'Of the merchants. The house’s accounts are apart in each mode.', example: 'live' }) readonly mode: Mode;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ type: [TrialBalanceAccountDto] }) readonly accounts: readonly TrialBalanceAccountDto[];
  @Int64Field({ example: 10_000 }) readonly total_debit: bigint;
  @Int64Field({ example: 10_000 }) readonly total_credit: bigint;
  @Int64Field({ description: 'Always 0.', example: 0 }) readonly difference: bigint;
}

export class TrialBalanceDto {
  @ApiProperty({ type: [TrialBalanceCurrencyDto], description: 'Of every mode and currency that has an entry, live ones first.' })
  readonly currencies: readonly TrialBalanceCurrencyDto[];
}
