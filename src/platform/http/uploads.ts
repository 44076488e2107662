import type { Readable } from 'node:stream';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem, Problem } from '../problem.js';
import { Spool, SpoolTooLarge } from '../spool/spool.js';
import { refuseEncodings } from './edge/encodings.js';
import { readMultipart } from './multipart.js';
import { ConcurrencyLimiter } from './edge/concurrency-limiter.js';
import { abandoned, callerOf } from './reads.js';
import { policy, type Upload } from './edge/route-policy.js';

/** A file as sent. */
export interface UploadedFile {
  /** One of the route's media types, without parameters. */
  readonly media_type: string;
  readonly bytes: Buffer;
}

/**
 * Maximum files that are received or handled at a time, of all callers and of one: memory holds each. A file that waits for a place is not read from
 * its connection.
 */
const PLACES = 8;
const PLACES_PER_CALLER = 2;
const WAITING_MAX = 16;
/** The same for files on the disk, which hold their place until they are handled. */
const SPOOLS = 2;
const SPOOLS_PER_CALLER = 1;
/** Maximum bytes of a form's fields and the separators. */
const FORM_BYTES_MAX = 131_072;

/** The body is a file of one of these types: see `Uploaded`. */
export const TakesFile = (upload: Upload) =>
  applyDecorators(
    policy({ upload }),
    ApiConsumes(...upload.mediaTypes),
    ApiBody({ required: true, description: `Bytes of the file, at most ${upload.maxBytes}.`, schema: { type: 'string', format: 'binary' } }),
  );

/** `@Uploaded() file: UploadedFile`. */
export const Uploaded = createParamDecorator((_: unknown, context: ExecutionContext): UploadedFile => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { media_type: mediaTypeOf(request), bytes: (request.body ?? Buffer.alloc(0)) as Buffer };
});

/** `@Spooled() spool: Spool | null`, for a route that stores its file on the disk: null when nothing was sent. It is closed with the request. */
export const Spooled = createParamDecorator((_: unknown, context: ExecutionContext): Spool | null => {
  return (context.switchToHttp().getRequest<FastifyRequest>().body ?? null) as Spool | null;
});

/** A file after the fields of a page's form. */
export interface FormFile {
  /**
   * Stores the file on the disk until the request is over. Called once, after the fields were checked. @returns null when the person has selected
   * none
   * @throws Problem body-too-large, malformed-request, rate-limited
   */
  spool(): Promise<Spool | null>;
}

const formFiles = new WeakMap<FastifyRequest, FormFile>();

/** Fields and a file of a page without a script, the file last: `@Body()` has the fields, `@FileOfForm() file: FormFile` the file. */
export const TakesFormWithFile = (maxBytes: number) =>
  policy({ upload: { mediaTypes: ['multipart/form-data'], maxBytes, spooled: true, form: true } });

export const FileOfForm = createParamDecorator((_: unknown, context: ExecutionContext): FormFile => {
  return formFiles.get(context.switchToHttp().getRequest<FastifyRequest>()) ?? { spool: () => Promise.resolve(null) };
});

const mediaTypeOf = ({ headers }: FastifyRequest): string => (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();

/** Called before a byte of the body is read. @throws Problem unsupported-media-type, body-too-large */
export function refuseUpload(request: FastifyRequest, { mediaTypes, maxBytes }: Upload): void {
  const wayOut = `Send the bytes of the file with its own Content-Type, which is one of ${mediaTypes.join(', ')}.`;
  if (!mediaTypes.includes(mediaTypeOf(request))) throw new HttpProblem('unsupported-media-type', wayOut);
  refuseEncodings(request, wayOut);
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
}

const tooLarge = (maxBytes: number): Problem => new HttpProblem('body-too-large', `The file is larger than ${maxBytes} bytes.`);

/** Reads files on the routes that accept them, each into one piece of memory or onto the disk, in a place for it. */
export function addUploads(http: FastifyInstance): void {
  const refusal = 'Too many uploads are in progress. Wait for some of them to finish.';
  const places = new ConcurrencyLimiter(PLACES, PLACES_PER_CALLER, { max: WAITING_MAX, refusal });
  const spools = new ConcurrencyLimiter(SPOOLS, SPOOLS_PER_CALLER, { max: WAITING_MAX, refusal });
  const enter = async (of: ConcurrencyLimiter, request: FastifyRequest, signal: AbortSignal): Promise<void> => {
    const leave = await of.enter(callerOf(request), signal);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  };
  const receive = async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    const upload = request.routeOptions.config.policy?.upload;
    if (!upload?.mediaTypes.includes(mediaTypeOf(request)))
      throw new HttpProblem('unsupported-media-type', 'Send the body with the header "Content-Type: application/json".');
    const { maxBytes } = upload;
    const signal = abandoned(request);
    // The connection still needs an answer when it is not read to its end.
    const chunks = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    if (upload.form) {
      refuseEncodings(request, 'Send the form as a browser does.');
      const { fields, file } = await readMultipart(chunks, request.headers['content-type']!);
      const keep = async (): Promise<Spool | null> => {
        if (file === null) return null;
        if (Number(request.headers['content-length']) > maxBytes + FORM_BYTES_MAX) throw tooLarge(maxBytes);
        await enter(spools, request, signal);
        return spool(file, maxBytes, signal);
      };
      formFiles.set(request, { spool: keep });
      return fields;
    }
    await enter(upload.spooled ? spools : places, request, signal);
    if (upload.spooled) return spool(chunks, maxBytes, signal);
    return read(chunks, Number(request.headers['content-length'] ?? maxBytes), maxBytes);
  };
  http.addHook('onRoute', ({ config }) => {
    for (const type of config?.policy?.upload?.mediaTypes ?? []) if (!http.hasContentTypeParser(type)) http.addContentTypeParser(type, receive);
  });
}

/** `signal` aborts with the request, and closes the file. @throws Problem body-too-large, malformed-request */
async function spool(chunks: AsyncIterable<Buffer>, maxBytes: number, signal: AbortSignal): Promise<Spool> {
  const spooled = await Spool.of(chunks, maxBytes).catch((error: unknown) => {
    if (error instanceof SpoolTooLarge) throw tooLarge(maxBytes);
    if (error instanceof Problem) throw error;
    // A failure of the disk is no fault of the request.
    throw (error as NodeJS.ErrnoException).syscall === undefined ? new HttpProblem('malformed-request', 'The body ended too early.') : error;
  });
  const close = (): void => void spooled.close().catch(() => undefined);
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  return spooled;
}

/** `room`: maximum size of the file. @throws Problem body-too-large, malformed-request */
async function read(chunks: AsyncIterable<Buffer>, room: number, maxBytes: number): Promise<Buffer> {
  const file = Buffer.allocUnsafeSlow(room);
  let size = 0;
  try {
    for await (const chunk of chunks) {
      if (size + chunk.length > room) throw tooLarge(maxBytes);
      size += chunk.copy(file, size);
    }
  } catch (error) {
    throw error instanceof Problem ? error : new HttpProblem('malformed-request', 'The body ended too early.');
  }
  return file.subarray(0, size);
}
