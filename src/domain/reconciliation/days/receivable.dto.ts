import { ApiProperty } from '@nestjs/swagger';
import { AGES, type BreakAge } from '../../../../projections/reconciliation/matches/ages.js';
import { type Amount } from '../../../ledger/dto/list-query.dto.js';
import { MODES, type Mode } from '../../../ledger/mode.js';
import { ReconAsOfQuery } from '../statements.dto.js';
import { Int64Field, pageOf } from '../../../platform/http/answer-fields.js';

/** Query of GET /audit/recon/receivable. */
export class ReceivableQuery extends ReconAsOfQuery {}

export class ReceivableDto {
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @ApiProperty({ example: 'SIMULATOR' }) readonly processor: string;
  @ApiProperty() readonly currency: string;
  @ApiProperty({ enum: AGES, description: 'Banking days since the event.', example: '0-1' }) readonly age: BreakAge;

  @ApiProperty({ description: 'Whether it is older than due_days of the processor’s source; false if the processor has no source.', example: false })
  readonly overdue: boolean;

  @Int64Field({ description: 'Number of payments, reversals, refunds and disputes.', example: 120 }) readonly items: number;
  @Int64Field({ description: 'Minor units; negative for an amount that we owe the processor.', example: 12_000_000 }) readonly amount: Amount;
}

export class ReceivablePageDto extends pageOf(ReceivableDto, { description: 'Always null: the list has one page.', example: null }) {}
