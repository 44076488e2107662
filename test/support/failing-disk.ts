import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVER_ENVIRONMENT } from '../../src/platform/embedded-postgres/embedded-binaries.js';

const SOURCE = fileURLToPath(new URL('failing-disk.c', import.meta.url));

/** The faults of failing-disk.c, which reads the first letter. */
export type DiskFault = 'flushes fail' | 'lost and not flushed' | 'torn and not flushed' | 'writes fail';

/** A disk whose faults are switched on and off, under every embedded Postgres that this process starts from now on. */
export class FailingDisk {
  readonly #directory = mkdtempSync(join(tmpdir(), 'chargebook-disk-'));
  readonly #fault = join(this.#directory, 'fault');

  private constructor() {
    // Postgres does not run as root, where we do.
    chmodSync(this.#directory, 0o755);
  }

  /** Undefined where a library cannot be compiled and put before the system's: another system than Linux, no `cc`. */
  static install(): FailingDisk | undefined {
    if (process.platform !== 'linux') return undefined;
    const disk = new FailingDisk();
    const library = join(disk.#directory, 'failing-disk.so');
    try {
      execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl'], { stdio: 'ignore' });
    } catch {
      disk.remove();
      return undefined;
    }
    Object.assign(SERVER_ENVIRONMENT, { LD_PRELOAD: library, FAILING_DISK: disk.#fault });
    return disk;
  }

  fail(fault: DiskFault): void {
    writeFileSync(`${this.#fault}.draft`, fault);
    renameSync(`${this.#fault}.draft`, this.#fault);
  }

  heal(): void {
    rmSync(this.#fault, { force: true });
  }

  remove(): void {
    delete SERVER_ENVIRONMENT['LD_PRELOAD'];
    rmSync(this.#directory, { recursive: true });
  }
}
