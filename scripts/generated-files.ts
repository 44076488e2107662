import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { AppModule, type AppComponents } from '../src/app/app.module.js';
import { INTERFACE } from '../src/app/interface.js';
import { EdgeModule } from '../src/platform/http/edge.module.js';
import type { HttpOptions } from '../src/platform/http/http-options.js';
import { describeInterface } from '../src/platform/http/openapi/openapi.js';
import { configurationPage } from './configuration.js';
import { postmanCollection } from './postman.js';
import { readModelsPage } from './read-models.js';

const URL = 'http://127.0.0.1:3000';

/** Files of the repository that are generated from the OpenAPI documents, the configuration or the tables, by path. `npm run generate` writes them; a test checks that they are fresh. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const documents = await describedDocuments();
  const merchants = documents.get('openapi.json')!;
  // Notifications are signed with secrets that only processors and banks have.
  const people = [...documents].filter(([file]) => file !== 'openapi/processors.json').map(([, document]) => document);
  const types = await openapiTypescript(merchants as Parameters<typeof openapiTypescript>[0] & object, { alphabetize: false });
  return new Map([
    ['packages/client/src/schema.ts', `// Made by "npm run generate" from /openapi.json.\n${astToString(types)}`],
    ['docs/configuration.md', configurationPage()],
    ['docs/read-models.md', readModelsPage()],
    ['docs/chargebook.postman_collection.json', `${JSON.stringify(postmanCollection(people, URL), null, 2)}\n`],
  ]);
}

/** The OpenAPI documents by file. In preview, Nest knows controllers and makes none of them: no store is opened, and nothing is served. */
export async function describedDocuments(): Promise<ReadonlyMap<string, OpenAPIObject>> {
  const nothing = { rails: {} } as AppComponents;
  const module = EdgeModule.around(AppModule.of(nothing), {} as HttpOptions);
  const app = await NestFactory.create(module, new FastifyAdapter(), { preview: true, logger: false });
  return describeInterface(app, INTERFACE, URL);
}
