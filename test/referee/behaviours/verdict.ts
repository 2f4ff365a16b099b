import type { Behaviour, Observed } from './behaviour.ts';

export interface Compared {
  readonly behaviour: Pick<Behaviour, 'name' | 'deed'>;
  readonly real: readonly Observed[];
  readonly embedded: readonly Observed[];
}
export type Verdict = 'alike' | 'objects or events differ' | 'a user measures another' | 'not possible' | 'not run';

/**
 * Two figures are alike when the spans of both clusters' runs, widened by this much, meet. The real one's own noise
 * between two runs was up to 2 s for a step of some seconds, and up to its loop's period of 10 s for what waits for
 * Karpenter's disruption loop.
 */
const noiseSeconds = 2;
const noiseShare = 0.15;

export function verdictOf({ real, embedded }: Compared): {
  readonly verdict: Verdict;
  readonly because: readonly string[];
} {
  if (real.length === 0 || embedded.length === 0) return { verdict: 'not run', because: [] };
  const impossible = [...real, ...embedded].flatMap((one) => one.impossible ?? []);
  if (impossible.length > 0) return { verdict: 'not possible', because: [...new Set(impossible)] };
  const measured = measuredDifferences(real.map(asMeasured), embedded.map(asMeasured));
  if (measured.length > 0) return { verdict: 'a user measures another', because: measured };
  const objects = objectDifferences(real, embedded);
  return objects.length > 0
    ? { verdict: 'objects or events differ', because: objects }
    : { verdict: 'alike', because: [] };
}

/** What a user measured in one run: seconds, counts and what was seen, by name. */
export type Measured = Readonly<Record<string, number | string>>;

export const asMeasured = (one: Observed): Measured => ({
  ...one.steps,
  'without endpoints': one.withoutSeconds,
  'too few endpoints': one.tooFewSeconds,
  'least endpoints': one.leastEndpoints,
});

/** What differs of the steps that the real runs have; those of a recording may be fewer than those that are played. */
export function measuredDifferences(there: readonly Measured[], here: readonly Measured[]): readonly string[] {
  const steps = [...new Set(there.flatMap((one) => Object.keys(one)))];
  return steps.flatMap((step) => {
    const [a, b] = [valuesOf(there, step), valuesOf(here, step)];
    return isAlike(a, b, step) ? [] : [`${step}: really ${span(a)}, here ${span(b)}`];
  });
}

type Value = number | string | undefined;
const valuesOf = (runs: readonly Measured[], step: string): readonly Value[] => runs.map((one) => one[step]);

function isAlike(a: readonly Value[], b: readonly Value[], step: string): boolean {
  const [x, y] = [a.filter(isNumber), b.filter(isNumber)];
  if (x.length < a.length || y.length < b.length) return a.some((value) => b.includes(value));
  const most = Math.max(...x, ...y);
  const slack = step.startsWith('least') || step.startsWith('count') ? 0 : noiseSeconds + noiseShare * most;
  return Math.min(...x) - slack <= Math.max(...y) && Math.min(...y) - slack <= Math.max(...x);
}

const isNumber = (value: Value): value is number => typeof value === 'number';

function span(values: readonly Value[]): string {
  const numbers = values.filter(isNumber);
  if (numbers.length < values.length) return [...new Set(values)].join(' or ');
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? String(least) : `${least} to ${most}`;
}

function objectDifferences(real: readonly Observed[], embedded: readonly Observed[]): readonly string[] {
  const names = [...new Set([...real, ...embedded].flatMap(({ objects }) => Object.keys(objects)))];
  const objects = names.flatMap((name) => {
    const [a, b] = [real, embedded].map((runs) => runs.map((one) => one.objects[name])) as [Value[], Value[]];
    return a.some((value) => b.includes(value))
      ? []
      : [`${name}: really ${[...new Set(a)].join(' or ')}, here ${[...new Set(b)].join(' or ')}`];
  });
  const eventsOf = (runs: readonly Observed[]) => new Set(runs.flatMap(({ events }) => events));
  const [there, here] = [eventsOf(real), eventsOf(embedded)];
  const [missing, surplus] = [[...there.difference(here)], [...here.difference(there)]];
  return [
    ...objects,
    ...(missing.length > 0 ? [`events only really: ${missing.join(', ')}`] : []),
    ...(surplus.length > 0 ? [`events only here: ${surplus.join(', ')}`] : []),
  ];
}

/** A Markdown table, and how many there are of each verdict. */
export function tableOf(all: readonly Compared[]): string {
  const judged = all.map((one) => ({ ...one, ...verdictOf(one) }));
  const rows = judged.map(
    ({ behaviour, verdict, because, real }) =>
      `| \`${behaviour.name}\` | ${behaviour.deed} | ${verdict} | ${because.join('; ').replaceAll('|', '\\|')} | ${real.length} |`,
  );
  const counts = Map.groupBy(judged, ({ verdict }) => verdict);
  const summary = [...counts].map(([verdict, { length }]) => `${length} ${verdict}`).join(', ');
  return [
    '| Behaviour | Deed | Verdict | Difference, s | real runs |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    summary,
  ].join('\n');
}
