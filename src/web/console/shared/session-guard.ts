import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionGate } from '../../../platform/auth/session-gate.js';
import { QueryParameters } from '../../../platform/http/query.js';
import { ConsoleFilter, SessionMissing } from './console.filter.js';
import { Sessions } from './sessions.js';

/** Requires a session on every page except the sign-in. */
@Injectable()
export class SessionGuard implements SessionGate {
  constructor(
    private readonly sessions: Sessions,
    private readonly filter: ConsoleFilter,
  ) {}

  async admit(request: FastifyRequest): Promise<void> {
    const key = await this.sessions.find(request);
    if (!key) throw new SessionMissing();
    if (request.method === 'POST') this.sessions.refuseForeign(request);
    request.keyId = key.key_id;
    request.stillAdmits = () => this.sessions.isStillGood(request);
    // A browser also sends the empty fields of a form; they count as absent.
    const { entries } = request.query as QueryParameters;
    request.query = new QueryParameters(entries.filter(({ value }) => value !== ''));
  }

  refuse(refusal: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.filter.answer(refusal, request, reply);
  }
}
