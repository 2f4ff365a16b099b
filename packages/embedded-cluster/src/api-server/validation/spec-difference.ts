import type { Json } from '../../objects/json.ts';

const contextLines = 3;

type Line = { readonly sign: ' ' | '-' | '+'; readonly text: string };

/** The unified difference of two values as the API server holds them, without the names of files. */
export function specDifference(before: Json, after: Json): string {
  const lines = compared(linesOf(before), linesOf(after));
  return hunks(lines)
    .map(([from, to]) => hunk(lines, from, to))
    .join('');
}

const linesOf = (value: Json): readonly string[] => JSON.stringify(value, undefined, 1).split('\n');

/** The lines of both, with those that both have once: a longest common subsequence. */
function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lengths = commonLengths(before, after);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const sign = nextSign(before, after, lengths, [i, j]);
    lines.push({ sign, text: (sign === '+' ? after[j] : before[i]) ?? '' });
    if (sign !== '+') i += 1;
    if (sign !== '-') j += 1;
  }
  return lines;
}

function nextSign(
  before: readonly string[],
  after: readonly string[],
  lengths: Lengths,
  [i, j]: readonly [number, number],
): Line['sign'] {
  const [was, is] = [before[i], after[j]];
  if (was !== undefined && was === is) return ' ';
  const removes = is === undefined || lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1);
  return was !== undefined && removes ? '-' : '+';
}

type Lengths = readonly (readonly number[])[];
const lengthAt = (lengths: Lengths, i: number, j: number): number => lengths[i]?.[j] ?? 0;

/** The length of the longest common subsequence of what follows each pair of lines. */
function commonLengths(before: readonly string[], after: readonly string[]): Lengths {
  const lengths: number[][] = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] as number[];
      row[j] =
        before[i] === after[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
    }
  return lengths;
}

/** The spans of lines to show: those that changed, with three lines around them. */
function hunks(lines: readonly Line[]): readonly (readonly [from: number, to: number])[] {
  const spans: [number, number][] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const [from, to] = [Math.max(0, index - contextLines), Math.min(lines.length, index + contextLines + 1)];
    const last = spans.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else spans.push([from, to]);
  }
  return spans;
}

function hunk(lines: readonly Line[], from: number, to: number): string {
  const count = (span: readonly Line[], without: Line['sign']) => span.filter(({ sign }) => sign !== without).length;
  const [above, shown] = [lines.slice(0, from), lines.slice(from, to)];
  const range = (without: Line['sign']) => `${count(above, without) + 1},${count(shown, without)}`;
  const text = shown.map((line) => `${line.sign}${line.text}\n`).join('');
  return `@@ -${range('+')} +${range('-')} @@\n${text}`;
}
