import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CreateCustomerHandler, DeleteCustomerHandler, UpdateCustomerHandler } from './customer.handlers.js';
import { CustomersController } from './customers.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [CustomersController],
  providers: [CreateCustomerHandler, UpdateCustomerHandler, DeleteCustomerHandler],
})
export class CustomersModule {}
