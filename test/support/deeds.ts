import type { Begun } from '../../src/validation/actions/action.ts';
import type { PlannedAction } from '../../src/validation/actions/index.ts';
import { performAction } from '../../src/validation/actions/perform-action.ts';
import type { Run } from '../../src/validation/procedure/run.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import type { ApiSite } from './api-site.ts';

/** Deeds as a run makes them, with a journal in memory. */
export interface Deeds {
  readonly facts: readonly ValidationFact[];
  readonly journal: Run['journal'];
  /** What was begun, newest last. */
  readonly begun: readonly Begun[];
  act(planned: PlannedAction): Promise<void>;
}

export function deedsOn({ site, it }: ApiSite, signal = new AbortController().signal): Deeds {
  const facts: ValidationFact[] = [];
  const begun: Begun[] = [];
  const record: Run['journal']['record'] = (fact) => {
    facts.push(JSON.parse(JSON.stringify({ at: new Date(it.clock.wallAt()).toISOString(), ...fact })));
  };
  const journal = { record, intend: async (fact: Parameters<typeof record>[0]) => record(fact), flush: async () => {} };
  const run = {
    ...{ site, signal, journal: { ...journal, close: journal.flush } },
    monitor: { readyToAct: async () => {} } as unknown as Run['monitor'],
    allows: async () => true,
    newActionId: () => `action-${begun.length + 1}`,
  };
  return {
    ...{ facts, begun, journal: run.journal },
    act: async (planned) => {
      await performAction(run, null, planned, (one) => begun.push(one));
    },
  };
}
