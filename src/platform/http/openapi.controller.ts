import { Controller, Get, Header, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from './access.js';
import { docsPage, docsScript, docsStart } from './docs-page.js';
import { Problem } from '../problems.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';
import { OpenApiDocuments } from './openapi.js';

// Scalar writes style elements and attributes; its script and everything else come from here.
const UI_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The interface's description, for programs and for people; nothing is loaded from elsewhere. */
@ApiExcludeController()
@Public()
@Controller()
export class OpenApiController {
  constructor(
    private readonly documents: OpenApiDocuments,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  main(): string {
    return this.document('openapi.json');
  }

  @Get('openapi/:file')
  @Header('content-type', JSON_TYPE)
  other(@Param('file') file: string): string {
    return this.document(`openapi/${file}`);
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', UI_POLICY)
  page(): string {
    return docsPage(this.options.interface?.documents ?? []);
  }

  @Get('docs/start.js')
  @Header('content-type', SCRIPT_TYPE)
  start(): string {
    return docsStart(this.options.interface?.documents ?? []);
  }

  @Get('docs/scalar.js')
  async script(@Res() reply: FastifyReply): Promise<void> {
    const script = await docsScript();
    void reply.header('content-type', SCRIPT_TYPE).header('cache-control', 'public, max-age=86400').send(script);
  }

  private document(file: string): string {
    const json = this.documents.json(file);
    if (json === undefined) throw new Problem('not-found', 'There is nothing at this path.');
    return json;
  }
}
