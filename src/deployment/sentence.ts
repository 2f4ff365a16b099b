import type { DeployEvent } from './states.ts';

/** What the deployment log says of an event, after the tag. The words of sections 3.3 and 7 of the specification. */
export function sentence(event: DeployEvent): string {
  switch (event.type) {
    case 'directory-change-failed':
      return `Cannot change to the directory: ${event.because}`;
    case 'refused':
    case 'failed':
      return event.because;
    case 'interrupted':
      return `Stopped by ${event.signal}`;
    case 'previous-commit-recorded':
      return `Previous commit: ${event.commit}`;
    case 'fetch-failed':
      return 'Git fetch failed';
    case 'fetched':
      return `Fetched commit: ${event.commit}`;
    case 'unchanged':
      return `Nothing to deploy: already at ${event.commit}`;
    case 'reset-failed':
      return 'Git reset failed';
    case 'reset':
      return `New commit: ${event.commit}`;
    case 'updated':
      return `Updated to ${event.commit}`;
    case 'cache-step-failed':
      return `Cache step ${event.step} failed with exit code ${event.exitCode}`;
    case 'health-checked':
      return healthSentence(event.status, event.commit);
    case 'target-found':
      return `Rollback to: ${event.commit}`;
    case 'stayed':
      return `Stays at ${event.commit}: a rollback is not rolled back`;
    case 'rolled-back':
      return `Rolled back to ${event.commit}`;
    case 'rollback-failed':
      return `The rollback to ${event.commit} failed`;
  }
}

/** curl's spelling: 000 when there was no answer. */
export function statusText(status: number): string {
  return String(status).padStart(3, '0');
}

function healthSentence(status: number, commit: string): string {
  return status === 200
    ? `Health check passed (200) at ${commit}`
    : `Health check failed (${statusText(status)}) at ${commit}`;
}
