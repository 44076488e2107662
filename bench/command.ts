import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Resources that one process used, without those of Postgres. */
export interface Usage {
  readonly cpu_seconds: number;
  readonly peak_mib: number;
}

export interface Ran<Answer> extends Usage {
  readonly answer: Answer;
  readonly seconds: number;
}

/** Runs a command of the built CLI in a separate process, as an operator does, with `--json`. */
export async function runCommand<Answer>(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Ran<Answer>> {
  const cli = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
  const reporting = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\n'+JSON.stringify(process.resourceUsage())))`;
  const begun = performance.now();
  const child = spawn(process.execPath, ['--import', reporting, cli, ...args, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [answered, reported] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (answered += text.toString()));
  child.stderr.on('data', (text: Buffer) => (reported += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  const seconds = (performance.now() - begun) / 1_000;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${reported}`);
  const used = JSON.parse(reported.trim().split('\n').at(-1)!) as NodeJS.ResourceUsage;
  const cpu_seconds = (used.userCPUTime + used.systemCPUTime) / 1e6;
  return { answer: JSON.parse(answered) as Answer, seconds, cpu_seconds, peak_mib: Math.round(used.maxRSS / 1_024) };
}

/** Unit of the CPU times in `/proc/<pid>/stat` on Linux. */
const TICKS_PER_SECOND = 100;

const readProc = (pid: number, name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');

/** CPU seconds of one process since its start, without its children; null without /proc or without such a process. */
export async function cpuSeconds(pid: number): Promise<number | null> {
  const stat = await readProc(pid, 'stat');
  // The process's name may contain spaces, so fields are counted after it: the 12th is user time, the 13th system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? null : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export async function childrenOf(pid: number): Promise<number[]> {
  return (await readProc(pid, `task/${pid}/children`)).trim().split(' ').filter(Boolean).map(Number);
}

/**
 * Usage of a running process and its running children since their start: the sum of their CPU, and the highest peak. Null without /proc or
 * without such a process.
 */
export async function usageOf(pid: number): Promise<Usage | null> {
  const [cpu_seconds, status, children] = await Promise.all([cpuSeconds(pid), readProc(pid, 'status'), childrenOf(pid)]);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (cpu_seconds === null || peak === undefined) return null;
  const own = { cpu_seconds, peak_mib: Math.round(Number(peak) / 1_024) };
  const others = await Promise.all(children.map(usageOf));
  return others.reduce<Usage>(
    (all, each) => ({ cpu_seconds: all.cpu_seconds + (each?.cpu_seconds ?? 0), peak_mib: Math.max(all.peak_mib, each?.peak_mib ?? 0) }),
    own,
  );
}
