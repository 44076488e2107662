import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { PERIOD_AGES, type PeriodAge, type SuspenseFigure } from '../../ledger/events/period.events.js';
import { MODES, type Mode } from '../../ledger/mode.js';
import { IsName, IsText } from '../../platform/http/validation/validators.js';
import { BreakFigureDto, ChainHeadDto } from '../../ledger/dto/sealed-figures.dto.js';
import { IsMode, ListQuery } from '../../ledger/dto/list-query.dto.js';
import { TrialBalanceCurrencyDto } from './trial-balance.dto.js';
import { Int64Field, pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

const DIGEST = '9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a';

/** Query of GET /audit/periods. */
export class ListPeriodsQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;

  @IsOptional()
  @IsText({ max: 12, pattern: /^(live|test)-[0-9]{4}-[0-9]{2}$/, description: 'next_after of the previous page.', example: 'live-2026-01' })
  readonly After?: string;
}

/** Query of GET /audit/periods/{month}. */
export class PeriodQuery {
  @IsName(MODES, { description: 'Mode of the books.', example: 'live' }) readonly Mode: Mode;
}

/** Query of GET /audit/periods/{month}/corrections. */
export class PeriodCorrectionsQuery extends ListQuery {
  @IsName(MODES, { description: 'Mode of the books.', example: 'live' }) readonly Mode: Mode;

  @IsOptional()
  @IsText({ max: 40, pattern: /^[0-9]{1,15}(-[0-9]{1,9})?$/, description: 'next_after of the previous page.', example: '4711-2' })
  readonly After?: string;
}

class SuspenseFigureDto implements SuspenseFigure {
  @ApiProperty({ enum: PERIOD_AGES, description: 'Banking days at the end of the month.', example: '2-7' }) readonly age: PeriodAge;
  @ApiProperty() readonly currency: string;
  @Int64Field({ example: 1 }) readonly count: number;
  @Int64Field({ description: 'Minor units.', example: 5_000_000 }) readonly amount: number;
}

export class PeriodDto {
  @ApiProperty({ enum: MODES, example: 'live' }) readonly mode: Mode;
  @ApiProperty({ description: 'The month, in time_zone.', example: '2026-01' }) readonly month: string;
  @ApiProperty({ description: 'Time zone of the month.', example: 'Asia/Jakarta' }) readonly time_zone: string;
  @TimeField({ description: 'First moment after the month.' }) readonly ends_on: string;
  @Int64Field({ description: 'Log position of the last event included.', example: 4711 }) readonly position: number;
  @ApiProperty({ type: ChainHeadDto, description: 'Signed tree head over all events up to the position.' }) readonly head: ChainHeadDto;

  @ApiProperty({ description: 'SHA-256 of the trial balance at its end up to the position, hex. docs/closing.md defines the form.', example: DIGEST })
  readonly digest: string;

  @ApiProperty({ type: [BreakFigureDto], description: 'Breaks that were open at the position.' }) readonly breaks: readonly BreakFigureDto[];

  @ApiProperty({ type: [SuspenseFigureDto], description: 'Items in suspense at its end, as known at the position.' })
  readonly suspense: readonly SuspenseFigureDto[];

  @UuidField({ description: 'Proposal that closed it.' }) readonly proposal_id: string;
  @TimeField({ description: 'When it was closed.' }) readonly closed_on: string;
}

export class PeriodPageDto extends pageOf(PeriodDto, { example: 'live-2026-01' }) {}

export class ClosedPeriodDto extends PeriodDto {
  @ApiProperty({ description: 'Digest of the trial balance as computed now.', example: DIGEST }) readonly digest_now: string;
  @ApiProperty({ description: 'Whether it equals the digest with which the month was closed.', example: true }) readonly digest_holds: boolean;

  @ApiProperty({ type: [TrialBalanceCurrencyDto], description: 'Trial balance at its end up to the position; it never changes.' })
  readonly as_closed: readonly TrialBalanceCurrencyDto[];

  @ApiProperty({ type: [TrialBalanceCurrencyDto], description: 'The same with later bookings for the month, which …/corrections lists.' })
  readonly as_corrected: readonly TrialBalanceCurrencyDto[];
}
