import type { Pod } from '../../cluster/resources.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ValidationFact } from '../record/events.ts';
import type { NameSeen, NameSource, Observed } from '../record/observed.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/** What a scenario wants to be looked at while it runs, besides the cluster: the application's name, or what its pods use. */
export type Observable = 'name' | 'cpu';

/** Looks again and again and tells what it sees, until the signal is aborted. It never throws: what cannot be seen is a fact too. */
export type Observe = (run: Observing, see: (observed: Observed) => void, signal: AbortSignal) => Promise<void>;

/** What was seen last, for deciding whether a scenario has settled. */
export interface Seen {
  readonly name?: Readonly<Partial<Record<NameSource, NameSeen>>>;
}

/** What is observed with. */
export interface Observing {
  readonly site: Site;
  readonly settings: Settings;
  readonly journal: Journal<ValidationFact>;
  /** The application's pods, as the watch has them now. */
  readonly timeline: { readonly now: () => { readonly pods: readonly Pod[] } };
  /** Aborted when the run must not go on. */
  readonly signal: AbortSignal;
}
