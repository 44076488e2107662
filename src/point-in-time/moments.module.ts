import { Module } from '@nestjs/common';
import { MomentsController } from './moments.controller.js';

/** Past moments of the service: their opening and closing. */
@Module({ controllers: [MomentsController] })
export class MomentsModule {}
