import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Body, Controller, Delete, Get, HttpCode, Module, Param, Post, Query, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Caller, Exchange, FinanceOnly, Public, RequireScope, type HttpExchange, type MerchantCaller } from '../../src/platform/http/edge/access.js';
import { hashKey, makeKey } from '../../src/platform/auth/api-key.js';
import { KEY_DIRECTORY, type KeyDirectory, type KeyRecord } from '../../src/platform/auth/key-directory.js';
import { OutcomeUnknown, StoreUnavailable } from '../../src/platform/event-store/event-store.js';
import { createHttpApp, listen } from '../../src/platform/http/http-app.js';
import type { HttpOptions } from '../../src/platform/http/http-options.js';
import { IdempotencyKey } from '../../src/platform/http/idempotency-key.js';
import { writePageHeaders } from '../../src/platform/http/pages.js';
import { RecordId } from '../../src/platform/http/record-id.js';
import { TakesForms } from '../../src/platform/http/edge/route-policy.js';
import { TakesFile, Uploaded, type UploadedFile } from '../../src/platform/http/uploads.js';
import { createLogger } from '../../src/platform/process/logging.js';
import { Problems } from '../../src/ledger/dto/api-problems.js';
import { LedgerProblem, PROBLEMS } from '../../src/ledger/problems.js';
import { OrderBody, OrdersQuery } from './edge-app.dto.js';

/** A service of one tiny resource, to try the edge on. */
@Controller('v1/orders')
class OrdersController {
  @Post()
  @HttpCode(200)
  @RequireScope('orders:write')
  @Problems('amount-out-of-range')
  create(@IdempotencyKey() key: string, @Body() body: OrderBody, @Caller() caller: MerchantCaller, @Exchange() { ids }: HttpExchange): object {
    return { key, caller, ids, ...body };
  }

  @Get()
  @RequireScope('orders:read')
  list(@Query() query: OrdersQuery, @Res({ passthrough: true }) reply: FastifyReply): object {
    writePageHeaders(reply, query, 35);
    return query;
  }

  @Get('sum')
  @RequireScope('orders:read')
  sum(): object {
    return { total_amount: 2n ** 53n + 1n, parts: [1n, null, 'x'], none: undefined };
  }

  @Get(':id')
  @RequireScope('orders:read')
  @Problems('not-found')
  read(@Param('id', RecordId) id: string): object {
    return { id };
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('orders:write')
  cancel(@Param('id', RecordId) id: string): object {
    return { id };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('orders:write')
  remove(): void {}
}

export const FILE_BYTES_MAX = 1_000_000;

@Controller('v1/files')
class FilesController {
  @Post()
  @HttpCode(200)
  @RequireScope('files:write')
  @TakesFile({ mediaTypes: ['image/png', 'text/plain'], maxBytes: FILE_BYTES_MAX })
  take(@Uploaded() { media_type, bytes }: UploadedFile): object {
    return { media_type, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
}

/** Handlers that fail. */
@RequireScope('faults:cause')
@Controller('v1/faults')
class FaultsController {
  @Post('bug')
  bug(): never {
    throw new TypeError('secret internals: select * from keys');
  }

  @Post('store')
  store(): never {
    throw new StoreUnavailable('connection refused 10.0.0.7:2113');
  }

  @Post('unknown')
  unknown(): never {
    throw new OutcomeUnknown('no answer');
  }

  @Post('postgres')
  postgres(): never {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.8:5432'), { code: 'ECONNREFUSED', syscall: 'connect' });
  }

  @Post('refusal')
  refusal(): never {
    throw new LedgerProblem('state-conflict', 'A paid order cannot be cancelled.');
  }

  @Post('silence')
  silence(): Promise<never> {
    return new Promise(() => {});
  }

  @Post('silent-read')
  @RequireScope('faults:read')
  silentRead(): Promise<never> {
    return new Promise(() => {});
  }

  /** Fails, or does not return, when it has set headers of its answer. */
  @Post('begun/:end')
  begun(@Param('end') end: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<never> {
    void reply.headers({ 'content-encoding': 'gzip', etag: 'W/"1"', 'cache-control': 'public, max-age=60', 'content-disposition': 'attachment' });
    if (end === 'bug') throw new TypeError('a bug');
    return new Promise(() => {});
  }

  @Post('slow')
  async slow(): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { done: true };
  }
}

@FinanceOnly()
@Controller('audit')
class AuditController {
  @Get('events')
  events(): object {
    return { items: [] };
  }
}

@Public()
@Controller('pay')
class PageController {
  @Get(':token')
  page(@Param('token') token: string): object {
    return { token };
  }

  @Post(':token')
  @TakesForms()
  @HttpCode(200)
  press(@Body() body: Record<string, string>): object {
    return body;
  }
}

/** Keys that a test sets; a real directory follows the log. */
class TestKeys implements KeyDirectory {
  private readonly records = new Map<string, KeyRecord>();
  fresh = true;

  /** A new key, known from now on. */
  issue(record: Partial<KeyRecord> = {}): string {
    const finance = record.kind === 'finance';
    const key = makeKey(finance ? 'fk_' : 'sk_test_');
    this.records.set(hashKey(key), {
      key_id: `key_${this.records.size}`,
      kind: 'merchant',
      merchant_id: finance ? null : '0198c0de-0000-4000-8000-000000000001',
      mode: 'test',
      scopes: ['*'],
      expires_on: null,
      revoked_on: null,
      is_revoked: false,
      ...record,
    });
    return key;
  }

  find(hash: string): KeyRecord | undefined {
    return this.records.get(hash);
  }

  isFresh(): boolean {
    return this.fresh;
  }

  confirm(): Promise<boolean> {
    return Promise.resolve(this.fresh);
  }
}

export interface EdgeApp {
  readonly app: NestFastifyApplication;
  readonly keys: TestKeys;
  readonly url: string;
  readonly port: number;
  /** Everything that was logged. */
  readonly log: string[];
}

export async function startEdge(options: Partial<HttpOptions> = {}): Promise<EdgeApp> {
  const keys = new TestKeys();
  const log: string[] = [];

  @Module({
    controllers: [OrdersController, FilesController, FaultsController, AuditController, PageController],
    providers: [{ provide: KEY_DIRECTORY, useValue: keys }],
  })
  class OrdersModule {}

  const publicAddress = { url: '' };
  const orders = {
    file: 'openapi.json',
    title: 'Orders',
    description: 'Of one tiny resource.',
    key: 'merchant-key' as const,
    under: '/',
    tags: { Orders: 'What is ordered.' },
  };
  const app = await createHttpApp(OrdersModule, {
    publicAddress,
    interface: { version: '1.0.0', documents: [orders], glossary: {}, problems: PROBLEMS },
    rateLimitPerSecond: 0,
    logger: createLogger('info', { write: (line) => void log.push(line) }),
    ...options,
  });
  const url = await listen(app, '127.0.0.1', 0, publicAddress);
  return { app, keys, url, port: (app.getHttpServer().address() as AddressInfo).port, log };
}
