/** A table as CSV (RFC 4180) that no spreadsheet takes for formulas. */

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A cell that a spreadsheet would calculate is marked as text. */
function cell(value: string): string {
  const text = /^\s*[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
