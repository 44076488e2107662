import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import type { Position } from '../event-store/event-store.js';
import { Problem } from '../problems.js';
import { ProjectionWatch } from './projection-watch.js';

/** The projection that most answers of the merchant interface come from. */
const LEDGER = 'ledger';
/** A write that is not projected by then is answered all the same, and says so. */
const WRITE_WAIT_MS = 500;
/** A read that asked for a position gives up then: 503, before the edge answers for it. */
const READ_WAIT_MS = 4_500;
/** Reads of one merchant that wait so at a time: while projections stand still, further ones are answered at once with what the wait would end in. */
const WAITING_PER_CALLER_MAX = 100;
/** Reads are marked when projections are behind by more than this. */
const LAG_SHOWN_SECONDS = 1;

/**
 * Once a write is answered without `Ledger-Lag`, every read that starts afterwards sees it, in every process.
 */
@Injectable()
export class ReadYourWrites {
  readonly #waiting = new Map<string, number>();

  constructor(@Inject(ProjectionWatch) private readonly watch: ProjectionWatch) {}

  /** Waits until what was written at `position` can be read in `projection`, at most 500 ms, and marks the answer. */
  async written(reply: FastifyReply, position: Position, projection = LEDGER): Promise<void> {
    reply.header('Ledger-Position', position.toString(36));
    if (await this.watch.waitFor(projection, position, WRITE_WAIT_MS)) return;
    reply.header('Ledger-Lag', Math.max(1, Math.ceil(this.watch.lagSeconds(projection))));
  }

  /** Before a read: waits for the position that the client asks for, and marks the answer of a projection that is far behind. */
  async reading(request: FastifyRequest, reply: FastifyReply, projection = LEDGER): Promise<void> {
    const asked = request.headers['min-ledger-position'];
    if (asked !== undefined) await this.#awaitPosition(request.caller?.merchant_id ?? request.keyId ?? '', readPosition(asked), projection);
    const lag = this.watch.lagSeconds(projection);
    if (lag > LAG_SHOWN_SECONDS) reply.header('Ledger-Lag', Math.ceil(lag));
  }

  /** What a client names is no news of the store: it is waited for only where the store has come to it. */
  async #awaitPosition(caller: string, position: Position, projection: string): Promise<void> {
    if (!(await this.watch.isInLog(position))) throw notFromHere('Min-Ledger-Position lies behind the end of the log.');
    const waiting = this.#waiting.get(caller) ?? 0;
    if (waiting >= WAITING_PER_CALLER_MAX) throw cannotBeReadYet();
    this.#waiting.set(caller, waiting + 1);
    try {
      if (!(await this.watch.waitFor(projection, position, READ_WAIT_MS))) throw cannotBeReadYet();
    } finally {
      const left = this.#waiting.get(caller)! - 1;
      if (left > 0) this.#waiting.set(caller, left);
      else this.#waiting.delete(caller);
    }
  }
}

function readPosition(text: string | string[]): Position {
  if (typeof text !== 'string' || !/^[0-9a-z]{1,25}$/.test(text)) throw notFromHere('Min-Ledger-Position is not a value that Ledger-Position gave.');
  return [...text].reduce((value, digit) => value * 36n + BigInt(parseInt(digit, 36)), 0n);
}

const notFromHere = (detail: string): Problem => new Problem('validation-failed', detail);
const cannotBeReadYet = (): Problem => new Problem('unavailable', 'The ledger position that was asked for cannot be read yet.');

/** For handlers that read: `@UseInterceptors(LedgerReads)`. A subclass names another projection to read from. */
@Injectable()
export class LedgerReads implements NestInterceptor {
  protected readonly projection: string = LEDGER;

  constructor(@Inject(ReadYourWrites) private readonly consistency: ReadYourWrites) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    await this.consistency.reading(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.projection);
    return next.handle();
  }
}
