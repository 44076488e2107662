import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasWriter, makeFifo, openForReading, openForWriting } from '../postgres/fifo.js';

const POLL_MS = 5;
/** A keeper that is shutting the server down is silent until that is done; it gives up by itself after a minute or two. */
const SILENCE_MS = 180_000;
const ATTEMPTS_MAX = 10;

/**
 * Reads the users' pipe until its end, which is reached when the last user is gone; then shuts the server down (SIGINT: fast). It is a shell because
 * it waits all the time and should cost little: 1 MB, where a Node process takes 40. It stays the pipe's reader until the server is gone, so that a
 * pipe without a reader proves that nothing will be shut down any more.
 */
const KEEPER = `
while read -r word value; do
  case $word in
    server) server=$value ;;
    user) : > "$1.$value" ;;
  esac
done
[ "$server" ] || exit 0
kill -INT "$server"
polls=0
while [ -e "$2" ] && kill -0 "$server" && [ "$polls" -lt 6000 ]; do
  polls=$((polls + 1))
  sleep 0.01
done
`;

/**
 * One process's use of the embedded server, which runs while it has users.
 *
 * Every user holds the write end of one named pipe open: the kernel counts, and a user killed with -9 is removed from the count like any other. A
 * shell, the keeper, reads the pipe. Calls must be made under the directory lock.
 */
export class UsersPipe {
  #writingEnd: number | null = null;

  private constructor(
    private readonly file: string,
    private readonly pidFile: string,
  ) {}

  /** Adds this process to the users. */
  static async join(base: string, pidFile: string): Promise<UsersPipe> {
    const file = path.join(base, 'users');
    await makeFifo(file);
    const pipe = new UsersPipe(file, pidFile);
    await pipe.#reachKeeper('');
    return pipe;
  }

  /** Sends the id of the process to shut down at the end to the keeper or, if the keeper was killed, to a new one. */
  async keep(serverPid: number): Promise<void> {
    await this.#reachKeeper(`server ${serverPid}\n`);
  }

  /** Called when the process to shut down has ended by itself; its id may soon belong to another process. */
  async keepNothing(): Promise<void> {
    await this.#reachKeeper('server\n');
  }

  /** Removes this process from the users. @returns true when it was the last, and the server is shutting down */
  leave(): boolean {
    const probe = openForReading(this.file);
    try {
      this.#close();
      return !hasWriter(probe);
    } finally {
      fs.closeSync(probe);
    }
  }

  /** Returns when a keeper has read `word` and has not seen the pipe's end. */
  async #reachKeeper(word: string): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      this.#writingEnd ??= openForWriting(this.file) ?? this.#startKeeper();
      if (await this.#acknowledges(this.#writingEnd, word)) return;
      // It was killed, or it saw the pipe's end before we joined and has ended with the server.
      this.#close();
    }
    throw new Error('the keeper of the embedded Postgres exits right after its start');
  }

  #close(): void {
    if (this.#writingEnd !== null) fs.closeSync(this.#writingEnd);
    this.#writingEnd = null;
  }

  #startKeeper(): number {
    // This process briefly opens a reading end too, so that each end can be opened without waiting for the other.
    const readingEnd = openForReading(this.file);
    const writingEnd = openForWriting(this.file)!;
    // The keeper receives a blocking reading end.
    const waitingEnd = fs.openSync(this.file, fs.constants.O_RDONLY);
    const keeper = spawn('/bin/sh', ['-c', KEEPER, 'chargebook-keeper', this.file, this.pidFile], {
      cwd: '/',
      detached: true, // Ctrl-C in our terminal must not reach it
      env: { PATH: process.env.PATH },
      stdio: [waitingEnd, 'ignore', 'ignore'],
    });
    keeper.once('error', () => undefined).unref();
    fs.closeSync(waitingEnd);
    fs.closeSync(readingEnd);
    if (keeper.pid === undefined) throw new Error('the embedded Postgres needs /bin/sh');
    return writingEnd;
  }

  /** Returns false when the keeper is gone, or ends before it has read the message. */
  async #acknowledges(writingEnd: number, word: string): Promise<boolean> {
    const token = randomUUID();
    const answer = `${this.file}.${token}`;
    try {
      fs.writeSync(writingEnd, `${word}user ${token}\n`);
      const deadline = Date.now() + SILENCE_MS;
      while (!fs.existsSync(answer)) {
        if (Date.now() > deadline) throw new Error('the keeper of the embedded Postgres does not respond');
        await delay(POLL_MS);
        fs.writeSync(writingEnd, '\n');
      }
      fs.rmSync(answer);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
      throw error;
    }
  }
}
