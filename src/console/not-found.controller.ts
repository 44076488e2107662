import { Controller, Get, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../platform/http/access.js';
import { Problem } from '../platform/problems.js';
import { ConsoleFilter } from './console.filter.js';
import { SessionGuard } from './session-guard.js';

/** Without a session, an address that is none looks like every other. */
@ApiExcludeController()
@Public()
@Controller('console')
@UseFilters(ConsoleFilter)
@UseGuards(SessionGuard)
export class NotFoundController {
  @Get('*')
  notFound(): never {
    throw new Problem('not-found', 'There is no such page in the console.');
  }
}
