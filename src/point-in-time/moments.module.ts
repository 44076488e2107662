import { Module } from '@nestjs/common';
import { MomentOpener } from './moment-opener.js';
import { MomentsController } from './moments.controller.js';

/** Past moments of the service: their opening and closing. */
@Module({ controllers: [MomentsController], providers: [MomentOpener], exports: [MomentOpener] })
export class MomentsModule {}
