import type { Observed } from '../record/observed.ts';
import { observeCpu } from './cpu.ts';
import { observeName } from './name.ts';
import type { LatestObserved, Observable, Observe, Observing } from './observation.ts';

export interface Observation extends AsyncDisposable {
  readonly now: () => LatestObserved;
}

const observers: Readonly<Record<Observable, Observe>> = { name: observeName, cpu: observeCpu };

/** Observes and journals until it is disposed of or the run is stopped. With nothing to observe it does nothing. */
export function observe(observing: Observing, what: Observable | undefined): Observation {
  const ending = new AbortController();
  let name: NonNullable<LatestObserved['name']> = {};
  const onObserved = (observed: Observed): void => {
    observing.journal.record(observed);
    if (observed.type === 'name-seen') name = { ...name, [observed.by]: observed };
  };
  const signal = AbortSignal.any([ending.signal, observing.signal]);
  const ended = what === undefined ? Promise.resolve() : observers[what](observing, onObserved, signal);
  return {
    now: () => (what === 'name' ? { name } : {}),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await ended;
    },
  };
}
