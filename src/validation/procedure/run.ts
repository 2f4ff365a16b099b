import type { Journal } from '../../journal/journal.ts';
import type { Begun } from '../actions/action.ts';
import type { AllowsDeed } from '../actions/consent.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { Timeline } from '../observe/timeline.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Undo } from '../record/undo.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/** A procedure under way: what every phase has at hand. */
export interface Run {
  readonly site: Site;
  readonly settings: Settings;
  readonly journal: Journal<ValidationFact>;
  readonly monitor: Monitor;
  readonly timeline: Timeline;
  /** A name for the next action, unlike any other of this run. */
  readonly newActionId: () => string;
  /** Aborted by a signal of the operating system, or when the run must not go on: stop acting, undo, end. */
  readonly signal: AbortSignal;
  /** Undoes what was begun, newest first. What cannot be undone ends the run: nothing more is done to such a cluster. */
  readonly undo: (begun: Begun) => Promise<Undo>;
  /** Asks a person about what nothing undoes. */
  readonly allows: AllowsDeed;
}
