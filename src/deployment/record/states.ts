import type { Signal } from '../../host/host.ts';
import { type Health, isHealthy } from './health.ts';

/**
 * The transition of an event in a state (section 3.3 of the specification, and what it leaves open); undefined where
 * the event cannot happen.
 */
export function next(state: State, event: DeployEvent, rows = transitions): Transition | undefined {
  return rows.find((row) => row.from === state && row.on === event.type && (row.when?.(event) ?? true));
}

/** `returned`: the command `rollback` has brought the site to its commit, which is not verified yet. */
export type State = 'started' | 'fetched' | 'reset' | 'returned' | 'rolling-back' | EndState;
/** How a deploy ends: `state` in `deploy --json` (docs/contract.md). */
export type EndState =
  | 'verified'
  | 'unchanged'
  | 'updated'
  | 'rolled-back'
  | 'rolled-back-unhealthy'
  | 'rollback-failed'
  | 'aborted';

export function isEnd(state: State): state is EndState {
  return !['started', 'fetched', 'reset', 'returned', 'rolling-back'].includes(state);
}

export type DeployEvent =
  | { readonly type: 'directory-change-failed'; readonly because: string }
  | { readonly type: 'refused'; readonly because: string; readonly exitCode: 1 | 2 | 6 }
  | { readonly type: 'failed'; readonly because: string }
  | { readonly type: 'interrupted'; readonly signal: Signal }
  | { readonly type: 'interruption-deferred'; readonly signal: Signal }
  | { readonly type: 'previous-commit-recorded'; readonly commit: string }
  | ({ readonly type: 'repaired'; readonly commit: string } & Health)
  | { readonly type: 'fetch-failed'; readonly because?: string }
  | { readonly type: 'fetched'; readonly commit: string }
  | { readonly type: 'unchanged'; readonly commit: string }
  /**
   * The application cannot start with the new commit, or fails in a step of its caches, as a copy aside has shown:
   * nothing was changed.
   */
  | { readonly type: 'start-failed'; readonly commit: string; readonly because: string; readonly step?: string }
  | { readonly type: 'reset-failed'; readonly because?: string }
  | { readonly type: 'reset'; readonly commit: string }
  | { readonly type: 'updated'; readonly commit: string }
  | ({ readonly type: 'step-failed'; readonly step: string } & StepTrouble)
  | ({ readonly type: 'health-checked'; readonly commit: string } & Health)
  /** A release was asked before visitors are led to it. */
  | ({ readonly type: 'health-checked-before'; readonly commit: string } & Health)
  | { readonly type: 'environment-blamed'; readonly commit: string; readonly because: string }
  | { readonly type: 'target-found'; readonly commit: string }
  | { readonly type: 'rolled-back'; readonly commit: string; readonly untouched?: true }
  | { readonly type: 'stayed'; readonly commit: string; readonly better?: string }
  /** `onDisk` says which files are not the commit's. */
  | { readonly type: 'rollback-failed'; readonly commit: string; readonly onDisk?: string };

/** Why a step failed. */
export interface StepTrouble {
  readonly because: string;
  /** What the command itself said of it, in one line. */
  readonly reason?: string;
  /** PHP found no artisan, so that the site may not be Laravel's. */
  readonly lacks?: 'artisan';
  /** Another server did not give what it has to: that says nothing of the commit. */
  readonly isElsewhere?: true;
}
/** A step that failed, of the settings or of holdfast itself. */
export type StepFailure = Extract<DeployEvent, { type: 'step-failed' }>;

export type Tag = 'INFO' | 'ERROR' | 'SUCCESS' | 'ROLLBACK';

export interface Transition {
  readonly from: State;
  readonly on: DeployEvent['type'];
  readonly when?: (event: DeployEvent) => boolean;
  readonly to: State;
  /** The tag of the log line; none where the step logs by itself. */
  readonly log?: Tag;
  /** Whether the end that this leads to is notified (section 6 of the specification). */
  readonly notify?: true;
}

const healthy = (event: DeployEvent): boolean =>
  (event.type === 'health-checked' || event.type === 'health-checked-before') && isHealthy(event);
const unhealthy = (event: DeployEvent): boolean => !healthy(event);

export const transitions: readonly Transition[] = [
  { from: 'started', on: 'directory-change-failed', to: 'aborted', log: 'ERROR' },
  { from: 'started', on: 'fetch-failed', to: 'aborted', log: 'ERROR', notify: true },
  { from: 'started', on: 'fetched', to: 'fetched' },
  { from: 'fetched', on: 'reset-failed', to: 'aborted', log: 'ERROR', notify: true },
  { from: 'fetched', on: 'reset', to: 'reset', log: 'INFO' },
  { from: 'reset', on: 'health-checked', when: healthy, to: 'verified', log: 'SUCCESS', notify: true },
  // The last row of 3.3 is two events here, because the rollback between them can fail.
  { from: 'reset', on: 'health-checked', when: unhealthy, to: 'rolling-back', log: 'ERROR' },
  { from: 'rolling-back', on: 'rolled-back', to: 'rolled-back', log: 'ROLLBACK', notify: true },

  // Step 3 of 4.3, and what table 3.3 leaves open.
  { from: 'started', on: 'previous-commit-recorded', to: 'started', log: 'INFO' },
  { from: 'started', on: 'repaired', to: 'started', log: 'INFO' },
  { from: 'started', on: 'rollback-failed', to: 'rollback-failed', log: 'ERROR', notify: true },
  { from: 'started', on: 'unchanged', to: 'unchanged', log: 'INFO' },
  { from: 'started', on: 'refused', to: 'aborted', log: 'ERROR' },
  { from: 'started', on: 'failed', to: 'aborted', log: 'ERROR', notify: true },
  { from: 'started', on: 'interrupted', to: 'aborted', log: 'ERROR', notify: true },
  { from: 'fetched', on: 'refused', to: 'aborted', log: 'ERROR' },
  { from: 'fetched', on: 'failed', to: 'aborted', log: 'ERROR', notify: true },
  { from: 'fetched', on: 'interrupted', to: 'aborted', log: 'ERROR', notify: true },
  { from: 'fetched', on: 'unchanged', to: 'unchanged', log: 'INFO' },
  { from: 'fetched', on: 'start-failed', to: 'rolling-back', log: 'ERROR' },
  { from: 'aborted', on: 'rollback-failed', to: 'rollback-failed', log: 'ERROR', notify: true },
  { from: 'reset', on: 'failed', to: 'rolling-back', log: 'ERROR' },
  { from: 'reset', on: 'interrupted', to: 'rolling-back', log: 'ERROR' },
  { from: 'reset', on: 'step-failed', to: 'rolling-back', log: 'ERROR' },
  { from: 'reset', on: 'health-checked-before', when: healthy, to: 'reset', log: 'INFO' },
  { from: 'reset', on: 'health-checked-before', when: unhealthy, to: 'rolling-back', log: 'ERROR' },
  { from: 'reset', on: 'updated', to: 'updated', log: 'SUCCESS', notify: true },
  { from: 'updated', on: 'step-failed', to: 'updated', log: 'ERROR' },
  { from: 'updated', on: 'failed', to: 'updated', log: 'ERROR' },
  { from: 'rolling-back', on: 'step-failed', to: 'rolling-back', log: 'ERROR' },
  { from: 'rolling-back', on: 'environment-blamed', to: 'rolling-back', log: 'INFO' },
  { from: 'rolling-back', on: 'rollback-failed', to: 'rollback-failed', log: 'ERROR', notify: true },
  { from: 'rolled-back', on: 'environment-blamed', to: 'rolled-back', log: 'INFO' },
  { from: 'rolled-back', on: 'health-checked', when: healthy, to: 'rolled-back', log: 'INFO', notify: true },
  {
    from: 'rolled-back',
    on: 'health-checked',
    when: unhealthy,
    to: 'rolled-back-unhealthy',
    log: 'ERROR',
    notify: true,
  },

  // The command `rollback`: the site stays at the commit that was asked for.
  { from: 'started', on: 'target-found', to: 'fetched', log: 'INFO' },
  { from: 'fetched', on: 'rollback-failed', to: 'rollback-failed', log: 'ERROR', notify: true },
  { from: 'fetched', on: 'rolled-back', to: 'returned', log: 'ROLLBACK' },
  { from: 'returned', on: 'interruption-deferred', to: 'returned', log: 'INFO' },
  { from: 'returned', on: 'health-checked', when: healthy, to: 'verified', log: 'SUCCESS', notify: true },
  { from: 'returned', on: 'health-checked', when: unhealthy, to: 'rolling-back', log: 'ERROR' },
  { from: 'returned', on: 'updated', to: 'updated', log: 'SUCCESS', notify: true },
  { from: 'returned', on: 'step-failed', to: 'rolling-back', log: 'ERROR' },
  { from: 'returned', on: 'failed', to: 'rolling-back', log: 'ERROR' },
  { from: 'rolling-back', on: 'stayed', to: 'rolled-back-unhealthy', log: 'ERROR', notify: true },
];
