/** A Markdown table; cells are escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map((cells) => row(cells.map(escapeCell)))].join('\n');

/** Text as code. Backslashes are doubled nowhere in code spans, pipes must be. */
export const code = (text: string): string => `\`${text}\``;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const escapeCell = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
