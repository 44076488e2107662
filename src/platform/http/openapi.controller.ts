import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from './access.js';
import { Problem } from '../problems.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';
import { OpenApiDocument } from './openapi.js';

const require = createRequire(import.meta.url);

// Swagger UI writes style attributes; its scripts and everything else come from here.
const UI_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const UI_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chargebook: merchant payments</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const UI_START = `window.ui = SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui', deepLinking: true, persistAuthorization: false, validatorUrl: null });\n`;

const UI_FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/** The interface's description, for programs and for people; nothing is loaded from elsewhere. */
@ApiExcludeController()
@Public()
@Controller()
export class OpenApiController {
  private readonly assets = dirname(require.resolve('swagger-ui-dist/package.json'));

  constructor(
    private readonly document: OpenApiDocument,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  json(): string {
    return this.document.toJson(this.options.publicAddress.url);
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', UI_POLICY)
  page(): string {
    return UI_PAGE;
  }

  @Get('docs/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  start(): string {
    return UI_START;
  }

  @Get('docs/:file')
  file(@Param('file') file: string, @Res() reply: FastifyReply): void {
    const type = Object.hasOwn(UI_FILES, file) ? UI_FILES[file] : undefined;
    if (type === undefined) throw new Problem('not-found', 'There is nothing at this path.');
    void reply
      .header('content-type', type)
      .header('cache-control', 'public, max-age=86400')
      .send(createReadStream(join(this.assets, file)));
  }
}
