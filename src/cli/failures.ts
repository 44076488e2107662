import { Option } from 'commander';

/** The command cannot be carried out. The message is one line. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The option of `requireEvents`. */
export const emptyOption = (): Option =>
  new Option('--empty', 'accept a log without events; otherwise that is exit 1, for the log is then probably another one');

/** Without events nothing was verified: the command probably reads another log. @throws CommandFailed */
export function requireEvents(events: number, isAccepted = false): void {
  if (events === 0 && !isAccepted) throw new CommandFailed('nothing was verified, because the log has no events; --empty accepts that');
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is a file',
};

/** Returns why a file that a person named cannot be read, in few words. */
export function whyUnreadable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

/** Returns a failure in one line. Node's own words for a file are those of a system call. */
export function inOneLine(error: unknown): string {
  return wordsOf(error)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { path, code = '' } = error as NodeJS.ErrnoException;
  return path !== undefined && code in REASONS ? `${path}: ${whyUnreadable(error)}` : error.message || error.name;
}
