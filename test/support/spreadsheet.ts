/** The cells of a file as spreadsheets read them: quotes count at the beginning of a cell alone, and text after the closing one belongs to it. */
function cellsOf(file: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= file.length;) {
    let cell = '';
    if (file[at] === '"') {
      for (at += 1; at < file.length; at += 1) {
        if (file[at] === '"' && file[(at += 1)] !== '"') break;
        cell += file[at] ?? '';
      }
    }
    for (; at < file.length && file[at] !== delimiter && file[at] !== '\n' && file[at] !== '\r'; at += 1) cell += file[at];
    cells.push(cell);
    at += file.startsWith('\r\n', at) ? 2 : 1;
  }
  return cells;
}

/** Cells that a spreadsheet would run, or read as something else than the text that they are. A plain number is one. */
export const runningCells = (file: string, delimiter: string): string[] =>
  cellsOf(file, delimiter).filter((cell) => /^\s*[=+\-@＝＋－＠]|^[\t\r]/.test(cell) && !/^-?\d+$/.test(cell));
