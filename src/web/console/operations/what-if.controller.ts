import { Controller, Get, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { noSuchRecord } from '../../../platform/http/record-id.js';
import { Reads } from '../../../platform/http/reads.js';
import { findAnswer } from '../../../point-in-time/what-if/priced-log.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { whatIfPage } from './what-if-page.js';

/** The answer of the scenario whose fees apply in a moment. There is none in the present, and in moments of the recorded fees. */
@ApiExcludeController()
@SignedIn()
@Controller('console/what-if')
@UseFilters(ConsoleFilter)
export class ConsoleWhatIfController {
  constructor(
    private readonly reads: Reads,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  async show(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    const scenario = this.pages.moment?.scenario;
    if (!scenario) throw noSuchRecord();
    const answer = await findAnswer(this.reads.poolOf(request));
    const mode = this.pages.modeOf(request);
    return this.pages.send(request, reply, { title: scenario.name, content: whatIfPage(this.pages, mode, answer) });
  }
}
