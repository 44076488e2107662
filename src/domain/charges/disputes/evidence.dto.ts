import { ApiProperty } from '@nestjs/swagger';
import type { EvidenceCategory } from '../../../ledger/events/dispute.events.js';
import { IsText, IsWord } from '../../../platform/http/validation/validators.js';
import { EVIDENCE_MEDIA_TYPES } from './evidence-content.js';
import { Int64Field, NullableText, TimeField, UuidField } from '../../../platform/http/answer-fields.js';

const CATEGORIES = ['RECEIPT', 'SHIPPING', 'COMMUNICATION', 'REFUND', 'OTHER'] as const satisfies readonly EvidenceCategory[];

/** Query of POST /v1/disputes/{id}/evidence. */
export class AddEvidenceQuery {
  @IsText({
    max: 100,
    pattern: /^[^/]*$/,
    patternDetail: 'Must be a name without a path: no "/".',
    description: 'Name under which the file is shown and saved.',
    example: 'receipt.pdf',
  })
  readonly Name!: string;

  @IsWord(CATEGORIES, { description: 'Category of the evidence, case-insensitive.', example: 'receipt' }) readonly Category!: EvidenceCategory;
}

export class EvidenceDto {
  @UuidField() readonly id: string;

  @NullableText({ description: 'null if the name was erased, and for finance, which cannot see file names.', example: 'receipt.pdf' })
  readonly name: string | null;

  @ApiProperty({ enum: CATEGORIES, description: 'Category of the evidence.' }) readonly category: EvidenceCategory;
  @ApiProperty({ enum: EVIDENCE_MEDIA_TYPES, description: 'Media type as it was sent; the file is returned with it.' }) readonly media_type: string;
  @Int64Field({ description: 'Size in bytes.', example: 48213 }) readonly size: number;

  @ApiProperty({ description: 'SHA-256 of the bytes, hex.', example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })
  readonly sha256: string;

  @ApiProperty({ description: 'Id of the key that added it.', example: 'key_5f3b8c1d' }) readonly added_by: string;
  @TimeField({ description: 'When it was added.' }) readonly added_on: string;
  @ApiProperty({ description: 'Whether the bytes and the name were erased.' }) readonly erased: boolean;
}
