import { HttpProblem, Problem } from '../problem.js';

/** Content of a page's form: its fields, and after them one file. */
export interface MultipartForm {
  readonly fields: Readonly<Record<string, string>>;
  /** Read once, to its end; null: the person has selected none. @throws Problem malformed-request */
  readonly file: AsyncIterable<Buffer> | null;
}

const HEAD_BYTES_MAX = 8_192;
const FIELDS_MAX = 20;
/** Maximum bytes of all fields together. */
const FIELDS_BYTES_MAX = 65_536;

/**
 * Reads multipart/form-data (RFC 7578) as browsers send it, up to the file: fields are first, so the sender of the form can be verified before a byte
 * of the file is stored. For any sizes of chunks, memory holds at most one piece and the fields.
 * @throws Problem malformed-request
 */
export async function readMultipart(chunks: AsyncIterable<Buffer>, contentType: string): Promise<MultipartForm> {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  if (!boundary) throw malformed('its boundary is missing');
  const parts = new Parts(chunks, Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`, 'latin1'));
  const fields = new Map<string, string>();
  let left = FIELDS_BYTES_MAX;
  for (let head = await parts.next(); head; head = await parts.next()) {
    if (head.filename !== undefined) return { fields: Object.fromEntries(fields), file: head.filename === '' ? null : fileOf(parts) };
    if (fields.has(head.name) || fields.size === FIELDS_MAX) throw malformed('a field is sent twice, or there are too many');
    const value = await collect(parts.content(), left);
    left -= value.length;
    fields.set(head.name, textOf(value));
  }
  return { fields: Object.fromEntries(fields), file: null };
}

async function* fileOf(parts: Parts): AsyncGenerator<Buffer> {
  yield* parts.content();
  if (await parts.next()) throw malformed('it has another part after the file');
}

interface PartHead {
  readonly name: string;
  /** undefined for a field; empty when no file was selected. */
  readonly filename: string | undefined;
}

const LINE = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/** Iterates over the parts: the content of each must be read before the next. */
class Parts {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Bytes that have arrived and are unread. A line end before the first boundary makes it like the others. */
  #held: Buffer = LINE;
  #isBegun = false;

  constructor(
    chunks: AsyncIterable<Buffer>,
    private readonly boundary: Buffer,
  ) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** undefined after the last part. */
  async next(): Promise<PartHead | undefined> {
    if (!this.#isBegun) {
      await collect(this.#upTo(this.boundary), 0);
      this.#isBegun = true;
    }
    while (this.#held.length < 2) await this.#more();
    const behind = this.#held.subarray(0, 2).toString('latin1');
    if (behind === '--') return undefined;
    if (behind !== '\r\n') throw malformed('a boundary does not end its line');
    return headOf((await collect(this.#upTo(HEAD_END), HEAD_BYTES_MAX)).toString('utf8'));
  }

  content(): AsyncIterable<Buffer> {
    return this.#upTo(this.boundary);
  }

  /** Yields all bytes before `mark`, in pieces, and skips it. */
  async *#upTo(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      // The mark may have begun in the last bytes.
      const end = at === -1 ? Math.max(0, this.#held.length - mark.length + 1) : at;
      const piece = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(at === -1 ? end : end + mark.length);
      if (piece.length > 0) yield piece;
      if (at !== -1) return;
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next().catch((error: unknown) => {
      throw error instanceof Problem ? error : malformed('it ends too early');
    });
    if (next.done) throw malformed('it ends too early');
    this.#held = Buffer.concat([this.#held, next.value]);
  }
}

async function collect(pieces: AsyncIterable<Buffer>, max: number): Promise<Buffer> {
  const all: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > max) throw malformed('a part of it is too long');
    all.push(piece);
  }
  return Buffer.concat(all);
}

/** Browsers write quotation marks and line ends within names as %22, %0D and %0A. */
function headOf(text: string): PartHead {
  const found = /^content-disposition:\s*form-data;\s*name="([^"\r\n]{1,100})"(?:;\s*filename="([^"\r\n]*)")?\s*$/im.exec(text);
  if (!found) throw malformed('a part of it has no name');
  return { name: found[1]!, filename: found[2] };
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('a field is not UTF-8');
  }
}

const malformed = (why: string): Problem => new HttpProblem('malformed-request', `The form cannot be read: ${why}.`);
