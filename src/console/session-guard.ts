import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { QueryParameters } from '../platform/http/query.js';
import { Sessions } from './sessions.js';

/** Whoever has no session is led to the sign-in. */
export class SessionMissing extends Error {
  override readonly name = 'SessionMissing';
}

/** On every page but the sign-in. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly sessions: Sessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = await this.sessions.find(request);
    if (!key) throw new SessionMissing();
    if (request.method === 'POST') this.sessions.refuseForeign(request);
    request.keyId = key.key_id;
    request.stillAdmits = () => this.sessions.isStillGood(request);
    // A form sends the fields that were left empty, too; they say nothing.
    const { entries } = request.query as QueryParameters;
    request.query = new QueryParameters(entries.filter(({ value }) => value !== ''));
    return true;
  }
}
