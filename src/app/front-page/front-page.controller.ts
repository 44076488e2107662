import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CONFIG } from '../../ledger/ports/injection-tokens.js';
import { Public } from '../../platform/http/edge/access.js';
import type { Config } from '../config.js';
import { frontPage } from './front-page.js';

@ApiExcludeController()
@Public()
@Controller()
export class FrontPageController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  show(@Res({ passthrough: true }) reply: FastifyReply): string {
    const { headers, body } = frontPage(this.config);
    void reply.headers(headers);
    return body;
  }
}
