import { printable } from './printable.ts';

/** Source text of HTML, SVG or XML. Only `markup` makes it, so nothing in it is unescaped. */
export interface Markup {
  readonly [source]: string;
}

const source = Symbol('source');

/** A value in a template: text and numbers are escaped, markup stays as it is, undefined is left out. */
export type Piece = string | number | Markup | undefined | readonly Piece[];

/** A template of HTML, SVG or XML. Every value in it is escaped, in text and in quoted attributes alike. */
export function markup(template: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return { [source]: String.raw({ raw: template }, ...pieces.map(sourceOf)) };
}

/** The text to be written to a file. */
export function sourceOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (typeof piece === 'number') return String(piece);
  if (typeof piece === 'string') return printable(piece).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return isMarkup(piece) ? piece[source] : piece.map(sourceOf).join('');
}

function isMarkup(piece: Markup | readonly Piece[]): piece is Markup {
  return source in piece;
}
