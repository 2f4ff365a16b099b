import type { Evidence } from '../../src/validation/measure/evidence.ts';
import { at, history } from './changes.ts';
import { downtime } from './results.ts';

/** A window of 200 s, with the action at 1 s and at rest at 100 s. */
export function evidence(over: Partial<Evidence> = {}): Evidence {
  return {
    window: { from: at(0), to: at(200) },
    rounds: [{ openedAt: at(0), actedAt: at(1), restAt: at(100) }],
    downtime: downtime(),
    outages: [],
    history: history([]),
    notes: [],
    observed: [],
    taken: [],
    clock: { offsetSeconds: 0, uncertaintySeconds: 0 },
    ...over,
  };
}
