import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { mustExist } from '../../platform/http/record-id.js';
import { Caller, RequireScope, type MerchantCaller } from '../../platform/http/edge/access.js';
import { KnownMerchants } from './known-merchants.js';
import { ChannelDto, MerchantDto, toChannel, toMerchant } from './merchants.dto.js';
import { Operation } from '../../platform/http/openapi/openapi.js';

@ApiTags('Merchant')
@Controller('v1/merchants/me')
@RequireScope('merchant:read')
export class MerchantsController {
  constructor(private readonly merchants: KnownMerchants) {}

  @Get()
  @Operation('getMerchant', 'Read the calling merchant')
  @ApiOkResponse({ type: MerchantDto })
  readMerchant(@Caller() { merchant_id }: MerchantCaller): MerchantDto {
    return toMerchant(mustExist(this.merchants.merchant(merchant_id)), this.merchants.channels(merchant_id), {
      payout: (currency) => this.merchants.payoutFee(merchant_id, currency),
      dispute: (currency) => this.merchants.disputeFee(merchant_id, currency),
    });
  }

  @Get('channels')
  @Operation('listChannels', 'List payment channels', 'The payment channels that the calling merchant can use, with its own limits.')
  @ApiOkResponse({ type: [ChannelDto] })
  listChannels(@Caller() { merchant_id }: MerchantCaller): ChannelDto[] {
    // As of a moment before the merchant existed, it has none.
    const channels = this.merchants.merchant(merchant_id) ? this.merchants.channels(merchant_id) : [];
    return channels.filter(({ enabled }) => enabled).map(toChannel);
  }
}
