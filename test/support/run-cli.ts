import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { built } from './built.js';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `chargebook <args>` as a process of its own, as operators run it. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>>, cwd?: string): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [built('src/cli/main.js'), ...args], { env: { PATH: process.env.PATH, ...env }, ...(cwd !== undefined && { cwd }) });
}

export async function runCli(args: readonly string[], env: Readonly<Record<string, string>>, cwd?: string): Promise<Run> {
  const child = startCli(args, env, cwd);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}
