import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { built } from './built.js';

export interface ServiceProcess {
  /** Empty when it serves no requests. */
  readonly url: string;
  readonly pid: number;
  /** Lines that the process and its children have printed so far. */
  readonly lines: readonly string[];
  /** Closes the reader of its output. */
  closeOutput(): void;
  /** Sends SIGKILL to the process alone: its children must cope. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: the process keeps its resources and does nothing. */
  pause(): void;
  /** Sends SIGCONT. */
  resume(): void;
  /** Returns the exit code. SIGINT stops serving at once; after SIGTERM the process first announces the stop for a second. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
}

/** Starts `src/main.ts` in a separate process. Resolves when it listens, or runs without serving requests. */
export async function startServiceProcess(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<ServiceProcess> {
  const child: ChildProcess = spawn(process.execPath, [built('src/main.js'), ...args], {
    env: { ...process.env, PORT: '0', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${errors.join('\n')}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      lines.push(line);
      const [, is, what] = /^(listening on|running) (.+)/.exec(line) ?? [];
      if (is !== undefined) resolve(is === 'running' ? '' : what!);
    });
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  return {
    url,
    pid: child.pid!,
    lines,
    closeOutput: () => void child.stdout!.destroy(),
    kill: async () => void (await end('SIGKILL')),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: (signal = 'SIGINT') => end(signal),
  };
}
