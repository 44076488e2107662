import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from './entity-tag.js';

const brotli = promisify(brotliCompress);
// Runs in libuv's threads. Quality 4 takes 60 ms for 3 MB; the default, 11, takes seconds and saves a tenth more.
const COMPRESS = {
  br: (text: Buffer) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};
const ENCODINGS = Object.keys(COMPRESS) as (keyof typeof COMPRESS)[];

/**
 * A text that is the same for every client until the service restarts. It is compressed once for clients that accept that, and sent once to clients
 * that cache it. Answers of the interface are never compressed: beside a text that an attacker chooses, the length of the answer would reveal a
 * secret (BREACH), and they are compared byte for byte.
 */
export class StaticText {
  private readonly text: Buffer;
  private readonly entityTag: string;
  private readonly compressed = new Map<string, Promise<Buffer>>();

  constructor(
    text: string | Buffer,
    private readonly type: string,
    /** Default: cached, and revalidated by its entity tag before each use. */
    private readonly cacheControl = 'no-cache',
  ) {
    this.text = Buffer.from(text);
    // Weak: the same for all encodings.
    this.entityTag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    void reply.headers({ etag: this.entityTag, 'cache-control': this.cacheControl, 'content-type': this.type, vary: 'accept-encoding' });
    if (isKnown(request, this.entityTag)) return void reply.status(304).send();
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS);
    if (encoding === null) return void reply.send(this.text);
    void reply.header('content-encoding', encoding).send(await this.as(encoding));
  }

  private as(encoding: keyof typeof COMPRESS): Promise<Buffer> {
    const made = this.compressed.get(encoding) ?? COMPRESS[encoding](this.text);
    this.compressed.set(encoding, made);
    return made;
  }
}
