import { IsOptional } from 'class-validator';
import { IsMinorUnits } from '../../src/platform/http/validation/number-validators.js';
import {
  IsCountry,
  IsCurrency,
  IsId,
  IsMetadata,
  IsNameList,
  IsNested,
  IsQueryBoolean,
  IsText,
  IsTimestamp,
  IsWord,
} from '../../src/platform/http/validation/validators.js';
import { PageQuery } from '../../src/platform/http/pages.dto.js';

export class AddressBody {
  @IsOptional()
  @IsText({ max: 255 })
  line1?: string | null;

  @IsOptional()
  @IsCountry()
  country?: string | null;
}

/** One field of each kind. */
export class OrderBody {
  @IsMinorUnits()
  amount: number;

  @IsCurrency()
  currency: string;

  @IsWord(['qr_qris', 'wallet_ovo'])
  channel_code: string;

  @IsText({ max: 255 })
  reference_id: string;

  @IsOptional()
  @IsText({ min: 0, max: 500, multiline: true })
  description?: string | null;

  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string> | null;

  @IsOptional()
  @IsNested(() => AddressBody)
  address?: AddressBody | null;

  @IsOptional()
  @IsNameList(['order.created', 'order.paid'])
  events?: string[] | null;
}

export class OrdersQuery extends PageQuery {
  @IsOptional()
  @IsCurrency()
  Currency?: string;

  @IsOptional()
  @IsTimestamp({ round: 'up' })
  DateFrom?: string;

  @IsOptional()
  @IsId()
  Id?: string;

  @IsOptional()
  @IsText({ max: 200 })
  SearchText?: string;

  @IsWord(['CREATED_ON', 'AMOUNT'])
  OrderBy: string = 'CREATED_ON';

  @IsQueryBoolean()
  IsDescending: boolean = false;
}
