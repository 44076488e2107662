import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdirSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Where Debian and its kin install libfaketime. */
const LIBRARIES = '/usr/lib';
const DIRECTORY = 'JUDGE_CLOCK';
/** A process looks at its file again after so long, s by the true clock. */
const LOOKS_EVERY_S = 1;

/**
 * The time of a run: faster than the true one, and put forward by hours where nothing happens. Every process of the run has it, Postgres
 * too, since the service decides nothing by a clock that is not the database's. Node has no other way to a clock of its own than
 * libfaketime: each process reads how far it is ahead from a file.
 */
export class FastClock {
  /** By file, s that each process was ahead when it began. */
  readonly #files = new Map<string, number>();
  #jumpedMs = 0;

  private constructor(
    private readonly directory: string,
    private readonly library: string,
    readonly speed: number,
  ) {
    this.#files.set(this.#fileOf('runner'), 0);
  }

  /** Runs this program anew under a clock of `speed`, once. undefined: it runs in that one, whose clock is answered. */
  static enter(speed: number): FastClock | ChildProcess {
    const library = findLibrary();
    const directory = process.env[DIRECTORY];
    if (directory !== undefined) return new FastClock(directory, library, speed);
    const made = mkdtempSync(join(tmpdir(), 'chargebook-clock-'));
    // Postgres runs as another user than root.
    chmodSync(made, 0o755);
    const clock = new FastClock(made, library, speed);
    const env = { ...process.env, ...clock.#environment('runner', 0), [DIRECTORY]: made };
    const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { env, stdio: 'inherit' });
    child.once('exit', () => rmSync(made, { recursive: true, force: true }));
    return child;
  }

  /** For a process that begins now. What inherits our environment counts from our beginning (FAKETIME_SHARED), whenever it begins. */
  environment(name: string): Record<string, string> {
    return this.#environment(name, this.#jumpedMs / 1_000);
  }

  /** `aheadMs`: what a process that counts from its own beginning has been measured to be too far ahead. */
  correct(name: string, aheadMs: number): Promise<void> {
    const file = this.#fileOf(name);
    this.#write(file, this.#files.get(file)! - aheadMs / 1_000);
    return this.pause(2 * LOOKS_EVERY_S);
  }

  /** Puts every process forward. Those that look at the time meanwhile may differ by `ms` for a second of the true clock. */
  async jump(ms: number): Promise<void> {
    const before = performance.now();
    for (const [file, ahead] of this.#files) this.#write(file, ahead + ms / 1_000);
    while (performance.now() - before < ms) await delay(10 * this.speed);
    this.#jumpedMs += ms;
    await this.pause(LOOKS_EVERY_S + 0.2);
  }

  /** By the true clock. */
  pause(seconds: number): Promise<void> {
    return delay(seconds * 1_000 * this.speed);
  }

  /** Since this process began, by the true clock. */
  #trueMs(): number {
    return (performance.now() - this.#jumpedMs) / this.speed;
  }

  get minutes(): number {
    return this.#trueMs() / 60_000;
  }

  #environment(name: string, ahead: number): Record<string, string> {
    const file = this.#fileOf(name);
    this.#write(file, ahead);
    return { LD_PRELOAD: this.library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: String(LOOKS_EVERY_S), NO_FAKE_STAT: '1' };
  }

  #fileOf(name: string): string {
    return join(this.directory, name);
  }

  #write(file: string, ahead: number): void {
    this.#files.set(file, ahead);
    writeFileSync(`${file}.draft`, `${ahead < 0 ? '-' : '+'}${Math.abs(ahead).toFixed(6)} x${this.speed}\n`);
    renameSync(`${file}.draft`, file);
  }
}

function findLibrary(): string {
  const found = readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('this run needs libfaketime (Debian: apt-get install libfaketime)');
  return found;
}
