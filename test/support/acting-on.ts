import type { Begun } from '../../src/validation/actions/action.ts';
import type { PlannedAction } from '../../src/validation/actions/index.ts';
import { type Acting, performAction } from '../../src/validation/actions/perform-action.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import type { ApiSite } from './api-site.ts';

/** Actions performed as a run performs them, with a journal in memory. */
export interface ActingOn {
  readonly facts: readonly ValidationFact[];
  readonly journal: Acting['journal'];
  /** The actions that were begun, newest last. */
  readonly begun: readonly Begun[];
  act(planned: PlannedAction): Promise<void>;
}

export function actingOn({ site, it }: ApiSite, signal = new AbortController().signal): ActingOn {
  const facts: ValidationFact[] = [];
  const begun: Begun[] = [];
  const record: Acting['journal']['record'] = (fact) => {
    facts.push(JSON.parse(JSON.stringify({ at: new Date(it.clock.wallAt()).toISOString(), ...fact })));
  };
  const flush = async () => {};
  const journal: Acting['journal'] = { record, intend: async (fact) => record(fact), flush, close: flush };
  const acting: Acting = {
    site,
    signal,
    journal,
    monitor: { readyToAct: async () => {} },
    allows: async () => true,
    newActionId: () => `action-${begun.length + 1}`,
  };
  return {
    facts,
    journal,
    begun,
    act: async (planned) => {
      await performAction(acting, null, planned, (one) => begun.push(one));
    },
  };
}
