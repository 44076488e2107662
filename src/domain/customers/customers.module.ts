import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import { SERVICE_DEPS } from '../../ledger/ports/injection-tokens.js';
import { pick } from '../../platform/http/pick.js';
import { CustomerKeys } from './customer-keys.js';
import { CreateCustomerHandler, DeleteCustomerHandler, UpdateCustomerHandler } from './customer.handlers.js';
import { customerServices, type CustomerServices } from './customer-services.js';
import { CustomersController } from './customers.controller.js';

const SERVICES = Symbol('CustomerServices');

@Module({
  imports: [CqrsModule],
  controllers: [CustomersController],
  providers: [
    { provide: SERVICES, useFactory: customerServices, inject: [SERVICE_DEPS] },
    ...pick<CustomerServices>(SERVICES, { wrapping: KeyWrapping, keys: CustomerKeys }),
    ...[CreateCustomerHandler, UpdateCustomerHandler, DeleteCustomerHandler],
  ],
  exports: [KeyWrapping],
})
export class CustomersModule {}
