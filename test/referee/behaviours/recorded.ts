import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { behaviours } from './index.ts';
import { readObserved } from './play-all.ts';
import { asMeasured, type Measured } from './verdict.ts';

const file = join(import.meta.dirname, 'recorded.json');

/** By the seconds in which a machine's kubelet starts after CreateFleet. */
type Recorded = Readonly<Record<string, Readonly<Record<string, readonly Measured[]>>>>;

/**
 * What was measured on the real cluster, a run each, by behaviour. Of the first days, on a busy machine, only the
 * figures that differed then were kept (docs/behaviours.md): a behaviour played twice then is here as the least and the
 * most of both, unless it was played again.
 */
export const recorded = (): Recorded => JSON.parse(readFileSync(file, 'utf8')) as Recorded;

/**
 * Adds the real runs that `run.ts behaviours --side real --out DIR` has written: `node recorded.ts DIR/behaviours
 * BOOT_SECONDS`.
 */
if (process.argv[1] === import.meta.filename) {
  const [, , folder = '', bootSeconds = '10'] = process.argv;
  const all = recorded();
  const before = all[bootSeconds] ?? {};
  const added = behaviours.flatMap((behaviour) => {
    const runs = readObserved(folder, 'real', behaviour).filter((one) => one.impossible === undefined);
    if (runs.length === 0) return [];
    return [[behaviour.name, [...(before[behaviour.name] ?? []), ...runs.map(asMeasured)]] as const];
  });
  const now = { ...all, [bootSeconds]: { ...before, ...Object.fromEntries(added) } };
  writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
}
