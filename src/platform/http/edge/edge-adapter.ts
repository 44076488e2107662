import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newRequestId } from './response-headers.js';
import type { HttpLimits } from '../http-options.js';
import { sendProblem } from '../problem-response.js';
import { parseQuery } from '../query.js';
import type { RouteTable } from './route-table.js';

/** Fastify with our limits, and with one form of refusal for every failed request. */
export class EdgeAdapter extends FastifyAdapter {
  constructor(
    limits: HttpLimits,
    private readonly routes: RouteTable,
    trustedProxies: readonly string[],
  ) {
    super({
      trustProxy: trustedProxies.length > 0 && [...trustedProxies],
      bodyLimit: limits.bodyBytes,
      requestTimeout: limits.requestMs,
      connectionTimeout: limits.idleMs,
      keepAliveTimeout: limits.keepAliveMs,
      http: {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: limits.headersMs,
        connectionsCheckingInterval: Math.min(1000, limits.headersMs),
        // Our own hook rejects a request without Host, with a problem.
        requireHostHeader: false,
      },
      genReqId: newRequestId,
      // The type expects plain objects; only RequestPipe and the edge's hooks read the result.
      routerOptions: { querystringParser: parseQuery as unknown as (text: string) => Record<string, string> },
      frameworkErrors: sendProblem,
      // During shutdown, requests on open connections are still served; the readiness check sends new ones elsewhere.
      return503OnClosing: false,
      skipMiddie: true,
    });
  }

  override setErrorHandler() {
    return this.instance.setErrorHandler(sendProblem);
  }

  override setNotFoundHandler() {
    return this.instance.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
      this.routes.answer(request, reply);
    });
  }
}

/** Answers exceptions of Nest's handlers, pipes and interceptors. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const context = host.switchToHttp();
    sendProblem(error, context.getRequest<FastifyRequest>(), context.getResponse<FastifyReply>());
  }
}
