import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { OPERATOR_ROLES } from '../../ledger/events/operator.events.js';
import { IsId } from '../../platform/http/validation/validators.js';
import { ListQuery } from '../../ledger/dto/list-query.dto.js';
import { pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/operators. */
export class ListAuditOperatorsQuery extends ListQuery {
  @IsOptional() @IsId({ description: 'next_after of the previous page.' }) readonly After?: string;
}

export class AuditOperatorKeyDto {
  @ApiProperty({
    description: 'Appears as actor of the events that the key causes. The key itself is not stored.',
    example: 'key_0123456789abcdef0123',
  })
  readonly key_id: string;

  @ApiProperty({
    enum: ['ACTIVE', 'EXPIRED', 'REVOKED'],
    description: 'Status of the key alone. An active key of a suspended operator does not work either.',
    example: 'ACTIVE',
  })
  readonly status: string;

  @TimeField({ description: 'When it was issued.' }) readonly issued_on: string;
  @TimeField({ nullable: true, description: 'The key is refused from this moment on.' }) readonly expires_on: string | null;

  @TimeField({ nullable: true, description: 'When it was revoked, or when its overlap with the new key ends; null otherwise.' })
  readonly revoked_on: string | null;
}

export class AuditOperatorDto {
  @UuidField() readonly id: string;
  @ApiProperty({ example: 'Siti Rahma' }) readonly name: string;

  @ApiProperty({
    enum: OPERATOR_ROLES.map((role) => role.toUpperCase()),
    isArray: true,
    description: 'Roles beyond read access, which every operator has.',
    example: ['PREPARER'],
  })
  readonly roles: readonly string[];

  @ApiProperty({ enum: ['ACTIVE', 'SUSPENDED'], description: 'The keys of a suspended operator do not work.', example: 'ACTIVE' })
  readonly status: string;
  @TimeField({ description: 'When the operator was added.' }) readonly added_on: string;

  @ApiProperty({ type: [AuditOperatorKeyDto], description: 'Oldest first, including revoked and expired keys.' })
  readonly keys: readonly AuditOperatorKeyDto[];
}

export class AuditOperatorPageDto extends pageOf(AuditOperatorDto) {}
