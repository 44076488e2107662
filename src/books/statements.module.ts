import { Module } from '@nestjs/common';
import { StatementReads } from './statement-reads.js';
import { StatementsController } from './statements.controller.js';

@Module({ controllers: [StatementsController], providers: [StatementReads], exports: [StatementReads] })
export class StatementsModule {}
