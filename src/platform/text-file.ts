import { readFile } from 'node:fs/promises';

/** A file that a person has handed over is in an encoding that cannot be read. The message is one line that names it. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText';
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Text of a file, whoever has saved it: UTF-8 or UTF-16, with or without a byte order mark, lines that end in any way. @throws UnreadableText */
export async function readText(file: string): Promise<string> {
  return textOf(await readFile(file), file);
}

/** The same of bytes that were read already. @param name of the file, for the error. @throws UnreadableText */
export function textOf(bytes: Buffer, name: string): string {
  try {
    return withLineFeeds(new TextDecoder(encodingOf(bytes, name), { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof UnreadableText) throw error;
    throw new UnreadableText(`${name} is no text in UTF-8 or UTF-16, but perhaps in Windows-1252 or Latin-1: save it as UTF-8`);
  }
}

/**
 * The same of a file of any length, piece by piece. What its encoding does not allow is U+FFFD, and line ends stay as they are.
 * @param chunks of bytes. @throws UnreadableText
 */
export async function* textChunks(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const bytes of chunks) {
    decoder ??= new TextDecoder(encodingOf(bytes, name));
    yield decoder.decode(bytes, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

/** By its mark; without one by where the zeros of its first character stand, which is one of ASCII in everything that is read here. */
function encodingOf(bytes: Buffer, name: string): Encoding {
  const begin = bytes.subarray(0, 4).toString('hex').padEnd(8, '-');
  if (/^(?:fffe0000|0000feff|000000(?!00)|(?!00)..000000)/.test(begin)) throw new UnreadableText(`${name} is in UTF-32: save it as UTF-8`);
  if (/^(?:fffe|(?!00)..00)/.test(begin)) return 'utf-16le';
  return /^(?:feff|00(?!00))/.test(begin) ? 'utf-16be' : 'utf-8';
}

const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
