import {
  CaseInsensitiveEnum,
  CountryCode,
  CurrencyCode,
  Metadata,
  MinorUnits,
  Nested,
  QueryBoolean,
  Text,
  Timestamp,
  Uuid,
  WordList,
} from '../../src/platform/http/fields.js';
import { PageQuery } from '../../src/platform/http/pages.dto.js';

export class AddressBody {
  @Text({ max: 255, optional: true })
  line1?: string | null;

  @CountryCode({ optional: true })
  country?: string | null;
}

/** One field of each kind. */
export class OrderBody {
  @MinorUnits()
  amount: number;

  @CurrencyCode()
  currency: string;

  @CaseInsensitiveEnum(['qr_qris', 'wallet_ovo'])
  channel_code: string;

  @Text({ max: 255 })
  reference_id: string;

  @Text({ min: 0, max: 500, multiline: true, optional: true })
  description?: string | null;

  @Metadata()
  metadata?: Record<string, string> | null;

  @Nested(() => AddressBody, { optional: true })
  address?: AddressBody | null;

  @WordList(['order.created', 'order.paid'], { optional: true })
  events?: string[] | null;
}

export class OrdersQuery extends PageQuery {
  @CurrencyCode({ optional: true })
  Currency?: string;

  @Timestamp({ optional: true, round: 'up' })
  DateFrom?: string;

  @Uuid({ optional: true })
  Id?: string;

  @Text({ max: 200, optional: true })
  SearchText?: string;

  @CaseInsensitiveEnum(['created_on', 'amount'], { default: 'created_on' })
  OrderBy: string;

  @QueryBoolean({ default: false })
  IsDescending: boolean;
}
