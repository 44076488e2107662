import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { built } from './built.js';

export interface ServiceProcess {
  /** Empty when it serves no requests. */
  readonly url: string;
  readonly pid: number;
  /** What it, and what it started, has printed so far. */
  readonly lines: readonly string[];
  /** Whoever reads what it prints goes away. */
  closeOutput(): void;
  /** SIGKILL to the process alone: what it started must cope. */
  kill(): Promise<void>;
  /** SIGSTOP: it holds what it has and does nothing. */
  pause(): void;
  /** SIGCONT */
  resume(): void;
  /** The exit code. SIGINT stops serving at once; at SIGTERM it first says for a second that it is about to. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
}

/** `src/main.ts` as a process of its own, once it listens, or runs where it serves no requests. */
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
