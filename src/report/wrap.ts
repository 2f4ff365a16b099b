import { wrapAnsi } from 'fast-wrap-ansi';
import { textWidth } from './text-width.ts';

/**
 * Wraps text into lines of at most `width` terminal columns; a longer word has a line of its own, so that it can be
 * copied.
 */
export function wrap(text: string, width: number): readonly string[] {
  return lines(wrapAnsi(together(text), Math.max(1, width)));
}

/** The same for a terminal: a longer word is broken too, after a punctuation mark where it has one. */
export function wrapAll(text: string, width: number): readonly string[] {
  const columns = Math.max(1, width);
  const fitting = together(text.normalize())
    .split(' ')
    .map((word) => pieces(word, columns).join('\n'));
  return lines(wrapAnsi(fitting.join(' '), columns, { hard: true }));
}

/** The words of a text, which no line end divides: a number and its unit are one. */
export const words = (text: string): readonly string[] => together(text).split(' ');

/** A number stays beside its unit. */
const together = (text: string): string =>
  text.replaceAll(/(?<=\d) (?=(?:ms|s|min|h|%|KiB|MiB)(?![\p{L}\p{N}]))/gu, noBreak);
const lines = (wrapped: string): readonly string[] => wrapped.replaceAll(noBreak, ' ').split('\n');
const noBreak = '\u00A0';

function pieces(word: string, columns: number): readonly string[] {
  if (textWidth(word) <= columns) return [word];
  const marks = [...word.slice(0, columns).matchAll(/[^\p{L}\p{N}]/gu)];
  const last = marks.at(-1);
  // Without a mark in its second half the word is broken where the line ends.
  const cut = last === undefined || last.index + 1 < columns / 2 ? columns : last.index + last[0].length;
  return cut >= word.length ? [word] : [word.slice(0, cut), ...pieces(word.slice(cut), columns)];
}
