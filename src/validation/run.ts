import type { Journal } from '../journal/journal.ts';
import type { ValidationFact } from './events.ts';
import type { Monitor } from './monitor.ts';
import type { Site } from './scenario.ts';
import type { Settings } from './settings.ts';
import type { Timeline } from './timeline.ts';

/** A procedure under way: what every phase has at hand. */
export interface Run {
  readonly site: Site;
  readonly settings: Settings;
  readonly journal: Journal<ValidationFact>;
  readonly monitor: Monitor;
  readonly timeline: Timeline;
  /** A name for the next action, unlike any other of this run. */
  readonly newActionId: () => string;
  /** Aborted by a signal of the operating system: stop acting, undo, end. */
  readonly signal: AbortSignal;
}

/** Looks once a second until it is so; says false when the limit passes first. */
export async function until(
  { site, signal }: Pick<Run, 'site' | 'signal'>,
  limitSeconds: number,
  isSo: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const { clock } = site.host;
  const endsAt = clock.monotonicSeconds() + limitSeconds;
  while (!(await isSo())) {
    if (clock.monotonicSeconds() >= endsAt) return false;
    await clock.sleep(1, signal);
  }
  return true;
}
