import { boundedText } from '../figures/figures.js';
import type { Compared, RunResult, SeededScenario } from '../validation/judge/run-result.ts';
import { inWords } from './cells.ts';

export const againstColumns = ['Scenario', 'Before', 'After', 'Change'] as const;

type Result = Pick<RunResult, 'against' | 'scenarios'>;

/**
 * A table for each application that was rehearsed with both sets of manifests, with its name where there are several;
 * none without `--against`.
 */
export function againstTables({ against, scenarios }: Result) {
  if (against === undefined) return [];
  const compared = against.applications ?? [{ application: undefined, scenarios: against.scenarios }];
  return compared
    .map((one) => ({ application: one.application, rows: rowsOf(one.scenarios, scenarios) }))
    .filter(({ application, rows }) => application === undefined || rows.length > 0);
}

/** A row for each scenario that was rehearsed with both. */
function rowsOf(compared: Compared['scenarios'], scenarios: RunResult['scenarios']) {
  return compared.flatMap(({ name, before, after, change }) => {
    if (before.verdict === 'not-tested' || after.verdict === 'not-tested') return [];
    const title = scenarios.find((one) => one.name === name)?.title ?? name;
    return [[title, measured(before), measured(after), change] as const];
  });
}

/** In a sentence, with the criteria that changed. */
export function againstSentence({ against }: Pick<RunResult, 'against'>): string | undefined {
  if (against === undefined) return undefined;
  const { applications = [{ application: undefined, ...against }] } = against;
  const changed = applications.flatMap(({ application, criteria }) =>
    criteria
      .filter(({ change }) => change !== 'same')
      .map(({ number, before, after }) => {
        const whose = application === undefined ? '' : ` of ${application}`;
        return `criterion ${number}${whose} was ${inWords(before)} and is ${inWords(after)}`;
      }),
  );
  const alone = (against.applications ?? []).flatMap(({ application, only }) => {
    if (only === undefined) return [];
    return [only === 'after' ? `${application} is new` : `visitors do not reach ${application} any more`];
  });
  const whole = {
    better: 'This change makes it better',
    worse: 'This change makes it worse',
    same: 'This change changes nothing beyond the bounds',
  };
  const seeds = `${against.seeds.length} seeds each`;
  return [`${whole[against.change]}, beside ${against.paths.join(', ')}, ${seeds}`, ...changed, ...alone].join('; ');
}

function measured({ verdict, downtime }: SeededScenario): string {
  if (downtime === null) return inWords(verdict);
  // Of several seeds, so that there is no middle.
  return `${inWords(verdict)}, ${boundedText({ ...downtime.span, seconds: downtime.span.upperSeconds })}`;
}
