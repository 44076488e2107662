type Cell = string | number | bigint | boolean | null;

/** One row of RFC 4180, its line end included. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.toString();
  const harmless = harmlessInSpreadsheets(value);
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Keeps a text from being a formula by an apostrophe: where it begins as one, also in full width or behind blanks and quotes, and behind
 * whatever ends a cell where a spreadsheet's locale separates by `;` or tabs. A quote in the middle of a line quotes nothing
 * there, and the one that ends this cell would begin another.
 */
function harmlessInSpreadsheets(text: string): string {
  return text.replace(BEGINNING, "'").replaceAll(WITHIN, "$1'");
}

const STARTS = '[=+\\-@\uff1d\uff0b\uff0d\uff20]';
const BEGINNING = new RegExp(`^(?=[\\t\\r\\n]|[\\s"]*${STARTS})`);
const WITHIN = new RegExp(`(\\r\\n|[;\\t\\r\\n])(?=[\\t\\r](?!\\n)|[\\s"]*(?:${STARTS}|$))`, 'g');
