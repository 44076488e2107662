/** One row of RFC 4180, its line end included. */
export function csvRow(cells: readonly (string | number | bigint | boolean | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | bigint | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.toString();
  const harmless = harmlessInSpreadsheets(value);
  // A semicolon and a tab separate cells where a spreadsheet's locale says so.
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Spreadsheets run a text that begins so as a formula, also in full width and behind spaces; behind an apostrophe it stays text. */
function harmlessInSpreadsheets(text: string): string {
  return /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/.test(text) ? `'${text}` : text;
}
