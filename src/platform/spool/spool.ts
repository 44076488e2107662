import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAll } from './whole-pieces.js';

/** The input exceeds the maximum length. */
export class SpoolTooLarge extends Error {
  override readonly name = 'SpoolTooLarge';
}

const PIECE_BYTES = 65_536;

/**
 * Bytes that do not fit in memory, in a file without a name: no other process can open it, and it disappears when this process ends, in any way. It
 * is in the environment's directory for temporary files (TMPDIR).
 */
export class Spool {
  private constructor(
    private readonly file: FileHandle,
    /** Bytes. */
    readonly size: number,
    /** Hex. */
    readonly sha256: string,
  ) {}

  /** Reads all of `chunks`. @throws SpoolTooLarge; errors of `chunks`. Nothing is left of the file then. */
  static async of(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Spool> {
    const path = join(tmpdir(), `chargebook-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await rm(path);
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of chunks) {
        if (size + chunk.length > maxBytes) throw new SpoolTooLarge(`more than ${maxBytes} bytes`);
        hash.update(chunk);
        await writeAll(file, chunk, size);
        size += chunk.length;
      }
      return new Spool(file, size, hash.digest('hex'));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Reads from the beginning; may be called repeatedly. */
  read(): AsyncIterable<Buffer> {
    return createReadStream('', { fd: this.file, start: 0, autoClose: false, highWaterMark: PIECE_BYTES });
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
