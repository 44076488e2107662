import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAll, writeAll } from './whole-pieces.js';

/** Texts that do not fit in memory, one after the other in a file without a name, like a Spool's: it disappears when this process ends. */
export class SpooledRecords {
  readonly #lengths: number[] = [];
  #size = 0;

  private constructor(private readonly file: FileHandle) {}

  static async open(): Promise<SpooledRecords> {
    const path = join(tmpdir(), `chargebook-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return new SpooledRecords(file);
  }

  async add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await writeAll(this.file, bytes, this.#size);
    this.#lengths.push(bytes.length);
    this.#size += bytes.length;
  }

  /** Reads in order; may be called repeatedly. */
  async *read(): AsyncGenerator<string> {
    let at = 0;
    for (const length of this.#lengths) {
      yield (await readAll(this.file, length, at)).toString('utf8');
      at += length;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
