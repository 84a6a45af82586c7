/** A table as CSV (RFC 4180), safe to open in a spreadsheet. */

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A spreadsheet would run a cell that starts like a formula, so it is marked as text. */
function cell(value: string): string {
  const text = /^\s*[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
