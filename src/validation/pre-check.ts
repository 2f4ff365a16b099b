import type { Journal } from '../journal/journal.ts';
import { type Checked, lookSafely } from './checks/check.ts';
import { checks } from './checks/index.ts';
import type { ValidationFact } from './events.ts';
import type { Finding } from './finding.ts';

/** Phase 1 of 4.1, mandatory: the findings that stop the run, none when it may go on. Writes nothing to the cluster. */
export async function preCheck(
  about: Checked,
  journal: Pick<Journal<ValidationFact>, 'record'>,
): Promise<readonly Finding[]> {
  const stopping: Finding[] = [];
  for (const check of checks) {
    const finding = await lookSafely(check, about);
    journal.record({ type: 'check-finished', mandatory: check.mandatory, finding });
    if (check.mandatory && finding.severity === 'error') stopping.push(finding);
  }
  return stopping;
}
