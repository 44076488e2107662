import type { Config } from '../app/config.js';
import type { DirectoryDeps } from '../domain/operators/directory.js';
import type { Stores } from '../app/stores.js';
import { sinkOf, type Sink } from './output.js';
import { progressOn, statusOn, type Progress } from './progress.js';

/** What a command has around it. Each command is one file under `commands/`, and a line in `main.ts`. */
export class Cli {
  /** Of a command that has done what it could, where what it is about waits for somebody. */
  exitCode: 0 | 3 = 0;
  readonly out: Sink = sinkOf(process.stdout);
  private readonly err: Sink = sinkOf(process.stderr);

  constructor(
    /** Whether one JSON document is wanted; known once the arguments have been read. */
    private readonly wantsJson: () => boolean,
    /** Aborts on Ctrl-C: long commands look at it. */
    readonly signal: AbortSignal,
  ) {}

  get json(): boolean {
    return this.wantsJson();
  }

  /** The answer: as one JSON document, or in words. */
  async answer(document: object, words: () => string): Promise<void> {
    await this.out.write(this.json ? `${JSON.stringify(document)}\n` : `${words()}\n`);
  }

  /** A remark that belongs to no answer. One that cannot be written is no failure. */
  async note(message: string): Promise<void> {
    await this.err.write(`${message}\n`).catch(() => undefined);
  }

  /** On a terminal only. Without `total` it cannot be said how far it is. */
  progress(label: string, total?: number): Progress {
    return total === undefined ? statusOn(process.stderr, label) : progressOn(process.stderr, label, total);
  }

  /** The service's environment. @throws ConfigError */
  async config(): Promise<Config> {
    const { readEnvironment } = await import('../app/environment.js');
    return readEnvironment();
  }

  /** Runs `work` with the service's stores, whether the service runs or not, and closes them. */
  async withStores<T>(work: (stores: Stores & { readonly config: Config; readonly shell: DirectoryDeps }) => Promise<T>): Promise<T> {
    const config = await this.config();
    const { openStores } = await import('../app/stores.js');
    const stores = await openStores(config, (message) => void this.note(message));
    try {
      return await work({ ...stores, config, shell: { store: stores.eventStore, clock: stores.clockGuard.clock } });
    } finally {
      await stores.close();
    }
  }
}
