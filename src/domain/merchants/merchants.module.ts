import { Module } from '@nestjs/common';
import { MERCHANT_TERMS } from '../../ledger/merchant-terms.js';
import { KnownMerchants } from './known-merchants.js';
import { MerchantsController } from './merchants.controller.js';

@Module({
  controllers: [MerchantsController],
  providers: [{ provide: KnownMerchants, useExisting: MERCHANT_TERMS }],
})
export class MerchantsModule {}
