import { Controller, Get, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn } from '../../platform/http/edge/access.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { ConsoleFilter } from './shared/console.filter.js';

/** Returns 404 only within a session: without one, an unknown address redirects to the sign-in as every other does. */
@ApiExcludeController()
@SignedIn()
@Controller('console')
@UseFilters(ConsoleFilter)
export class NotFoundController {
  @Get('*')
  notFound(): never {
    throw new LedgerProblem('not-found', 'There is no such page in the console.');
  }
}
