import type { RunResult } from '../validation/judge/run-result.ts';
import { applicationName } from '../validation/judge/with-applications.ts';
import { notMeasured, seconds } from './cells.ts';

export const applicationColumns = ['Application', 'Verdict', 'Downtime', 'Longest in'] as const;

/**
 * A row for each application of somebody's own manifests, where there are several: its downtime in all scenarios but the DNS failure, in which
 * every application has to be down, and the scenario that hit it most.
 */
export function applicationRows({ applications = [], scenarios }: Pick<RunResult, 'applications' | 'scenarios'>) {
  if (applications.length < 2) return [];
  return applications.map((one) => {
    const name = applicationName(one, applications);
    const hits = scenarios.flatMap(({ name: scenario, title, targets = [] }) => {
      if (scenario === 'dns-failure') return [];
      const downtime = targets.find(({ application }) => application === name)?.downtime ?? null;
      return downtime === null ? [] : [{ title, seconds: downtime.seconds }];
    });
    const total = hits.reduce((sum, hit) => sum + hit.seconds, 0);
    const [longest] = hits.toSorted((a, b) => b.seconds - a.seconds);
    const where = longest === undefined || longest.seconds === 0 ? '' : longest.title;
    return [name, one.verdict, hits.length === 0 ? notMeasured : seconds(total), where] as const;
  });
}
