import { readText, UnreadableText } from '../platform/text/text-file.js';
import { CommandFailed, whyUnreadable } from './failures.js';

/** Returns the JSON of a file. @throws CommandFailed */
export async function jsonOf(path: string): Promise<unknown> {
  const text = await readText(path).catch((error: unknown) => {
    throw error instanceof UnreadableText ? error : unreadable(path, error);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandFailed(`${path} is not valid JSON: ${(error as Error).message}`);
  }
}

/** The file does not exist, or may not be read. */
export const unreadable = (path: string, error: unknown): CommandFailed => new CommandFailed(`${path} cannot be read: ${whyUnreadable(error)}`);
