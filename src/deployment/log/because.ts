import { isHealthy } from '../record/health.ts';
import type { DeployEvent, State } from '../record/states.ts';
import { sentence } from './sentence.ts';

/** Why a run did not go well, and which of its steps has failed: `because` and `failedStep` of `deploy --json`. */
export interface Because {
  readonly because: string | null;
  /** As in `steps`; null where it was no step, as with a lock that another run holds. */
  readonly failedStep: string | null;
}

export function becauseOf(state: State, events: readonly DeployEvent[]): Because {
  const cause = state === 'verified' || state === 'unchanged' ? undefined : events.find(isCause);
  return { because: cause === undefined ? null : whole(cause), failedStep: stepOf(cause) };
}

/** The log has git's own words before its line, which is the specification's. */
const whole = (cause: DeployEvent): string =>
  (cause.type === 'fetch-failed' || cause.type === 'reset-failed') && cause.because !== undefined
    ? `${sentence(cause)}: ${cause.because}`
    : sentence(cause);

/** Whether the event is a failure, or a signal. What comes after the first one follows from it. */
export function isCause(event: DeployEvent): boolean {
  if (event.type === 'health-checked' || event.type === 'health-checked-before') return !isHealthy(event);
  return causes.has(event.type);
}

const causes: ReadonlySet<DeployEvent['type']> = new Set([
  'directory-change-failed',
  'refused',
  'failed',
  'interrupted',
  'fetch-failed',
  'start-failed',
  'reset-failed',
  'step-failed',
  'rollback-failed',
]);

function stepOf(cause: DeployEvent | undefined): string | null {
  switch (cause?.type) {
    case 'step-failed':
      return cause.step;
    case 'fetch-failed':
      return 'fetch';
    case 'reset-failed':
      return 'reset';
    case 'start-failed':
      return cause.step ?? 'start aside';
    case 'health-checked':
      return 'health';
    case 'health-checked-before':
      return 'health before';
    default:
      return null;
  }
}
