/** The reader of the standard output has closed it, like `| head`. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** The output stream of a command. */
export interface Sink {
  /** Resolves when the process has passed the text on, so that a caller that awaits it has only one piece in memory. @throws OutputClosed */
  write(text: string): Promise<void>;
}

export function sinkOf(stream: NodeJS.WritableStream): Sink {
  // Each write reports its own failure; without a listener the stream would also end the process.
  stream.on('error', () => undefined);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error?: NodeJS.ErrnoException | null) => {
          if (!error) resolve();
          else if (error.code === 'EPIPE') reject(new OutputClosed());
          else reject(new Error(`cannot write the output: ${error.message}`));
        });
      }),
  };
}

/** Returns columns with titles, two spaces apart; numbers are right-aligned. Without rows, only the titles. */
export function table(titles: readonly string[], rows: readonly (readonly (string | number | bigint | null)[])[]): string {
  const cells = rows.map((row) => row.map((value) => (value === null ? '–' : printable(String(value)))));
  const isNumeric = titles.map((_, column) => rows.length > 0 && rows.every((row) => ['number', 'bigint'].includes(typeof row[column])));
  const widths = titles.map((title, column) => Math.max(title.length, ...cells.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => {
        const padding = ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...text].length));
        return isNumeric[column] ? padding + text : text + padding;
      })
      .join('  ')
      .trimEnd();
  return [titles.map((title) => title.toUpperCase()), ...cells].map(line).join('\n');
}

/** Removes control characters, so that a merchant's name cannot move the cursor. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
