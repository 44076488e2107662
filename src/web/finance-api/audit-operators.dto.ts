import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { OPERATOR_ROLES } from '../../ledger/events/operator.events.js';
import { IsId } from '../../platform/http/validation/validators.js';
import { ListQuery } from '../../ledger/list-query.dto.js';
import { pageOf, TimeField, UuidField } from '../../platform/http/answer-fields.js';

/** Query of GET /audit/operators. */
export class ListAuditOperatorsQuery extends ListQuery {
  @IsOptional() @IsId({ description: 'The next_after of the page before: the operator to go on behind.' }) readonly After?: string;
}

export class AuditOperatorKeyDto {
  @ApiProperty({ description: 'Stands as the actor of what the key does; the key itself is nowhere.', example: 'key_0123456789abcdef0123' })
  readonly key_id: string;

  @ApiProperty({
    enum: ['ACTIVE', 'EXPIRED', 'REVOKED'],
    description: 'Of the key by itself: while its person is suspended, an active one does not work either.',
    example: 'ACTIVE',
  })
  readonly status: string;

  @TimeField({ description: 'When it was issued.' }) readonly issued_on: string;
  @TimeField({ nullable: true, description: 'The key is refused from then on.' }) readonly expires_on: string | null;

  @TimeField({ nullable: true, description: 'When it was revoked, or ends to overlap the key in its place; else null.' })
  readonly revoked_on: string | null;
}

export class AuditOperatorDto {
  @UuidField() readonly id: string;
  @ApiProperty({ example: 'Siti Rahma' }) readonly name: string;

  @ApiProperty({
    enum: OPERATOR_ROLES.map((role) => role.toUpperCase()),
    isArray: true,
    description: 'What the person was given beyond reading, which every operator may.',
    example: ['PREPARER'],
  })
  readonly roles: readonly string[];

  @ApiProperty({ enum: ['ACTIVE', 'SUSPENDED'], description: 'Of a suspended person no key works.', example: 'ACTIVE' }) readonly status: string;
  @TimeField({ description: 'When the person was added.' }) readonly added_on: string;

  @ApiProperty({ type: [AuditOperatorKeyDto], description: 'Oldest first, those that have ended too.' })
  readonly keys: readonly AuditOperatorKeyDto[];
}

export class AuditOperatorPageDto extends pageOf(AuditOperatorDto) {}
