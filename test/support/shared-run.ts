import { type Rehearsed, rehearse } from './rehearse.ts';

const runs = new Map<string, Promise<Rehearsed>>();

/**
 * A whole rehearsal that tests only read: one in a process for each seed and defect. Its folder goes with the process.
 */
export function sharedRun(seed = 1, defect?: string): Promise<Rehearsed> {
  const key = `${seed} ${defect}`;
  const run = runs.get(key) ?? rehearse(processEnd, { seed, world: defect === undefined ? {} : { defects: [defect] } });
  runs.set(key, run);
  return run;
}

const processEnd = { after: (end: unknown) => void process.once('exit', end as () => void) };
