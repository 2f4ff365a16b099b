import type { Host } from '../../../src/host/host.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { keepOutput } from '../../support/kept-output.ts';

const real = nodeHost();

/** The real host, whose outputs are kept instead of shown. */
export function quietHost(): Host & { readonly said: () => string; readonly printed: () => string } {
  const kept = { said: '', printed: '' };
  const output = (name: 'said' | 'printed') => ({
    write: (text: string) => {
      kept[name] += text;
      keepOutput(text, 'in-process');
    },
    isTTY: false,
    columns: 80,
    rows: 24,
  });
  return {
    ...real,
    talk: output('said'),
    out: output('printed'),
    said: () => kept.said,
    printed: () => kept.printed,
  };
}
