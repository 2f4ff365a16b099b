import * as z from 'zod';
import { parseDuration } from './duration.ts';
import { shortestSeconds } from './probe-duration.ts';

/** The time between two probes of the edges, in seconds: 10 ms or more, or 0 for none. */
export const edgesInterval = z.union([z.string(), z.literal(0)]).transform((given, context) => {
  const seconds = given === 0 || given === '0' ? 0 : parseDuration(given);
  if (seconds === 0 || (seconds !== undefined && seconds >= shortestSeconds)) return seconds;
  context.issues.push({ code: 'custom', message: 'must be 10ms or longer, or 0 for none', input: given });
  return z.NEVER;
});

/** Undefined if there are none: what is not faster than the interval sharpens nothing. */
export const edgesWithin = (edges: number, interval: number): number | undefined =>
  edges > 0 && edges < interval ? edges : undefined;
