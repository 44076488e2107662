import { fork, spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { built } from './built.js';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that a host runs (`cli-host.ts`). */
export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface Report extends Run {
  readonly isReusable: boolean;
}

/** Starts `chargebook <args>` in a separate process, as operators run it. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>>, cwd?: string): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [built('src/cli/main.js'), ...args], { env: { PATH: process.env.PATH, ...env }, ...(cwd !== undefined && { cwd }) });
}

/** `chargebook <args>` from its start to its end, in a process that may have run others before. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>>, cwd = process.cwd()): Promise<Run> {
  const host = idle.pop() ?? startHost();
  const ended = new AbortController();
  hold(host);
  host.send({ args, env: { PATH: process.env.PATH, ...env }, cwd } satisfies Command);
  const [reported] = (await Promise.race([
    once(host, 'message', { signal: ended.signal }),
    once(host, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`chargebook ${args.join(' ')}: its process ended with ${code}`);
    }),
  ]).finally(() => ended.abort())) as [Report];
  const { isReusable, ...run } = reported;
  if (isReusable) idle.push(letGo(host));
  else host.disconnect();
  return run;
}

/** One after the other finds the same one, those at the same time find one each. */
const idle: ChildProcess[] = [];

function startHost(): ChildProcess {
  return fork(built('test/support/cli-host.js'), { env: { PATH: process.env.PATH }, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Nothing else may keep the run of the tests alive that waits for it. */
function hold(host: ChildProcess): void {
  host.ref();
  host.channel!.ref();
}

/** The run of the tests may end, and the host with it. */
function letGo(host: ChildProcess): ChildProcess {
  host.unref();
  host.channel!.unref();
  return host;
}
