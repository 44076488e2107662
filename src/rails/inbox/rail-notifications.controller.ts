import { Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { Public, Exchange, type HttpExchange } from '../../platform/http/edge/access.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { RailNotifications } from './rail-notifications.js';
import { NOTIFICATION_REPLIES, type SnapReply } from '../snap/inbound.js';
import { SnapBank } from '../snap/snap-bank.js';
import { SnapProcessor } from '../snap/snap-processor.js';

/**
 * The address for notifications of providers, and for the tokens that banks of SNAP request for theirs. The messages carry their own proof of origin.
 */
@ApiExcludeController()
@Public()
@Controller('v1/rails')
export class RailNotificationsController {
  constructor(
    private readonly notifications: RailNotifications,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Post(':rail/notifications')
  @HttpCode(200)
  notified(@Param('rail') rail: string, @Exchange() { request, reply }: HttpExchange): Promise<object> {
    return this.#take(rail, '', request, reply);
  }

  /** A bank of SNAP signs the path of its service, which follows the address of notifications. */
  @Post(':rail/notifications/*')
  @HttpCode(200)
  notifiedAt(@Param('rail') rail: string, @Exchange() { request, reply }: HttpExchange): Promise<object> {
    const { '*': path = '' } = request.params as { readonly '*'?: string };
    return this.#take(rail, `/${path}`, request, reply);
  }

  @Post(':rail/access-token/b2b')
  @HttpCode(200)
  token(@Param('rail') rail: string, @Exchange() { request, reply }: HttpExchange): object {
    const snap = this.#snapOf(rail);
    if (!snap) throw noSuchRail();
    return send(reply, snap.inbound.grant(bodyOf(request), request.headers, this.clock()));
  }

  async #take(rail: string, path: string, request: FastifyRequest, reply: FastifyReply): Promise<object> {
    const { came } = await this.notifications.receive(rail, path, bodyOf(request), request.headers);
    if (came === 'unknown-rail') throw noSuchRail();
    if (this.#snapOf(rail)) return send(reply, NOTIFICATION_REPLIES[SNAP_REPLY[came]]);
    if (came === 'unverified') throw new LedgerProblem('unauthenticated', 'The notification could not be authenticated.');
    return {};
  }

  #snapOf(name: string): SnapProcessor | SnapBank | undefined {
    const rail = this.notifications.rail(name);
    if (rail?.processor instanceof SnapProcessor) return rail.processor;
    return rail?.bank instanceof SnapBank ? rail.bank : undefined;
  }
}

const SNAP_REPLY = { taken: 'taken', unverified: 'unauthorised', 'unknown-record': 'not-found' } as const;

const bodyOf = ({ rawBody }: FastifyRequest): Buffer => rawBody ?? Buffer.alloc(0);

function send(reply: FastifyReply, { status, body }: SnapReply): object {
  void reply.code(status);
  return body;
}

const noSuchRail = (): LedgerProblem => new LedgerProblem('not-found', 'There is nothing at this path.');
