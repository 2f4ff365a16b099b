import { boundedText, downtimeCell } from '../figures/figures.js';
import { applicationName } from '../validation/applications.ts';
import type { Finding } from '../validation/finding.ts';
import type { ApplicationResult, RunResult } from '../validation/judge/run-result.ts';
import { scenarioNamed } from '../validation/scenarios/index.ts';
import { sumOfSpans } from '../validation/window-downtime.ts';
import { notMeasured } from './cells.ts';

export const applicationColumns = ['Application', 'Verdict', 'Downtime', 'Longest in', 'Not as expected'] as const;

/**
 * A row for each application of the manifests of `-f`, if there are several: its downtime in all scenarios but the DNS
 * failure, in which every application has to be down, the scenario with the most downtime, and what was not as
 * expected.
 */
export function applicationRows({ applications = [], scenarios }: Pick<RunResult, 'applications' | 'scenarios'>) {
  if (applications.length < 2) return [];
  return applications.map((one) => {
    const name = applicationName(one, applications);
    const hits = scenarios.flatMap(({ name: scenario, title, targets = [] }) => {
      if (scenarioNamed(scenario)?.sparesNone) return [];
      const downtime = targets.find(({ application }) => application === name)?.downtime ?? null;
      return downtime === null ? [] : [{ title, downtime }];
    });
    const down = hits
      .filter(({ downtime }) => downtime.span.upperSeconds > 0)
      .toSorted((a, b) => b.downtime.span.seconds - a.downtime.span.seconds);
    const [longest, ...others] = down.map(({ downtime }) => downtime);
    const total =
      longest !== undefined && others.length === 0
        ? downtimeCell(longest)
        : boundedText(sumOfSpans(down.map(({ downtime }) => downtime.span)));
    const where = down[0]?.title ?? '';
    return [name, one.verdict, hits.length === 0 ? notMeasured : total, where, failed(one).join('; ')] as const;
  });
}

/** The applications that a finding is about, if the run has several and it is not about all of them; else empty. */
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
