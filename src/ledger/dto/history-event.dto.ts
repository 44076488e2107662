import { ApiProperty } from '@nestjs/swagger';
import { TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** An event in the history of a record, as its merchant sees it, without its data. */
export class HistoryEventDto {
  @UuidField() readonly id: string;
  @ApiProperty({ example: 'ChargePaid' }) readonly type: string;
  @TimeField() readonly occurred_on: string;
  @ApiProperty({ description: 'Id of the key that acted, System, or Operator for a decision of an operator of the service.', example: 'System' })
  readonly actor: string;
  @ApiProperty({ example: '4bf92f3577b34da6a3ce929d0e0e4736' }) readonly correlation_id: string;
  @ApiProperty({ example: '0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d' }) readonly causation_id: string;
}
