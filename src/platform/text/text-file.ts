import { readFile } from 'node:fs/promises';

/** A person's file has an encoding that cannot be read. The message is one line that names it. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText';
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Returns the text of a file of any origin: UTF-8 or UTF-16, with or without a byte order mark, with any line ends. @throws UnreadableText */
export async function readText(file: string): Promise<string> {
  return textOf(await readFile(file), file);
}

/** Does the same for bytes in memory. @param name name of the file, for the error. @throws UnreadableText */
export function textOf(bytes: Buffer, name: string): string {
  try {
    return withLineFeeds(new TextDecoder(encodingOf(bytes, name), { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof UnreadableText) throw error;
    throw new UnreadableText(`${name} is no text in UTF-8 or UTF-16, but perhaps in Windows-1252 or Latin-1: save it as UTF-8`);
  }
}

/**
 * Does the same for a file of any length, piece by piece. Invalid bytes become U+FFFD, and line ends are unchanged.
 * @param chunks chunks of bytes. @throws UnreadableText
 */
export async function* textChunks(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const bytes of chunks) {
    decoder ??= new TextDecoder(encodingOf(bytes, name));
    yield decoder.decode(bytes, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

/**
 * Determines the encoding by its mark; without one, by the position of the zeros of the first character, which is ASCII in every file that is read
 * here.
 */
function encodingOf(bytes: Buffer, name: string): Encoding {
  const begin = bytes.subarray(0, 4).toString('hex').padEnd(8, '-');
  if (/^(?:fffe0000|0000feff|000000(?!00)|(?!00)..000000)/.test(begin)) throw new UnreadableText(`${name} is in UTF-32: save it as UTF-8`);
  if (/^(?:fffe|(?!00)..00)/.test(begin)) return 'utf-16le';
  return /^(?:feff|00(?!00))/.test(begin) ? 'utf-16be' : 'utf-8';
}

const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
