import type { Signal } from '../../host/host.ts';
import type { StepDocument } from '../record/document.ts';
import type { RunFactOf } from '../record/events.ts';
import { type DeployEvent, next, type State } from '../record/states.ts';
import type { DeploymentLog } from './deployment-log.ts';
import { sentence } from './sentence.ts';
import type { RunWatch } from './watch.ts';

/** The state of a run and its events; `advance` is the only change of state. */
export interface RunProgress {
  readonly state: State;
  readonly events: readonly DeployEvent[];
  readonly steps: readonly StepDocument[];
  /** The signal that had come when the last event happened: one that comes later finds a run that is decided. */
  readonly signal: Signal | undefined;
  /** Whether an event has happened that leads to a notification (section 6 of the specification). */
  readonly notifies: boolean;
  /** Makes the event's transition (section 3.3), writes its log line and its fact, and returns the new state. */
  advance(event: DeployEvent): Promise<State>;
  /** For those who watch: a step that may take so long. */
  beginStep(name: string, atMostSeconds: number): void;
  finishStep(step: StepDocument): void;
}

export function trackProgress(
  watch: Pick<RunWatch, 'stepBegun' | 'stepFinished'>,
  log: DeploymentLog,
  received: () => Signal | undefined,
  record: (fact: RunFactOf) => void,
): RunProgress {
  let state: State = 'started';
  const events: DeployEvent[] = [];
  const steps: StepDocument[] = [];
  let notifies = false;
  let signal: Signal | undefined;
  const happen = async (event: DeployEvent): Promise<void> => {
    const transition = next(state, event);
    if (transition === undefined) throw new Error(`'${event.type}' cannot happen in the state '${state}'`);
    record({ type: 'state-changed', from: state, to: transition.to, event });
    state = transition.to;
    events.push(event);
    notifies ||= transition.notify === true;
    if (transition.log !== undefined) await log.line(transition.log, sentence(event));
  };
  return {
    get state() {
      return state;
    },
    get signal() {
      return signal;
    },
    get notifies() {
      return notifies;
    },
    events,
    steps,
    async advance(event) {
      signal = received();
      for (const each of signal === undefined ? [event] : afterSignal(state, event, signal)) await happen(each);
      return state;
    },
    beginStep: watch.stepBegun,
    finishStep(step) {
      steps.push(step);
      record({ type: 'step-finished', ...step });
      watch.stepFinished(step);
    },
  };
}

/**
 * The events that follow when a signal has arrived before this event. A success that ends the run stays; a failure is
 * attributed to the signal; any other event is recorded and then interrupted. A rollback that has left its first
 * commit, by command or automatically, is finished: in between, the tree and the caches would be of two commits.
 */
export function afterSignal(state: State, event: DeployEvent, signal: Signal): readonly DeployEvent[] {
  const to = next(state, event)?.to;
  if (to === 'returned') return [event, { type: 'interruption-deferred', signal }];
  const interrupted: DeployEvent = { type: 'interrupted', signal };
  // Always reports what could not be put back.
  if (to === undefined || to === 'rollback-failed' || next(state, interrupted) === undefined) return [event];
  if (next(to, interrupted) !== undefined) return [event, interrupted];
  return successes.has(to) ? [event] : [interrupted];
}

const successes: ReadonlySet<State> = new Set(['verified', 'unchanged', 'updated']);
