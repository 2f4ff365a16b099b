import type { Observed } from '../record/observed.ts';
import { observeCpu } from './cpu.ts';
import { observeName } from './name.ts';
import type { Observable, Observe, Observing, Seen } from './observation.ts';

export interface Observation extends AsyncDisposable {
  readonly now: () => Seen;
}

const observers: Readonly<Record<Observable, Observe>> = { name: observeName, cpu: observeCpu };

/** Looks until it is disposed of, or the run is stopped; without anything to look at it sees nothing. */
export function observe(run: Observing, what: Observable | undefined): Observation {
  const ending = new AbortController();
  let name: NonNullable<Seen['name']> = {};
  const see = (observed: Observed): void => {
    run.journal.record(observed);
    if (observed.type === 'name-seen') name = { ...name, [observed.by]: observed };
  };
  const signal = AbortSignal.any([ending.signal, run.signal]);
  const ended = what === undefined ? Promise.resolve() : observers[what](run, see, signal);
  return {
    now: () => (what === 'name' ? { name } : {}),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await ended;
    },
  };
}
