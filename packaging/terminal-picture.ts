/**
 * The screen of a terminal, with its escape sequences for colours (ECMA-48, SGR), as SVG. What a line sets holds in the
 * next one, as tmux writes it.
 */
export function terminalPicture(screen: string, columns: number): string {
  const lines = screen.split('\n');
  const style: Style = { isBold: false, isFaint: false };
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = lines.length * cell.height + 2 * margin;
  const texts = lines.map(
    (line, row) => `<text x="${margin}" y="${margin + (row + 1) * cell.height - 4}">${spans(line, style)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#d7dde4" xml:space="preserve">`,
    '<title>What the terminal shows</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#14191f"/>`,
    ...texts,
    '</svg>\n',
  ].join('\n');
}

const cell = { width: 8.43, height: 19 };
const margin = 14;
const colours: Readonly<Record<string, string>> = { '31': '#ff7b72', '32': '#56d364', '33': '#e3b341' };
const escapeByte = String.fromCharCode(0x1b);

interface Style {
  fill?: string | undefined;
  isBold: boolean;
  isFaint: boolean;
}

function spans(line: string, style: Style): string {
  return line
    .split(new RegExp(`(${escapeByte}\\[[0-9;]*m)`))
    .map((piece) => {
      if (!piece.startsWith(escapeByte)) return piece === '' ? '' : span(piece, style);
      for (const code of piece.slice(2, -1).split(';')) change(style, code);
      return '';
    })
    .join('');
}

function change(style: Style, code: string): void {
  if (code === '0' || code === '') Object.assign(style, { fill: undefined, isBold: false, isFaint: false });
  if (code === '1') style.isBold = true;
  if (code === '2') style.isFaint = true;
  if (code === '22') Object.assign(style, { isBold: false, isFaint: false });
  if (code === '39') style.fill = undefined;
  style.fill = colours[code] ?? style.fill;
}

function span(text: string, { fill, isBold, isFaint }: Style): string {
  const looks = [
    fill === undefined ? '' : ` fill="${fill}"`,
    isBold ? ' font-weight="bold"' : '',
    isFaint ? ' opacity="0.65"' : '',
  ].join('');
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00A0');
  return `<tspan${looks}>${safe}</tspan>`;
}
