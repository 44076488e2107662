import { ApiProperty } from '@nestjs/swagger';
import type { BreakFigure } from '../events/period.events.js';
import { Int64Field, NullableText, TimeField } from '../../platform/http/answer-fields.js';

const HASH = '9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a';

export class ChainHeadDto {
  @Int64Field({ description: 'Log position of the last sealed event.', example: 4711 }) readonly position: number;
  @Int64Field({ description: 'Number of sealed events: the leaves of the tree.', example: 4711 }) readonly events: number;
  @ApiProperty({ description: 'Root of the tree, hex.', example: HASH }) readonly hash: string;

  @ApiProperty({ description: 'Ed25519, base64. "chargebook audit key" prints the public key.', example: `${'A'.repeat(86)}==` })
  readonly signature: string;

  @TimeField() readonly sealed_on: string;
}

export class BreakFigureDto implements BreakFigure {
  @ApiProperty({ description: 'Kind of break, as in GET /audit/recon/breaks.', example: 'LEDGER_ONLY' }) readonly kind: string;
  @NullableText({ description: 'null for a missing file.', example: 'IDR' }) readonly currency: string | null;
  @Int64Field({ example: 3 }) readonly count: number;
  @Int64Field({ description: 'Minor units: sum of the absolute amounts.', example: 1_500_000 }) readonly amount: number;
}
