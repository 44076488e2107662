import { Controller, Get, Header, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../edge/access.js';
import { docsPage, docsScript, docsStart } from './docs-page.js';
import { HttpProblem } from '../../problem.js';
import { HTTP_OPTIONS, type HttpOptions } from '../http-options.js';
import { OpenApiDocuments } from './openapi.js';
import type { StaticText } from '../static-text.js';

// Scalar writes style elements and attributes; its script and everything else are served here.
const UI_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The interface's description, for programs and for people; no external content is loaded. */
@ApiExcludeController()
@Public()
@Controller()
export class OpenApiController {
  private readonly starting: StaticText;

  constructor(
    private readonly documents: OpenApiDocuments,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {
    this.starting = docsStart(options.interface?.documents ?? []);
  }

  @Get('openapi.json')
  main(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendDocument('openapi.json', request, reply);
  }

  @Get('openapi/:file')
  other(@Param('file') file: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendDocument(`openapi/${file}`, request, reply);
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', UI_POLICY)
  page(): string {
    return docsPage(this.options.interface?.documents ?? []);
  }

  @Get('docs/start.js')
  start(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.starting.send(request, reply);
  }

  @Get('docs/scalar.js')
  async script(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await (await docsScript()).send(request, reply);
  }

  private async sendDocument(file: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const json = this.documents.json(file);
    if (json === undefined) throw new HttpProblem('not-found', 'There is nothing at this path.');
    await json.send(request, reply);
  }
}
