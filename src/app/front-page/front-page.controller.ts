import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CONFIG } from '../../ledger/ports/injection-tokens.js';
import { Public } from '../../platform/http/edge/access.js';
import type { Page } from '../../platform/html/document.js';
import type { Config } from '../config.js';
import { frontPage } from './front-page.js';
import { VERIFY_PAGE } from './verify-page.js';

@ApiExcludeController()
@Public()
@Controller()
export class FrontPageController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  show(@Res({ passthrough: true }) reply: FastifyReply): string {
    return send(reply, frontPage(this.config));
  }

  @Get('verify')
  verify(@Res({ passthrough: true }) reply: FastifyReply): string {
    return send(reply, VERIFY_PAGE);
  }
}

function send(reply: FastifyReply, { headers, body }: Page): string {
  void reply.headers(headers);
  return body;
}
