import { ApiProperty } from '@nestjs/swagger';
import type { BreakFigure } from './events/period.events.js';
import { AMOUNT, WHEN } from './list-query.dto.js';

const HASH = '9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a';

export class ChainHeadDto {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Of the last sealed event.', example: 4711 })
  readonly position: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Sealed events: the leaves of the tree.', example: 4711 })
  readonly events: number;

  @ApiProperty({ description: 'Root of the tree, hex.', example: HASH })
  readonly hash: string;

  @ApiProperty({ description: 'Ed25519, base64. "chargebook audit key" prints the public key.', example: `${'A'.repeat(86)}==` })
  readonly signature: string;

  @ApiProperty({ format: 'date-time', example: WHEN })
  readonly sealed_on: string;
}

export class BreakFigureDto implements BreakFigure {
  @ApiProperty({ description: 'As GET /audit/recon/breaks has them.', example: 'LEDGER_ONLY' })
  readonly kind: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'null of a file that is missing.', example: 'IDR' })
  readonly currency: string | null;

  @ApiProperty({ type: 'integer', example: 3 })
  readonly count: number;

  @ApiProperty({ ...AMOUNT, description: 'Minor units: what they come to, each without its sign.', example: 1_500_000 })
  readonly amount: number;
}
