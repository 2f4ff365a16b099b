/** Columns padded to their widest cell, two spaces between; the last column wraps so that no line is longer than `width`. */
export function table(rows: readonly (readonly string[])[], width = 80): string {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const left = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  return rows
    .map((row) => {
      const start = row
        .slice(0, count - 1)
        .map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2))
        .join('');
      const lines = wrap(row[count - 1] ?? '', Math.max(20, width - left));
      return lines
        .map((line, index) => `${index === 0 ? start.padEnd(left) : ' '.repeat(left)}${line}`.trimEnd())
        .join('\n');
    })
    .join('\n');
}

/** Words on lines of at most that length; a word that is longer has a line of its own. */
export function wrap(text: string, length: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > length) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
