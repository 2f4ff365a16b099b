import type { Pod } from '../../cluster/resources.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ValidationFact } from '../record/events.ts';
import type { NameSeen, NameSource, Observed } from '../record/observed.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/** What a scenario observes besides the cluster: the DNS name of the application, or the CPU usage of its pods. */
export type Observable = 'name' | 'cpu';

/**
 * Observes again and again until the signal is aborted, and calls back with each change. Never rejects: what cannot be
 * read is a fact too.
 */
export type Observe = (
  observing: Observing,
  onObserved: (observed: Observed) => void,
  signal: AbortSignal,
) => Promise<void>;

/** The latest observation of each source, from which a scenario decides whether it has settled. */
export interface LatestObserved {
  readonly name?: Readonly<Partial<Record<NameSource, NameSeen>>>;
}

/** What is observed with. */
export interface Observing {
  readonly site: Site;
  readonly settings: Settings;
  readonly journal: Journal<ValidationFact>;
  /** The newest view of the watch: the application's pods. */
  readonly timeline: { readonly now: () => { readonly pods: readonly Pod[] } };
  /** Aborted when the run must not go on. */
  readonly signal: AbortSignal;
}
