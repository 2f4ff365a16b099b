import type { Settings } from '../settings.ts';
import type { ValidationFact } from './events.ts';
import { ofType } from './records.ts';

/**
 * Whether this instant, epoch milliseconds, lies in a scenario that only demonstrates something on an application of
 * its owner: from scaling it down until that is undone, also before the window. An outage then is what was shown
 * (docs/decisions/0053-the-owners-numbers.md).
 */
export function isDemonstrated(
  at: number,
  facts: readonly ValidationFact[],
  { manifests }: Pick<Settings, 'manifests'>,
  scenarios: readonly { readonly name: string; readonly demonstrates?: true }[],
): boolean {
  if (manifests !== 'none') return false;
  const names = scenarios.filter(({ demonstrates }) => demonstrates).map(({ name }) => name);
  const finished = ofType(facts, 'scenario-finished');
  return ofType(facts, 'scenario-started')
    .filter(({ scenario }) => names.includes(scenario))
    .some((started) => {
      const ended = finished.find(({ scenario }) => scenario === started.scenario);
      return at >= Date.parse(started.at) && ended !== undefined && at <= Date.parse(ended.at);
    });
}
