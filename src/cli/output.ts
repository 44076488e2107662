/** Nobody reads the standard output any more, as behind `| head`. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** Where a command writes. */
export interface Sink {
  /** Resolves when the text is out of the process's hands, so that who awaits it holds no more than one piece in memory. @throws OutputClosed */
  write(text: string): Promise<void>;
}

export function sinkOf(stream: NodeJS.WritableStream): Sink {
  // Each write reports its own failure; without a listener the stream would end the process as well.
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

/** Columns under their titles, two spaces apart; numbers to the right. Nothing for no rows but the titles. */
export function table(titles: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  const cells = rows.map((row) => row.map((value) => (value === null ? '–' : printable(String(value)))));
  const isNumeric = titles.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
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

/** A merchant's name must not move the cursor. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
