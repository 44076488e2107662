import { Module } from '@nestjs/common';
import { SECRET } from '../core.js';
import { ChainController } from './chain.controller.js';
import { ChainKeys } from './chain-keys.js';

/** What finance reads, across merchants. Nothing here changes anything. */
@Module({
  controllers: [ChainController],
  providers: [{ provide: ChainKeys, useFactory: (secret: Buffer) => new ChainKeys(secret), inject: [SECRET] }],
})
export class AuditModule {}
