/** One row of RFC 4180, its line end included. */
export function csvRow(cells: readonly (string | number | bigint | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | bigint | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return value.toString();
  const harmless = harmlessInSpreadsheets(value);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Spreadsheets run a text that begins so as a formula; behind an apostrophe it stays text. */
function harmlessInSpreadsheets(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
