import { Controller, Get, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn } from '../../platform/http/edge/access.js';
import { Problem } from '../../platform/problems.js';
import { ConsoleFilter } from './console.filter.js';

/** Without a session, an address that is none looks like every other. */
@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
export class NotFoundController {
  @Get('*')
  notFound(): never {
    throw new Problem('not-found', 'There is no such page in the console.');
  }
}
