import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAll } from './whole-pieces.js';

/** What came is longer than it may be. */
export class SpoolTooLarge extends Error {
  override readonly name = 'SpoolTooLarge';
}

const PIECE_BYTES = 65_536;

/**
 * Bytes that are too many for memory, in a file that has no name: nobody else opens it, and it is gone when this process ends, however
 * it does. It stands where the environment says that temporary files do (TMPDIR).
 */
export class Spool {
  private constructor(
    private readonly file: FileHandle,
    /** Bytes. */
    readonly size: number,
    /** Hex. */
    readonly sha256: string,
  ) {}

  /** Takes all of `chunks`. @throws SpoolTooLarge; what `chunks` throws. Nothing is left of it then. */
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

  /** From the beginning, as often as it is asked for. */
  read(): AsyncIterable<Buffer> {
    return createReadStream('', { fd: this.file, start: 0, autoClose: false, highWaterMark: PIECE_BYTES });
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
