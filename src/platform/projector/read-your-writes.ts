import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import type { Position } from '../event-store/event-store.js';
import { HttpProblem, type Problem } from '../problem.js';
import { ProjectionWatch } from './projection-watch.js';

/** The projection that most responses of the merchant interface come from. */
const LEDGER = 'ledger';
/** Longest wait for a projection, ms; after it the response is sent all the same, and states the lag. */
const WAIT_MS = 500;
/** Longest wait of a read that requests a position, and of a change whose record is read, ms: then 503, before the edge responds for it. */
const ASKED_WAIT_MS = 4_500;
/**
 * Maximum reads of one merchant that wait in this way at a time: while projections do not move, further reads at once get the response that the wait
 * would end in.
 */
const WAITING_PER_CALLER_MAX = 100;
/** Lag, seconds, beyond which reads no longer wait for a projection, and writes do. */
const LAG_MAX_SECONDS = 1;

/**
 * Once a write is answered, every read that starts afterwards sees it, in every process, or states that it does not. A write is answered when it is
 * durable; a read takes the log's head first, and continues when its projection has reached that (decision 50).
 */
@Injectable()
export class ReadYourWrites {
  readonly #waiting = new Map<string, number>();

  constructor(@Inject(ProjectionWatch) private readonly watch: ProjectionWatch) {}

  /** Adds the position of the write to the response. While projections are far behind, writes wait for them, so as not to outrun them. */
  async written(reply: FastifyReply, position: Position): Promise<void> {
    if (this.watch.lagSeconds(LEDGER) > LAG_MAX_SECONDS) await this.shown(reply, position);
    else this.#name(reply, position);
  }

  /**
   * Used instead of `written` for a response that is read from `projection`: waits for it, at most 500 ms, and marks the response when it is behind.
   */
  async shown(reply: FastifyReply, position: Position, projection = LEDGER): Promise<void> {
    this.#name(reply, position);
    if (!(await this.watch.waitFor(projection, position, WAIT_MS))) this.#mark(reply, projection);
  }

  /**
   * Reads the record that the response to a change needs, with the change in it: waits for as long as for a client's position, and 500 ms while the
   * projection is stopped or has been behind for longer than that. Then the response holds the record as it was before, marked as behind.
   * @throws Problem unavailable when there was none before, since a recorded change is no failure; errors of `read`
   */
  async read<T>(reply: FastifyReply, position: Position, read: () => Promise<T>, projection = LEDGER): Promise<T> {
    this.#name(reply, position);
    const isHopeless = this.watch.stop(projection) !== null || this.watch.lagSeconds(projection) * 1000 > ASKED_WAIT_MS;
    const isShown = await this.watch.waitFor(projection, position, isHopeless ? WAIT_MS : ASKED_WAIT_MS);
    if (!isShown) this.#mark(reply, projection);
    try {
      return await read();
    } catch (error) {
      throw isShown ? error : new HttpProblem('unavailable', 'It is recorded, and cannot be read yet.');
    }
  }

  /** Waits until `projection` shows the event at `position`. @throws Problem unavailable when it does not in time */
  async shows(position: Position, projection = LEDGER): Promise<void> {
    if (!(await this.watch.waitFor(projection, position, WAIT_MS))) throw cannotBeReadYet();
  }

  /** Called before a read: waits for the position that the client requests, and for everything that was written before the read arrived. */
  async reading(request: FastifyRequest, reply: FastifyReply, projection = LEDGER): Promise<void> {
    const asked = request.headers['min-ledger-position'];
    if (asked !== undefined) await this.#awaitPosition(request.caller?.merchant_id ?? request.keyId ?? '', readPosition(asked), projection);
    const isHopeless = this.watch.stop(projection) !== null || this.watch.lagSeconds(projection) > LAG_MAX_SECONDS;
    if (isHopeless || !(await this.watch.waitForHead(projection, WAIT_MS))) this.#mark(reply, projection);
  }

  #name(reply: FastifyReply, position: Position): void {
    reply.header('Ledger-Position', position.toString(36));
    this.watch.wrote(position);
  }

  #mark(reply: FastifyReply, projection: string): void {
    reply.header('Ledger-Lag', Math.max(1, Math.ceil(this.watch.lagSeconds(projection))));
  }

  /** A client's position proves nothing about the store: the read waits for it only when the store has reached it. */
  async #awaitPosition(caller: string, position: Position, projection: string): Promise<void> {
    if (!(await this.watch.isInLog(position))) throw notFromHere('Min-Ledger-Position lies behind the end of the log.');
    const waiting = this.#waiting.get(caller) ?? 0;
    if (waiting >= WAITING_PER_CALLER_MAX) throw cannotBeReadYet();
    this.#waiting.set(caller, waiting + 1);
    try {
      if (!(await this.watch.waitFor(projection, position, ASKED_WAIT_MS))) throw cannotBeReadYet();
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

const notFromHere = (detail: string): Problem => new HttpProblem('validation-failed', detail);
const cannotBeReadYet = (): Problem => new HttpProblem('unavailable', 'The ledger position that is needed cannot be read yet.');

/** Interceptor of handlers that read: `@UseInterceptors(LedgerReads)`. A subclass names another projection to read from. */
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
