type Cell = string | number | bigint | boolean | null;

/** One row of RFC 4180, with its line end. */
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
 * Adds an apostrophe where a spreadsheet would read a formula: at the start of the text, also in full width or after blanks and quotes, and after
 * each character that ends a cell when the spreadsheet's locale separates by `;` or tabs. There, a quote in the middle of a line quotes nothing, and
 * the closing quote of this cell would open another.
 */
function harmlessInSpreadsheets(text: string): string {
  return text.replace(BEGINNING, "'").replaceAll(WITHIN, "$1'");
}

const STARTS = '[=+\\-@\uff1d\uff0b\uff0d\uff20]';
const BEGINNING = new RegExp(`^(?=[\\t\\r\\n]|[\\s"]*${STARTS})`);
const WITHIN = new RegExp(`(\\r\\n|[;\\t\\r\\n])(?=[\\t\\r](?!\\n)|[\\s"]*(?:${STARTS}|$))`, 'g');
