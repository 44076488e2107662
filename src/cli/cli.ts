import type { Config } from '../app/config.js';
import type { DirectoryDeps } from '../domain/operators/directory.js';
import type { Stores } from '../app/stores.js';
import { sinkOf, type Sink } from './output.js';
import { progressOn, statusOn, type Progress } from './progress.js';

/** The environment of a command. Each command is one file in `commands/`, and a line in `main.ts`. */
export class Cli {
  /** 3 when the command has succeeded but its record still needs an approval; the exit code of a program that the command has run. */
  exitCode = 0;
  readonly out: Sink = sinkOf(process.stdout);
  private readonly err: Sink = sinkOf(process.stderr);

  constructor(
    /** Whether one JSON document is wanted; known after the arguments are parsed. */
    private readonly wantsJson: () => boolean,
    /** Aborts on Ctrl-C; long commands check it. */
    readonly signal: AbortSignal,
  ) {}

  get json(): boolean {
    return this.wantsJson();
  }

  /** Prints the result as one JSON document, or as text. */
  async answer(document: object, words: () => string): Promise<void> {
    await this.out.write(this.json ? `${JSON.stringify(document)}\n` : `${words()}\n`);
  }

  /** Prints a remark that is not part of the result. A failed write is ignored. */
  async note(message: string): Promise<void> {
    await this.err.write(`${message}\n`).catch(() => undefined);
  }

  /** Shows the progress on a terminal. Without `total` the share of completed work is unknown. */
  progress(label: string, total?: number): Progress {
    return total === undefined ? statusOn(process.stderr, label) : progressOn(process.stderr, label, total);
  }

  /** Reads the service's environment. @throws ConfigError */
  async config(): Promise<Config> {
    const { readEnvironment } = await import('../app/environment.js');
    return readEnvironment();
  }

  /** Runs `work` with the service's stores, even while the service does not run, and closes them. @throws ConfigError when there is no ledger */
  async withStores<T>(work: (stores: Stores & { readonly config: Config; readonly deps: DirectoryDeps }) => Promise<T>): Promise<T> {
    const config = await this.config();
    const { openStores } = await import('../app/stores.js');
    const stores = await openStores(config, (message) => void this.note(message), undefined, Date.now, true);
    try {
      return await work({ ...stores, config, deps: { store: stores.eventStore, clock: stores.clockGuard.clock } });
    } finally {
      await stores.close();
    }
  }
}
