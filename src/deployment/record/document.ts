import type { Signal } from '../../host/host.ts';
import type { Notification } from '../../notification/notifier.ts';
import type { Performer } from './performer.ts';
import { type DeployEvent, type EndState, isEnd, type State } from './states.ts';
import type { ProbeDocument } from './visitors.ts';

/** `deploy --json` (docs/contract.md, "deploy --json"), also in the fact `run-finished` of the journal. */
export interface DeployDocument {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly state: EndState;
  readonly previousCommit: string | null;
  readonly newCommit: string | null;
  /** HTTP status of the last health check; 0 when there was no answer, null when there was no check. */
  readonly httpStatus: number | null;
  readonly exitCode: number;
  /** Why it did not go well, in a sentence; null where it did. */
  readonly because: string | null;
  /** The step that has failed, as in `steps`; null where none has. */
  readonly failedStep: string | null;
  /** Every health check of a commit that was brought, in order. */
  readonly checks: readonly CheckDocument[];
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly steps: readonly StepDocument[];
  /** Null where the settings ask for no visitors. */
  readonly probe: ProbeDocument | null;
  readonly notifications: readonly Notification[];
  /** Who started the run; null where the checkout could not be entered. */
  readonly by: Performer | null;
  /** Why, in the words of `--message`. */
  readonly message: string | null;
}
export interface CheckDocument {
  readonly commit: string;
  readonly httpStatus: number;
  readonly at: string;
  readonly seconds: number;
}
export interface StepDocument {
  readonly name: string;
  readonly seconds: number;
  readonly exitCode: number;
}

/** The document of a run, derived from its events, steps and times. Times in epoch milliseconds. */
export function deployDocument(run: {
  readonly id: string;
  readonly state: State;
  readonly events: readonly DeployEvent[];
  readonly steps: readonly StepDocument[];
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly notifications: readonly Notification[];
  readonly by: Performer | null;
  readonly message: string | null;
  readonly because: string | null;
  readonly failedStep: string | null;
  readonly probe?: ProbeDocument;
  /** The signal that came during the run. */
  readonly signal?: Signal;
}): DeployDocument {
  const { id, events, steps } = run;
  // Only a defect of the program leaves a run without an end state.
  const state = isEnd(run.state) ? run.state : 'aborted';
  const previous = events.find((event) => event.type === 'previous-commit-recorded');
  const updated = events.find(bringsCommit);
  const checked = events.findLast((event) => event.type === 'health-checked');
  return {
    schemaVersion: 1,
    id,
    state,
    previousCommit: previous?.commit ?? null,
    newCommit: updated?.commit ?? null,
    httpStatus: checked?.status ?? null,
    exitCode: exitCode(state, events, run.signal),
    because: run.because,
    failedStep: run.failedStep,
    checks: events.flatMap(checkOf),
    startedAt: new Date(run.startedAt).toISOString(),
    finishedAt: new Date(run.finishedAt).toISOString(),
    steps: [...steps],
    probe: run.probe ?? null,
    notifications: [...run.notifications],
    by: run.by,
    message: run.message,
  };
}

const checkTypes: ReadonlySet<DeployEvent['type']> = new Set(['health-checked-before', 'health-checked', 'repaired']);

function checkOf(event: DeployEvent): readonly CheckDocument[] {
  if (!checkTypes.has(event.type) || !('status' in event)) return [];
  const { commit, status, at, seconds } = event;
  return at === undefined || seconds === undefined ? [] : [{ commit, httpStatus: status, at, seconds }];
}

/** The event that names the new commit; the command `rollback` has `rolled-back` instead of `reset`. */
function bringsCommit(event: DeployEvent) {
  const { type } = event;
  return type === 'reset' || type === 'unchanged' || type === 'start-failed' || type === 'rolled-back';
}

/**
 * The exit code of a deploy with this end state and these events, during which this signal arrived (docs/contract.md,
 * "Exit codes").
 */
export function exitCode(state: EndState, events: readonly DeployEvent[], signal?: Signal): number {
  if (state === 'rollback-failed') return exitCodes[state];
  const refusal = events.find((event) => event.type === 'refused');
  if (refusal !== undefined) return refusal.exitCode;
  if (signal !== undefined)
    return isSettled(state, events) ? 128 + signalNumbers[signal] : exitCodes['rollback-failed'];
  if (state === 'updated' && events.some(({ type }) => type === 'step-failed' || type === 'failed')) return 1;
  return exitCodes[state];
}

/**
 * Whether the run was finished, or everything that it had changed was put back, and the health check passed where one
 * was asked for.
 */
function isSettled(state: EndState, events: readonly DeployEvent[]): boolean {
  const hasFailed = events.some(({ type }) => type === 'step-failed' || type === 'failed');
  const isUnhealthy =
    state === 'rolled-back-unhealthy' && !events.some((event) => event.type === 'health-checked' && event.unasked);
  return !isUnhealthy && !(state === 'updated' && hasFailed);
}

const exitCodes: Readonly<Record<EndState, number>> = {
  verified: 0,
  unchanged: 0,
  updated: 0,
  aborted: 1,
  'rolled-back': 3,
  'rolled-back-unhealthy': 4,
  'rollback-failed': 5,
};

/** POSIX, signal.h. */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
