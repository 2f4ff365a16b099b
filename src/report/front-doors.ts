import { boundedText } from '../figures/figures.js';
import type { RunResult } from '../validation/judge/run-result.ts';
import { inWords } from './cells.ts';

type Door = NonNullable<RunResult['frontDoors']>[number];

/** The scenarios, and what visitors notice in each behind each front door; undefined without `--front-door`. */
export function frontDoorTable({ frontDoors = [], scenarios }: Pick<RunResult, 'frontDoors' | 'scenarios'>) {
  if (frontDoors.length === 0) return undefined;
  const columns = ['Scenario', ...frontDoors.map(({ name, declared }) => (declared ? `${name} (declared)` : name))];
  const rows = scenarios.flatMap(({ name, title }) => {
    const cells = frontDoors.map((door) => noticed(door, name));
    return cells.every((cell) => cell === 'not tested') ? [] : [[title, ...cells]];
  });
  return { columns, rows: [...rows, ['Verdict', ...frontDoors.map(({ verdict }) => verdict)]] };
}

function noticed({ scenarios }: Door, name: string): string {
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined || found.outcome === 'not-tested') return 'not tested';
  if (found.outcome === 'not-applicable') return 'n/a';
  const { outcome, downtime } = found;
  if (downtime === null) return inWords(outcome);
  return `${inWords(outcome)}, ${boundedText(downtime.span)}${shareOf(downtime)}`;
}

function shareOf({ share, span }: NonNullable<Door['scenarios'][number]['downtime']>): string {
  return span.upperSeconds === 0 || share === null || share === undefined
    ? ''
    : `, ${Math.round(100 * share.part)} % of requests`;
}

/** What to set, a row each: the front door, what, why, and what visitors noticed without it and with it. */
export const frontDoorAdvice = ({ frontDoors = [], scenarios }: Pick<RunResult, 'frontDoors' | 'scenarios'>) =>
  frontDoors.flatMap(({ name, advice }) =>
    advice.map(({ what, because, tried, trials }) => {
      const shown = (trials ?? []).map((trial) => trialText(trial, scenarios));
      return [name, what, because, shown.length > 0 ? shown.join('; ') : tried ? 'yes' : 'no'] as const;
    }),
  );

type Trial = NonNullable<Door['advice'][number]['trials']>[number];

function trialText({ scenario, without, with: within }: Trial, scenarios: RunResult['scenarios']): string {
  const title = scenarios.find(({ name }) => name === scenario)?.title ?? scenario;
  const text = (one: Trial['with']) => `${boundedText(one.span)}${shareOf(one)}`;
  return `${title}: without ${text(without)}, with ${text(within)}`;
}

export const adviceColumns = ['Front door', 'Set', 'Because', 'Tried'] as const;
