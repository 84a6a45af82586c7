/** A table as CSV (RFC 4180), safe to open in a spreadsheet. */

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/**
 * Where a spreadsheet would run a cell as a formula: at the start of a value, and after what may begin another cell or line
 * in the middle of it. A spreadsheet in German or French takes a semicolon for the end of a cell.
 */
const FORMULA = /(^|[;\t\r\n"])(?=\s*[=+\-@＝＋－＠])|^(?=\s*[\t\r])/g;

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Marks what would be a formula as text, and quotes what would end the cell. */
function cell(value: string): string {
  const text = NUMBER.test(value) ? value : value.replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
