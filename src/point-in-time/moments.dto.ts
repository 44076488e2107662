import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ListQuery } from '../ledger/dto/list-query.dto.js';
import { MODES, type Mode } from '../ledger/mode.js';
import { Int64Field, NullableText, pageOf, TimeField } from '../platform/http/answer-fields.js';
import { IsInteger } from '../platform/http/validation/number-validators.js';
import { IsName, IsText, IsTimestamp } from '../platform/http/validation/validators.js';
import { MOMENT_STATES, type Moment, type MomentState } from './moments.js';

/** Beyond every log, and short enough for any client. */
const POSITION_MAX = 999_999_999_999_999;

/** Body of POST /audit/moments. */
export class OpenMomentBody {
  @IsOptional()
  @IsInteger({ min: 1, max: POSITION_MAX, description: 'Log position of the last event.', example: 48_211 })
  readonly position?: number;

  @IsOptional()
  @IsTimestamp({ description: 'Selects the event before the first one that occurred later.' })
  readonly time?: string;

  @IsOptional()
  @IsText({ min: 7, max: 7, pattern: /^[0-9]{4}-(0[1-9]|1[0-2])$/, description: 'Selects the event that closed the month.', example: '2026-01' })
  readonly month?: string;

  @IsOptional()
  @IsName(MODES, { description: 'Mode of the books of `month`. Default: live, or test if only those are closed.', example: 'live' })
  readonly mode?: Mode;
}

/** Query of GET /audit/moments. */
export class ListMomentsQuery extends ListQuery {
  @IsOptional()
  @IsText({ max: 56, pattern: /^[0-9]{1,15}(~[a-z0-9-]{1,40})?$/, description: 'next_after of the previous page.', example: '48211' })
  readonly After?: string;
}

export class MomentDto implements Moment {
  @Int64Field({ description: 'Log position of the last event.', example: 48_211 }) readonly position: number;
  @NullableText({
    description: 'Follows the position in addresses (48211~qris-at-0-6) when other fees apply than the recorded ones; null otherwise.',
    example: null,
  })
  readonly name: string | null;
  @NullableText({ description: 'Name of the scenario with these fees, from "chargebook what-if --open"; null otherwise.', example: null })
  readonly scenario: string | null;
  @TimeField({ description: 'When that event occurred.' }) readonly time: string;

  @ApiProperty({ enum: MOMENT_STATES, description: 'READY: the addresses below /at/{position} answer.', example: 'BUILDING' })
  readonly state: MomentState;

  @Int64Field({ description: 'Number of events that its read models contain.', example: 12_000 }) readonly events_done: number;
  @Int64Field({ description: 'Number of events that they will contain.', example: 48_211 }) readonly events_total: number;
  @Int64Field({ nullable: true, description: 'Size of its database in bytes; null until it is built.', example: null }) readonly size_bytes:
    number | null;
  @ApiProperty({ description: 'Id of the key, or user of the command line, that opened it.', example: 'cli:siti' }) readonly opened_by: string;
  @TimeField() readonly opened_on: string;
  @TimeField({ description: 'When it was used last.' }) readonly used_on: string;
  @TimeField({ description: 'When it is closed, unless it is used before.' }) readonly closes_on: string;
  @NullableText({ description: 'Why the state is FAILED; null otherwise.', example: null }) readonly reason: string | null;
}

export class MomentPageDto extends pageOf(MomentDto, { example: '48211' }) {}
