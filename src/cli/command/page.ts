import type { Host, Output } from '../../host/host.ts';
import { type Paint, paint } from './text.ts';

/** What text for people is written on. */
export interface Page {
  readonly paint: Paint;
  readonly columns: number;
  /** Whether a word longer than a line is broken: on a terminal, where the terminal itself would break it anywhere. */
  readonly isBroken: boolean;
}

/** Longer lines are hard to read, on a wider screen too. */
const widest = 80;

/** Standard output as a page. */
export function pageOf({
  host: { out },
  flags,
}: {
  readonly host: Pick<Host, 'out'>;
  readonly flags: { readonly color: boolean };
}): Page {
  return { paint: paint(flags.color), columns: widthOf(out), isBroken: out.isTTY };
}

const widthOf = ({ isTTY, columns }: Output): number => (isTTY ? Math.min(columns, widest) : widest);
