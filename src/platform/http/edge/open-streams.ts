import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem, Problem } from '../../problem.js';
import { CpuQuota } from './cpu-quota.js';

/** Maximum open streams of one caller, and of all callers. Each holds a page of its list, and no transaction. */
const OPEN_PER_CALLER_MAX = 8;
const OPEN_MAX = 64;

export interface StreamedAnswer {
  readonly contentType: string;
  /** File name for a browser. */
  readonly filename?: string;
  /** Returns the pages; the next one is requested when the client has read most of the previous one. */
  readonly pages: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;
}

/**
 * Answers of any length with bounded memory: a page is produced when the client has read the previous one.
 * - The first page is produced before the headers are sent: until then the answer has its deadline and its problems like every other. A later failure
 *   cuts the connection, so that no client accepts a part as the whole.
 * - A disconnected client ends the work; a client that reads nothing for the maximum time of an idle connection is disconnected.
 * - The pages of all streams of a merchant are produced one at a time, and take a quarter of the process's time at most.
 * - A key that is revoked or expires meanwhile ends the stream at the next page.
 */
@Injectable()
export class OpenStreams {
  readonly #open = new Map<string, number>();
  #total = 0;
  readonly #share = new CpuQuota();

  /** @throws Problem unavailable when too many are open; errors of the first page. */
  async answer(request: FastifyRequest, reply: FastifyReply, { contentType, filename, pages }: StreamedAnswer): Promise<Readable | ''> {
    void reply.header('content-type', contentType);
    if (filename !== undefined) void reply.header('content-disposition', attachment(filename));
    // Fastify would read the whole stream to discard it.
    if (request.method === 'HEAD') return '';
    const release = this.#enter(request.keyId ?? request.ip);
    const gone = new AbortController();
    try {
      const iterator = pages(gone.signal)[Symbol.asyncIterator]();
      const { caller } = request;
      // There is only one finance, so its streams are not limited to a share.
      const next = caller ? () => this.#share.take(caller.merchant_id, gone.signal, () => iterator.next()) : () => iterator.next();
      const first = await next();
      const stream = Readable.from(guarded(request, first, next, iterator), { objectMode: false });
      // Errors that the client has caused need no attention.
      stream.once('error', (err: Error) =>
        request.server.logger[err instanceof Problem ? 'info' : 'error']({ err, request_id: request.id }, 'a streamed answer was cut off'),
      );
      stream.once('close', () => {
        gone.abort();
        release();
      });
      return stream;
    } catch (error) {
      release();
      throw error;
    }
  }

  #enter(caller: string): () => void {
    const open = this.#open.get(caller) ?? 0;
    if (open >= OPEN_PER_CALLER_MAX || this.#total >= OPEN_MAX) {
      throw new HttpProblem('unavailable', 'Too many lists are being streamed. Finish reading one of them first.', {
        headers: { 'retry-after': '5' },
      });
    }
    this.#open.set(caller, open + 1);
    this.#total += 1;
    return () => {
      this.#total -= 1;
      const left = this.#open.get(caller)! - 1;
      if (left > 0) this.#open.set(caller, left);
      else this.#open.delete(caller);
    };
  }
}

async function* guarded(
  request: FastifyRequest,
  first: IteratorResult<string | Uint8Array>,
  next: () => Promise<IteratorResult<string | Uint8Array>>,
  iterator: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  try {
    for (let page = first; page.done !== true; page = await next()) {
      // An empty page would end a byte stream's turn without anything to wait for.
      if (page.value.length > 0) yield page.value;
      if (!request.server.admitsStill(request)) throw new Error('the key ended while its list was streamed');
    }
  } finally {
    await iterator.return?.();
  }
}

/** Matches characters that a plain file name must encode (the others are a part of RFC 9110's token and of quoted-string). */
const NOT_PLAIN = /[^A-Za-z0-9 !#$&+.^_~()-]/g;

/**
 * Returns a Content-Disposition with which a browser saves a file under any name (RFC 6266): in characters that every client reads and, when that
 * changes the name, also in full.
 */
function attachment(filename: string): string {
  const plain = filename.replace(NOT_PLAIN, '_');
  const inFull = plain === filename ? '' : `; filename*=UTF-8''${encodeURIComponent(filename).replace(/['()*]/g, escaped)}`;
  return `attachment; filename="${plain}"${inFull}`;
}

/** Encodes the characters that encodeURIComponent leaves and RFC 8187 does not allow. */
const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
