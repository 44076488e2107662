import { Body, Controller, Delete, Get, HttpCode, Inject, Injectable, Param, Post, Put, Query, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiHeader, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { customers, findCustomer, findCustomers } from '../../../projections/customers/customers.js';
import { headOf } from '../../ledger/published/shown-event.js';
import { READ_POOL } from '../../ledger/ports/injection-tokens.js';
import { readEvent } from '../../ledger/catalogue.js';
import { KeyWrapping } from '../../ledger/crypto/key-wrapping.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../platform/http/edge/access.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { rangeOf } from '../../platform/event-store/pages-of.js';
import { ETAG, entityTag, ifMatch, IfNoneMatch, isNewVersion } from '../../platform/http/entity-tag.js';
import { IdempotencyKey, setRecordHeaders } from '../../platform/http/idempotency-key.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { toPage, writePageHeaders } from '../../platform/http/pages.js';
import { mustExist, noSuchRecord, RecordId } from '../../platform/http/record-id.js';
import { Reads } from '../../platform/http/reads.js';
import { LedgerReads, ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { customerStream, type CustomerEvent } from '../../ledger/events/customer.events.js';
import { CreateCustomer, DeleteCustomer, UpdateCustomer } from './customer.handlers.js';
import { CustomerKeys } from './customer-keys.js';
import {
  CreateCustomerBody,
  CustomerDto,
  CustomerEventDto,
  DeleteCustomerQuery,
  ListCustomersQuery,
  toChange,
  toDetails,
  toEventData,
  UpdateCustomerBody,
} from './customers.dto.js';
import { toCustomer } from './customer-answer.js';
import { decryptEvent } from './encrypted-customer.js';

@Injectable()
class CustomerReads extends LedgerReads {
  protected override readonly projection = customers.name;
}

const IfMatch = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'Only if the customer is one of these versions: ETags, or `*`.',
    schema: { type: 'string' },
    example: '"3"',
  });

@ApiTags('Customers')
@Controller('v1/customers')
export class CustomersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly reads: Reads,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CustomerKeys) private readonly keys: CustomerKeys,
    @Inject(KeyWrapping) private readonly wrapping: KeyWrapping,
  ) {}

  @Post()
  @HttpCode(201)
  @RequireScope('customers:write')
  @Operation(
    'createCustomer',
    'Create a customer',
    'Repeating the request with the same Idempotency-Key is safe. After the customer is deleted, it returns 404.',
  )
  @ApiCreatedResponse({ type: CustomerDto, headers: ETAG })
  @Problems('idempotency-key-missing', 'idempotency-key-reused', 'not-found')
  async create(
    @IdempotencyKey() key: string,
    @Body() body: CreateCustomerBody,
    @Caller() caller: MerchantCaller,
    @Exchange() { reply, ids }: HttpExchange,
  ): Promise<CustomerDto> {
    const command = new CreateCustomer(toDetails(body), key, caller.merchant_id, contextOf(caller, ids));
    const { customer_id, details, created_on, position, replayed } = await this.commands.execute(command);
    await this.consistency.written(reply, position);
    setRecordHeaders(reply, `/v1/customers/${customer_id}`, replayed);
    reply.header('ETag', entityTag(1));
    return toCustomer(customer_id, details, created_on, created_on);
  }

  @Get()
  @UseInterceptors(CustomerReads)
  @RequireScope('customers:read')
  @Operation('listCustomers', 'List customers', 'A bare array; X-Total-Count and Link lead through its pages.')
  @ApiOkResponse({ type: [CustomerDto] })
  async list(
    @Query() query: ListCustomersQuery,
    @Caller() caller: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<CustomerDto[]> {
    const { total, items } = await this.reads.read(request, (pool) => findCustomers(pool, this.wrapping, caller.merchant_id, toPage(query)));
    writePageHeaders(reply, query, total);
    return items.map(({ id, details, created_on, updated_on }) => toCustomer(id, details, created_on, updated_on));
  }

  @Get(':id')
  @UseInterceptors(CustomerReads)
  @RequireScope('customers:read')
  @IfNoneMatch()
  @Operation('getCustomer', 'Read a customer')
  @ApiOkResponse({ type: CustomerDto, headers: ETAG })
  @Problems('not-found')
  async read(
    @Param('id', RecordId) id: string,
    @Caller() caller: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<CustomerDto | undefined> {
    const found = mustExist(await findCustomer(this.pool, this.wrapping, caller.merchant_id, id));
    const { details, version, created_on, updated_on } = found;
    return isNewVersion(request, reply, version) ? toCustomer(id, details, created_on, updated_on) : undefined;
  }

  @Put()
  @RequireScope('customers:write')
  @IfMatch()
  @Operation('updateCustomer', 'Update a customer', 'An absent field keeps its value, null clears it, a nested object is replaced whole.')
  @ApiOkResponse({ type: CustomerDto, headers: ETAG })
  @Problems('not-found', 'precondition-failed', 'record-full')
  async update(
    @Body() body: UpdateCustomerBody,
    @Caller() caller: MerchantCaller,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<CustomerDto> {
    const command = new UpdateCustomer(body.id, toChange(body), expectedVersions(request), caller.merchant_id, contextOf(caller, ids));
    const { customer, position } = await this.commands.execute(command);
    await this.consistency.written(reply, position);
    reply.header('ETag', entityTag(customer.version));
    return toCustomer(customer.customer_id, customer.details, customer.created_on, customer.updated_on);
  }

  @Delete()
  @HttpCode(204)
  @RequireScope('customers:write')
  @IfMatch()
  @Operation('deleteCustomer', 'Delete a customer', 'Erases the personal data permanently. The customer then returns 404 everywhere.')
  @ApiNoContentResponse()
  @Problems('not-found', 'precondition-failed')
  async delete(@Query() query: DeleteCustomerQuery, @Caller() caller: MerchantCaller, @Exchange() exchange: HttpExchange): Promise<void> {
    await this.erase(query.Id, caller, exchange);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('customers:write')
  @IfMatch()
  @Operation('deleteCustomerById', 'Delete a customer by its path', 'The same as DELETE /v1/customers?Id=….')
  @ApiNoContentResponse()
  @Problems('not-found', 'precondition-failed')
  async deleteByPath(@Param('id', RecordId) id: string, @Caller() caller: MerchantCaller, @Exchange() exchange: HttpExchange): Promise<void> {
    await this.erase(id, caller, exchange);
  }

  private async erase(id: string, caller: MerchantCaller, { request, reply, ids }: HttpExchange): Promise<void> {
    const command = new DeleteCustomer(id, expectedVersions(request), caller.merchant_id, contextOf(caller, ids));
    const { position } = await this.commands.execute(command);
    await this.consistency.written(reply, position);
  }

  @Get(':id/events')
  @RequireScope('customers:read')
  @Operation(
    'listCustomerEvents',
    "A customer's event history",
    'All events of the customer, oldest first. They remain when the customer is deleted; their personal data is null from then on.',
  )
  @ApiOkResponse({ type: [CustomerEventDto] })
  @Problems('not-found')
  async events(
    @Param('id', RecordId) id: string,
    @Query() page: PageQuery,
    @Caller() caller: MerchantCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CustomerEventDto[]> {
    const stream = customerStream(id);
    const [newest] = await this.store.read(stream, { direction: 'backwards', limit: 1 });
    if (newest?.metadata.merchant_id !== caller.merchant_id) throw noSuchRecord();
    // Between the deletion and the destruction of the key, the personal data is already withheld.
    const key = newest.type === 'CustomerDeleted' ? null : await this.keys.find(id);
    const total = newest.revision + 1;
    writePageHeaders(reply, page, total);
    const from = (page.PageNumber - 1) * page.PageSize;
    const recorded = await rangeOf(this.store, stream, from, Math.min(page.PageSize, total - from));
    return recorded.map(readEvent).map((event) => ({ ...headOf(event), data: toEventData(decryptEvent(key, event as CustomerEvent)) }));
  }
}

function expectedVersions(request: FastifyRequest): readonly number[] | null {
  const named = ifMatch(request);
  return named === '*' ? null : named;
}
