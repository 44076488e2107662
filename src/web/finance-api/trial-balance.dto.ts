import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { MODES, type Mode } from '../../ledger/mode.js';
import { IsId, IsTimestamp } from '../../platform/http/validation/validators.js';
import { ACCOUNTS } from '../../../projections/balances/journal.js';
import { IsMode } from '../../ledger/dto/list-query.dto.js';
import { Int64Field, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/trial-balance. */
export class TrialBalanceQuery {
  @IsMode() readonly Mode?: Mode;

  @IsOptional()
  @IsTimestamp({ round: 'down', description: 'Returns the books as of this moment (inclusive), by the time of booking. Must not be in the future.' })
  readonly AsOf?: string;

  @IsOptional() @IsId({ description: 'Returns this merchant’s part of every account.' }) readonly MerchantId?: string;
}

export class TrialBalanceAccountDto {
  @ApiProperty({ enum: ACCOUNTS, example: 'fees' }) readonly account: string;
  @UuidField({ nullable: true, description: 'null for accounts of the platform.', example: null }) readonly merchant_id: string | null;
  @Int64Field({ description: 'Sum of all debits.', example: 0 }) readonly debit: bigint;
  @Int64Field({ description: 'Sum of all credits.', example: 70 }) readonly credit: bigint;
  @Int64Field({ description: 'Credit less debit.', example: 70 }) readonly balance: bigint;
}

export class TrialBalanceCurrencyDto {
  @ApiProperty({ enum: MODES, description: 'Mode of the merchants. Each mode has separate platform accounts.', example: 'live' }) readonly mode: Mode;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ type: [TrialBalanceAccountDto] }) readonly accounts: readonly TrialBalanceAccountDto[];
  @Int64Field({ example: 10_000 }) readonly total_debit: bigint;
  @Int64Field({ example: 10_000 }) readonly total_credit: bigint;
  @Int64Field({ description: 'Always 0.', example: 0 }) readonly difference: bigint;
}

export class TrialBalanceDto {
  @ApiProperty({ type: [TrialBalanceCurrencyDto], description: 'Every mode and currency with an entry, live first.' })
  readonly currencies: readonly TrialBalanceCurrencyDto[];
}
