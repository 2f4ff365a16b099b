import { duration } from './read-settings.ts';

/** More than a hundred probes a second of one target would be load. */
export const shortestSeconds = 0.01;

/** A duration of 10 ms or more, in seconds: the timeout of a probe or the interval between two. */
export const probeDuration = duration.refine((seconds) => seconds >= shortestSeconds, {
  error: 'must be 10ms or longer',
});
