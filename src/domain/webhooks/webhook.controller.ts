import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { outbox } from '../../../projections/webhooks/outbox.js';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import { COMMON_CLOCK, PRIMARY_POOL } from '../../ledger/ports/injection-tokens.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../platform/http/edge/access.js';
import { NotInThePast } from '../../platform/http/edge/route-policy.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { KEY_DIRECTORY, type KeyDirectory } from '../../platform/auth/key-directory.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { PageQuery } from '../../platform/http/pages.dto.js';
import { writePageHeaders } from '../../platform/http/pages.js';
import { mustExist, RecordId } from '../../platform/http/record-id.js';
import type { Position } from '../../platform/event-store/event-store.js';
import { ReadYourWrites } from '../../platform/projector/read-your-writes.js';
import { timestamp, type Clock } from '../../ledger/time.js';
import { deliverTest, findDeliveries, redeliver } from './delivery-log.js';
import { DeleteWebhook, readWebhook, SetWebhook } from './webhook.handlers.js';
import { DeliveryDto, SetWebHookBody, toDelivery, toSettings, WebHookSetDto, WebHookSettingsDto } from './webhooks.dto.js';

@ApiTags('Webhooks')
@Controller('v1/merchants/me/web-hook')
export class WebhookController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly consistency: ReadYourWrites,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('merchant:write')
  @Operation(
    'setWebhook',
    'Set the web-hook',
    'Events from now on are posted to it; earlier ones are at GET /v1/events. Setting it again enables a disabled web-hook.',
  )
  @ApiOkResponse({ type: WebHookSetDto })
  @Problems('record-full')
  async set(@Body() body: SetWebHookBody, @Caller() caller: MerchantCaller, @Exchange() { reply, ids }: HttpExchange): Promise<WebHookSetDto> {
    const wanted = { web_hook_uri: body.web_hook_uri, signature_key: body.signature_key, events: body.events ?? [] };
    const { web_hook, verification_secret, position } = await this.commands.execute(
      new SetWebhook(caller.merchant_id, wanted, contextOf(caller, ids)),
    );
    await this.recorded(reply, position);
    return { ...toSettings(web_hook), verification_secret };
  }

  @Get()
  @RequireScope('merchant:read')
  @Operation('getWebhook', 'Read the web-hook', 'Does not include the key.')
  @ApiOkResponse({ type: WebHookSettingsDto })
  @Problems('not-found')
  async read(@Caller() { merchant_id }: MerchantCaller): Promise<WebHookSettingsDto> {
    return toSettings(await readWebhook(this.store, merchant_id));
  }

  @Delete()
  @HttpCode(204)
  @RequireScope('merchant:write')
  @Operation('deleteWebhook', 'Delete the web-hook', 'Undelivered events are cancelled.')
  @ApiNoContentResponse()
  @Problems('not-found')
  async delete(@Caller() caller: MerchantCaller, @Exchange() { reply, ids }: HttpExchange): Promise<void> {
    const { position } = await this.commands.execute(new DeleteWebhook(caller.merchant_id, contextOf(caller, ids)));
    await this.recorded(reply, position);
  }

  @Post('test')
  @HttpCode(200)
  @RequireScope('merchant:write')
  @Operation('testWebhook', 'Send a test', 'Sends an event of type `test`, without a sequence, once. The deliveries show its result.')
  @ApiOkResponse({ type: DeliveryDto })
  @Problems('not-found', 'state-conflict')
  async test(@Caller() { merchant_id }: MerchantCaller): Promise<DeliveryDto> {
    await this.requireEnabled(merchant_id);
    return toDelivery(await deliverTest(this.pool, merchant_id, timestamp(this.clock())));
  }

  @NotInThePast()
  @Get('deliveries')
  @RequireScope('merchant:read')
  @Operation('listWebhookDeliveries', 'List deliveries', 'Newest first, with each attempt; deliveries are kept for 30 days after their end.')
  @ApiOkResponse({ type: [DeliveryDto] })
  @Problems('not-found')
  async deliveries(
    @Query() page: PageQuery,
    @Caller() { merchant_id }: MerchantCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeliveryDto[]> {
    await readWebhook(this.store, merchant_id);
    const { total, items } = await findDeliveries(this.pool, merchant_id, { number: page.PageNumber, size: page.PageSize });
    writePageHeaders(reply, page, total);
    return items.map(toDelivery);
  }

  @Post('deliveries/:id/redeliver')
  @HttpCode(200)
  @RequireScope('merchant:write')
  @Operation(
    'redeliverWebhook',
    'Deliver again',
    'Delivers it immediately, with the same webhook-id and sequence, and restarts the schedule of retries.',
  )
  @ApiOkResponse({ type: DeliveryDto })
  @Problems('not-found', 'state-conflict')
  async redeliver(@Param('id', RecordId) id: string, @Caller() { merchant_id }: MerchantCaller): Promise<DeliveryDto> {
    await this.requireEnabled(merchant_id);
    return toDelivery(mustExist(await redeliver(this.pool, merchant_id, id, timestamp(this.clock()))));
  }

  /** Waits for the following requests: deliveries read the endpoint from the outbox, and settings are read from the merchant's own stream. */
  private async recorded(reply: FastifyReply, position: Position): Promise<void> {
    await Promise.all([this.consistency.written(reply, position), this.consistency.shown(reply, position, outbox.name), this.directory.confirm()]);
  }

  private async requireEnabled(merchantId: string): Promise<void> {
    const { disabled } = await readWebhook(this.store, merchantId);
    if (disabled) throw new LedgerProblem('state-conflict', 'The web-hook is disabled. Set it again to enable it.');
  }
}
