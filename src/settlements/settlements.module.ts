import { Module } from '@nestjs/common';
import { SettlementsController } from './settlements.controller.js';

@Module({ controllers: [SettlementsController] })
export class SettlementsModule {}
