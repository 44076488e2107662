import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { SCHEMA_VERSIONS, type LedgerEventType } from '../../ledger/catalogue.js';
import type { Mode } from '../../ledger/mode.js';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsId, IsName, IsText } from '../../platform/http/validation/validators.js';
import { IsMode, ListQuery, MERCHANT_FILTER } from '../../ledger/dto/list-query.dto.js';
import { ID, Int64Field, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/events. */
export class ListAuditEventsQuery extends ListQuery {
  @IsMode() readonly Mode?: Mode;
  @IsOptional() @IsText({ max: 200, description: 'Returns events of this stream only.', example: `charge-${ID}` }) readonly Stream?: string;

  @IsOptional()
  @IsName(Object.keys(SCHEMA_VERSIONS), { description: 'Returns events of this type only; case-insensitive.', example: 'ChargePaid' })
  readonly Type?: LedgerEventType;

  @IsOptional() @IsId(MERCHANT_FILTER) readonly MerchantId?: string;
  @IsQueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Returns events after this position.', example: 0 }) readonly After: number =
    0;
}

export class AuditEventDto {
  @Int64Field({ description: '1, 2, 3 … over all events, in the order of the log.', example: 4711 }) readonly position: number;
  @ApiProperty({ example: `charge-${ID}` }) readonly stream: string;
  @Int64Field({ description: '0, 1, 2 … within the stream.', example: 1 }) readonly revision: number;
  @UuidField() readonly id: string;
  @ApiProperty({ example: 'ChargePaid' }) readonly type: string;
  @TimeField() readonly occurred_on: string;
  @UuidField({ nullable: true, description: 'null for events that belong to no merchant.', example: ID }) readonly merchant_id: string | null;
  @ApiProperty({ description: 'Id of the key that acted, or System.', example: 'System' }) readonly actor: string;

  @ApiProperty({ description: 'Shared by all events that one request or one run caused.', example: '4bf92f3577b34da6a3ce929d0e0e4736' })
  readonly correlation_id: string;

  @ApiProperty({ description: 'Id of the event or request that caused this event.', example: ID }) readonly causation_id: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The recorded event. Hashes of keys and personal data are sealed.',
    example: { charge_id: ID, currency: 'IDR', amount: 10_000, fee_amount: 70, net_amount: 9_930 },
  })
  readonly data: object;
}

export class AuditEventPageDto {
  @ApiProperty({ type: [AuditEventDto] }) readonly items: readonly AuditEventDto[];
  @Int64Field({ nullable: true, description: 'After for the next page; null at the end.', example: null }) readonly next_after: number | null;
}
