import { applicationName } from '../validation/applications.ts';
import type { Finding } from '../validation/finding.ts';
import type { ApplicationResult, RunResult } from '../validation/judge/run-result.ts';
import { scenarioNamed } from '../validation/scenarios/index.ts';
import { notMeasured, withSlow } from './cells.ts';

export const applicationColumns = ['Application', 'Verdict', 'Downtime', 'Longest in', 'Not as expected'] as const;

/**
 * A row for each application of somebody's own manifests, where there are several: its downtime in all scenarios but the DNS failure, in which
 * every application has to be down, the scenario that hit it most, and what of it was not as expected.
 */
export function applicationRows({ applications = [], scenarios }: Pick<RunResult, 'applications' | 'scenarios'>) {
  if (applications.length < 2) return [];
  return applications.map((one) => {
    const name = applicationName(one, applications);
    const hits = scenarios.flatMap(({ name: scenario, title, targets = [] }) => {
      if (scenarioNamed(scenario)?.sparesNone) return [];
      const downtime = targets.find(({ application }) => application === name)?.downtime ?? null;
      return downtime === null ? [] : [{ title, seconds: downtime.seconds, slowSeconds: downtime.slowSeconds }];
    });
    const sum = (of: (hit: (typeof hits)[number]) => number) => hits.reduce((total, hit) => total + of(hit), 0);
    const [longest] = hits.toSorted((a, b) => b.seconds - a.seconds);
    const where = longest === undefined || longest.seconds === 0 ? '' : longest.title;
    const total = withSlow({ seconds: sum((hit) => hit.seconds), slowSeconds: sum((hit) => hit.slowSeconds) });
    return [name, one.verdict, hits.length === 0 ? notMeasured : total, where, failed(one).join('; ')] as const;
  });
}

/** Of which applications a finding is, where the run has several and it is not about all of them; else empty. */
export const whoseFinding = ({ of = [] }: Pick<Finding, 'of'>): string => of.join(', ');

/** Its criteria and scenarios that are not as expected. */
function failed({ criteria = [], scenarios = [] }: ApplicationResult): readonly string[] {
  const numbers = criteria.filter(({ outcome }) => outcome === 'not-met').map(({ number }) => number);
  const names = scenarios.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name);
  return [
    ...(numbers.length === 0 ? [] : [`${numbers.length === 1 ? 'criterion' : 'criteria'} ${numbers.join(', ')}`]),
    ...(names.length === 0 ? [] : [names.join(', ')]),
  ];
}
