import type { RunResult, SeededScenario } from '../validation/judge/run-result.ts';
import { inWords, seconds } from './cells.ts';

export const againstColumns = ['Scenario', 'Before', 'After', 'Change'] as const;

/** A row for each scenario that was rehearsed with both sets of manifests; none without `--against`. */
export function againstRows({ against, scenarios }: Pick<RunResult, 'against' | 'scenarios'>) {
  return (against?.scenarios ?? []).flatMap(({ name, before, after, change }) => {
    if (before.verdict === 'not-tested' || after.verdict === 'not-tested') return [];
    const title = scenarios.find((one) => one.name === name)?.title ?? name;
    return [[title, measured(before), measured(after), change] as const];
  });
}

/** In a sentence, with the criteria that changed. */
export function againstSentence({ against }: Pick<RunResult, 'against'>): string | undefined {
  if (against === undefined) return undefined;
  const changed = against.criteria
    .filter(({ change }) => change !== 'same')
    .map(({ number, before, after }) => `criterion ${number} was ${inWords(before)} and is ${inWords(after)}`);
  const whole = {
    better: 'This change makes it better',
    worse: 'This change makes it worse',
    same: 'This change changes nothing beyond the bounds',
  };
  const seeds = `${against.seeds.length} seeds each`;
  return [`${whole[against.change]}, beside ${against.paths.join(', ')}, ${seeds}`, ...changed].join('; ');
}

function measured({ verdict, downtime }: SeededScenario): string {
  if (downtime === null) return inWords(verdict);
  const { lowerSeconds, upperSeconds } = downtime;
  return `${inWords(verdict)}, ${upperSeconds === 0 ? seconds(0) : `${lowerSeconds.toFixed(0)} to ${upperSeconds.toFixed(0)} s`}`;
}
