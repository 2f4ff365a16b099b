import type { Output } from '../../host/host.ts';
import { fitted } from './hanging-indent.ts';

/** Writes sentences for people: on a terminal wrapped to its width, elsewhere a line each. */
export function say(out: Output, ...sentences: readonly string[]): void {
  for (const sentence of sentences) {
    const lines = sentence.split('\n').map((line) => fitted(out, '', line, 2));
    out.write(`${lines.join('\n')}\n`);
  }
}

export const sayMistakes = (out: Output, mistakes: readonly string[]): void =>
  say(out, ...mistakes.map((mistake) => `holdfast: ${mistake}`));
