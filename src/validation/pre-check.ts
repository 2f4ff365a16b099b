import type { Journal } from '../journal/journal.ts';
import { checks } from './checks/index.ts';
import type { ValidationFact } from './events.ts';
import type { Finding } from './finding.ts';
import type { Site } from './scenario.ts';
import type { Settings } from './settings.ts';

/** Phase 1 of 4.1, mandatory: the findings that stop the run, none when it may go on. Writes nothing to the cluster. */
export async function preCheck(
  site: Site,
  settings: Settings,
  journal: Pick<Journal<ValidationFact>, 'record'>,
): Promise<readonly Finding[]> {
  const stopping: Finding[] = [];
  for (const { mandatory, look } of checks) {
    const finding = await look(site, settings);
    journal.record({ type: 'check-finished', mandatory, finding });
    if (mandatory && finding.severity === 'error') stopping.push(finding);
  }
  return stopping;
}
