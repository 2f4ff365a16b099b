import { type Health, isHealthy } from '../record/health.ts';
import type { DeployEvent } from '../record/states.ts';

/**
 * The line of the deployment log for an event, after the tag, in the words of sections 3.3 and 7 of the specification.
 */
export function sentence(event: DeployEvent): string {
  switch (event.type) {
    case 'directory-change-failed':
      return `Cannot change to the directory: ${event.because}`;
    case 'refused':
    case 'failed':
      return event.because;
    case 'interrupted':
    case 'interruption-deferred':
      return signalSentence(event);
    case 'previous-commit-recorded':
      return `Previous commit: ${event.commit}`;
    case 'fetched':
      return `Fetched commit: ${event.commit}`;
    case 'unchanged':
      return `Nothing to deploy: already at ${event.commit}`;
    case 'start-failed':
      return startSentence(event);
    case 'fetch-failed':
    case 'reset-failed':
      return event.type === 'fetch-failed' ? 'Git fetch failed' : 'Git reset failed';
    case 'reset':
      return `New commit: ${event.commit}`;
    case 'updated':
      return `Updated to ${event.commit}`;
    case 'step-failed':
      return `Step ${event.step} failed: ${event.because}${event.reason ? `: ${event.reason}` : ''}`;
    case 'repaired':
    case 'health-checked':
    case 'health-checked-before':
      return healthSentence(event);
    case 'environment-blamed':
      return `Not the fault of ${event.commit}, which is not quarantined: ${event.because}`;
    case 'target-found':
      return `Rollback to: ${event.commit}`;
    case 'stayed':
      return `Stays at ${event.commit}: ${wayOut(event.better)}`;
    case 'rolled-back':
      return event.untouched ? `Nothing was changed: still at ${event.commit}` : `Rolled back to ${event.commit}`;
    case 'rollback-failed':
      return `The rollback to ${event.commit} failed${event.onDisk === undefined ? '' : `: ${event.onDisk}`}`;
  }
}

function startSentence({ commit, because, step }: Extract<DeployEvent, { readonly type: 'start-failed' }>): string {
  const what = step === undefined ? `The application cannot start` : `Step ${step} fails`;
  return `${what} with commit ${commit}: ${because}`;
}

function signalSentence({ type, signal }: Extract<DeployEvent, { readonly signal: unknown }>): string {
  return type === 'interrupted' ? `Stopped by ${signal}` : `${signal} has come: the rollback is finished first`;
}

function wayOut(better: string | undefined): string {
  if (better === undefined) return 'there is nothing better to go back to';
  return `${better} is what was verified last, and holdfast rollback ${better} goes back to it`;
}

/** curl's spelling: 000 when there was no answer. */
export function statusText(status: number): string {
  return String(status).padStart(3, '0');
}

const healthChecks = {
  repaired: 'Repaired: Health check',
  'health-checked': 'Health check',
  'health-checked-before': 'Health check before the switch',
} as const;
type CheckEvent = Extract<DeployEvent, Health & { readonly commit: string }>;

function healthSentence({ type, commit, ...health }: CheckEvent): string {
  const check = healthChecks[type];
  if (isHealthy(health)) return `${check} passed (200) at ${commit}`;
  const why = health.doubt ?? health.reason;
  return `${check} failed (${statusText(health.status)}) at ${commit}${why === undefined ? '' : `: ${why}`}`;
}
