import { duration } from './read-settings.ts';

/** A hundred probes a second of one target are load, no longer probing. */
const shortestSeconds = 0.01;

/** A duration of a probe, or between two, given to the program in seconds: `10ms` or longer. */
export const probeDuration = duration.refine((seconds) => seconds >= shortestSeconds, {
  error: 'must be 10ms or longer',
});
