import { SaxesParser, type SaxesTagNS } from 'saxes';
import { unreadable } from './statement-item.js';

/** Receives the elements of a document, in its order. Paths are local names, joined by `/`, from the root on. */
export interface XmlHandler {
  /** @throws StatementRefused */
  opened(path: string, at: number, attribute: (name: string) => string | undefined, namespace: string): void;
  /** `text`: all text directly in the element, trimmed. @throws StatementRefused */
  closed(path: string, text: string, at: number): void;
}

const DEPTH_MAX = 32;
const TEXT_CHARS_MAX = 4_096;
/** Maximum characters that the parser receives at once: it keeps a text until its end, so a text without an end is detected while it is small. */
const PIECE_CHARS = 8_192;
const UNENDED_CHARS_MAX = 2 * PIECE_CHARS;

/**
 * Reads XML of any size piece by piece. Refuses features that a statement never needs and that only attacks use: a document type, entities other than
 * the five of XML, elements within more than 32 others, a text of more than 4 KiB.
 */
export class XmlElements {
  private readonly parser = new SaxesParser({ xmlns: true, position: true });
  private readonly paths: string[] = [];
  private readonly texts: string[] = [];
  private unended = 0;
  private isEnded = false;

  constructor(handler: XmlHandler) {
    const { parser, paths, texts } = this;
    parser.on('error', ({ message }) => unreadable(parser.line, 'well-formed XML', message.replace(/\.$/, '')));
    parser.on('doctype', () => unreadable(parser.line, 'no document type', 'a DOCTYPE'));
    parser.on('opentag', (tag: SaxesTagNS) => {
      this.unended = 0;
      if (paths.length >= DEPTH_MAX) unreadable(parser.line, `elements within at most ${DEPTH_MAX} others`, tag.local);
      const parent = paths.at(-1);
      const path = parent === undefined ? tag.local : `${parent}/${tag.local}`;
      paths.push(path);
      texts.push('');
      handler.opened(path, parser.line, (name) => tag.attributes[name]?.value, tag.uri);
    });
    const onText = (text: string): void => {
      this.unended = 0;
      if (texts.length === 0) return;
      const all = texts[texts.length - 1] + text;
      if (all.length > TEXT_CHARS_MAX) unreadable(parser.line, `at most ${TEXT_CHARS_MAX} characters of text`, text);
      texts[texts.length - 1] = all;
    };
    parser.on('text', onText);
    parser.on('cdata', onText);
    parser.on('comment', () => (this.unended = 0));
    parser.on('processinginstruction', () => (this.unended = 0));
    parser.on('closetag', () => {
      this.unended = 0;
      handler.closed(paths.pop()!, texts.pop()!.trim(), parser.line);
      if (paths.length === 0) this.isEnded = true;
    });
  }

  /** @throws StatementRefused */
  write(text: string): void {
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      const piece = text.slice(at, at + PIECE_CHARS);
      this.unended += piece.length;
      this.parser.write(piece);
      if (this.unended > UNENDED_CHARS_MAX)
        unreadable(this.parser.line, 'elements, texts and comments that end', `${this.unended} characters of one`);
    }
  }

  /** @throws StatementRefused when the document was cut */
  end(): void {
    if (!this.isEnded) unreadable(this.parser.line, 'the end of the document', 'the end of the file');
    this.parser.close();
  }
}

const DECLARED_BYTES = 256;
const ENCODINGS = new Map([
  ['utf-8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
]);

/**
 * Decodes an XML file by the encoding that it declares.
 * @throws StatementRefused when the encoding is another one, or the bytes do not conform to it
 */
export async function* xmlText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let head: Buffer = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const decode = (bytes: Buffer, stream: boolean): string => {
    decoder ??= decoderOf(head);
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      return unreadable(1, `text in ${decoder.encoding}`, 'other bytes');
    }
  };
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length >= DECLARED_BYTES) yield decode(head, true);
    } else yield decode(chunk, true);
  }
  yield decoder === undefined ? decode(head, false) : decode(Buffer.alloc(0), false);
}

function decoderOf(head: Buffer): TextDecoder {
  const declared = /^[^<]*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(head.toString('latin1', 0, DECLARED_BYTES))?.[1];
  const encoding = ENCODINGS.get((declared ?? 'utf-8').toLowerCase());
  return new TextDecoder(encoding ?? unreadable(1, 'UTF-8 or ISO-8859-1', declared ?? ''), { fatal: true });
}
