import { Module } from '@nestjs/common';
import { SECRET } from '../ledger/injection-tokens.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { MERCHANT_TERMS } from '../ledger/merchant-terms.js';
import { PendingReasons } from '../payouts/pending-reasons.js';
import { AuditBooksController } from './audit-books.controller.js';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditOperatorsController } from './audit-operators.controller.js';
import { AuditRecordsController } from './audit-records.controller.js';
import { ChainController } from './chain.controller.js';
import { ChainKeys } from './chain-keys.js';

/** What finance reads, across merchants. Nothing here changes anything. */
@Module({
  controllers: [AuditEventsController, AuditBooksController, AuditRecordsController, AuditOperatorsController, ChainController],
  providers: [
    { provide: KnownMerchants, useExisting: MERCHANT_TERMS },
    PendingReasons,
    { provide: ChainKeys, useFactory: (secret: Buffer) => new ChainKeys(secret), inject: [SECRET] },
  ],
})
export class AuditModule {}
