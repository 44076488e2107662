import { Module } from '@nestjs/common';
import { RemittanceController } from './remittance.controller.js';
import { RemittanceSignatures } from './remittance-signatures.js';
import { StatementReads } from './statement-reads.js';
import { StatementsController } from './statements.controller.js';

@Module({ controllers: [StatementsController, RemittanceController], providers: [StatementReads, RemittanceSignatures], exports: [StatementReads] })
export class StatementsModule {}
