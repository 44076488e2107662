import { IsOptional } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../../platform/http/validation/number-validators.js';
import { IsId } from '../../platform/http/validation/validators.js';
import { ChainHeadDto } from '../../ledger/dto/sealed-figures.dto.js';
import { AuditEventDto } from './audit-events.dto.js';
import type { ChainedEvent } from '../../transparency-log/leaf.js';
import { ID, Int64Field, WHEN } from '../../platform/http/answer-fields.js';

const HASH = '9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a';

/** Query of GET /audit/chain/proof. */
export class ChainProofQuery {
  @IsId({ description: 'The event to prove. For an id that several streams use, the first of them.' }) readonly EventId: string;
}

/** Query of GET /audit/chain/consistency. */
export class ChainConsistencyQuery {
  @IsQueryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'Field events of the head that you kept.', example: 4711 })
  readonly First: number;

  @IsOptional()
  @IsQueryInteger({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Field events of a later head. Default: the newest. Must not be less than First.',
    example: 4800,
  })
  readonly Second?: number;
}

class ChainRootDto {
  @Int64Field({ description: 'Number of leaves of the tree.', example: 4711 }) readonly events: number;
  @ApiProperty({ description: 'Root of the tree, hex. It must equal the hash of the head that you kept.', example: HASH }) readonly hash: string;
}

export class ChainConsistencyDto {
  @ApiProperty({ type: ChainRootDto }) readonly first: ChainRootDto;
  @ApiProperty({ type: ChainRootDto }) readonly second: ChainRootDto;

  @ApiProperty({ type: [String], description: 'RFC 9162, section 2.1.4: hex. Empty between equal trees.', example: [HASH] })
  readonly consistency_path: readonly string[];

  @ApiProperty({ type: ChainHeadDto, description: 'The newest head.' }) readonly head: ChainHeadDto;
}

class StoredTextsDto {
  @ApiProperty({ example: `{"charge_id":"${ID}","currency":"IDR","amount":10000,"fee_amount":70,"net_amount":9930}` }) readonly data: string;
  @ApiProperty({ example: `{"merchant_id":"${ID}","actor":"System","schema_version":1,"occurred_on":"${WHEN}"}` }) readonly metadata: string;
}

class ChainedEventDto extends AuditEventDto {
  @ApiProperty({ type: StoredTextsDto, description: 'Content of the leaf: the stored texts, with a seal in place of data that is never shown.' })
  readonly stored: StoredTextsDto;
}

export class ChainProofDto {
  @ApiProperty({ type: ChainedEventDto }) readonly event: ChainedEvent;
  @Int64Field({ description: 'Index from 0.', example: 4710 }) readonly leaf_index: number;

  @ApiProperty({ type: [String], description: 'RFC 9162, section 2.1.3: hex, from the leaf upwards.', example: [HASH] })
  readonly audit_path: readonly string[];

  @ApiProperty({ type: ChainHeadDto }) readonly head: ChainHeadDto;
}
