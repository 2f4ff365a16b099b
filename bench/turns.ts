import { spawnSync } from 'node:child_process';
import { median } from './median.ts';

/** What one run of a program cost, start to exit: its CPU time is that of all its threads. */
export interface Cost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

type Figure = keyof Cost;

/** The shell's own word for what its child cost: seconds of wall clock, user and system. */
const timed = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1 || exit';

/** Runs Node with these words; throws if it ends with another code than 0. */
export function costOf(words: readonly string[]): Cost {
  const command = ['-c', timed, 'bash', process.execPath, ...words];
  const { status, stderr } = spawnSync('bash', command, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
  const [wallSeconds = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return { wallSeconds, cpuSeconds: user + system };
}

/**
 * The costs of each program, turn by turn, so that a busy moment of the machine meets all. A first turn, which makes
 * the code cache, is not counted.
 */
export function inTurns<Name extends string>(
  turns: number,
  programs: Readonly<Record<Name, () => readonly string[]>>,
): Readonly<Record<Name, readonly Cost[]>> {
  const names = Object.keys(programs) as Name[];
  const costs = Object.fromEntries(names.map((name) => [name, [] as Cost[]])) as Record<Name, Cost[]>;
  for (let turn = -1; turn < turns; turn += 1)
    for (const name of names) {
      const cost = costOf(programs[name]());
      if (turn >= 0) costs[name].push(cost);
    }
  return costs;
}

export const medianOf = (costs: readonly Cost[], figure: Figure): number => median(costs.map((cost) => cost[figure]));

/** The median over the turns of how many times the other's cost the one had in that turn. */
export const ratioOf = (costs: readonly Cost[], others: readonly Cost[], figure: Figure): number =>
  median(costs.map((cost, turn) => cost[figure] / (others[turn]?.[figure] ?? Number.NaN)));
