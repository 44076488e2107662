import { Module } from '@nestjs/common';
import { RemittanceController } from './remittance.controller.js';
import { RemittanceAdvices } from './remittance-advices.js';
import { RemittanceSignatures } from './remittance-signatures.js';
import { StatementReads } from './statement-reads.js';
import { StatementsController } from './statements.controller.js';

@Module({
  controllers: [StatementsController, RemittanceController],
  providers: [StatementReads, RemittanceSignatures, RemittanceAdvices],
  exports: [StatementReads, RemittanceAdvices],
})
export class StatementsModule {}
