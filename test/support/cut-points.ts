import type { TestContext } from 'node:test';
import type { Rehearsal } from '../../src/rehearsal/host.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import { type Disk, type Kept, watchDisk } from './disk.ts';
import type { Rehearsed, RehearseOptions } from './rehearse.ts';
import { rehearse } from './rehearse.ts';
import { type Around, type HostCall, tappedHost } from './tapped-host.ts';
import { type Expected, type Picture, pictureOf } from './world-picture.ts';

/** The world and the disk at a crash: before the n-th call, or after it and before its response. */
export interface CutPoint {
  readonly n: number;
  readonly when: 'before' | 'after';
  readonly what: string;
  /** `world.json`. */
  readonly world: string;
  readonly disk: ReadonlyMap<string, Kept>;
}
export interface CutRun {
  readonly rehearsed: Rehearsed;
  readonly seed: number;
  readonly points: readonly CutPoint[];
  /** All calls of the run. */
  readonly calls: number;
  /** The calls from the first intent of a scenario to the end of its last undo. */
  readonly touching: readonly number[];
  readonly expected: Expected;
}

/** Which calls are worth a crash; `touches`: from the first intent of a scenario to the end of its last undo. */
export type Wanted = (n: number, call: HostCall, touches: boolean) => boolean;

/** After an undo its fact is still to be written and synced. */
const callsAfterUndo = 4;

/**
 * Runs once and keeps, at each wanted call, everything that a crash would leave: as many crashes as calls for the price
 * of one run. Nothing in the memory of the process survives a crash, so what it would have done next does not matter.
 */
export async function cutPoints(
  t: Pick<TestContext, 'after'>,
  options: RehearseOptions,
  wanted: Wanted,
): Promise<CutRun> {
  const watching: Watching = { ...openActions(), disk: watchDisk(), points: [], touching: [], pictures: {}, calls: 0 };
  const rehearsed = await rehearse(t, {
    ...options,
    onFact: (fact, ...rest) => {
      watching.onFact(fact);
      options.onFact?.(fact, ...rest);
    },
    through: (host, rehearsal) =>
      tappedHost(options.through?.(host, rehearsal) ?? host, observed(watching, rehearsal, wanted)),
  });
  const { before, applied = before } = watching.pictures;
  if (before === undefined || applied === undefined) throw new Error('the run made no call');
  const expected = { before, applied, claims: claimsSeen(rehearsed.facts, applied.claims) };
  return { ...watching, rehearsed, seed: options.seed ?? 1, expected };
}

interface Watching extends ReturnType<typeof openActions> {
  readonly disk: Disk;
  readonly points: CutPoint[];
  readonly touching: number[];
  readonly pictures: { before?: Picture; applied?: Picture };
  calls: number;
}

function observed(watching: Watching, { world, host }: Rehearsal, wanted: Wanted): Around {
  const picture = () => pictureOf(world, host.clock.wallAt());
  return async (call, make) => {
    watching.calls += 1;
    const n = watching.calls;
    const touches = watching.touched();
    if (touches) watching.touching.push(n);
    const isWanted = wanted(n, call, touches);
    const note = (when: CutPoint['when']) =>
      watching.points.push({
        n,
        when,
        what: call.what,
        world: JSON.stringify(world.save()),
        disk: watching.disk.now(),
      });
    if (isWanted) note('before');
    await paint(watching, picture);
    const ended = await watching.disk.around(call, make);
    if (isWanted && changes(call)) note('after');
    return ended;
  };
}

/** The world before the first call of the run, and before its first scenario. */
async function paint({ pictures, begun }: Watching, picture: () => Promise<Picture>): Promise<void> {
  pictures.before ??= await picture();
  if (begun()) pictures.applied ??= await picture();
}

/** Whether the call changes the world or the disk. */
export const changes = ({ request, file }: HostCall): boolean =>
  (request !== undefined && request.method !== 'GET') || file !== undefined;

function openActions() {
  const open = new Set<string>();
  let begun = false;
  let after = 0;
  return {
    begun: () => begun,
    touched: () => open.size > 0 || after-- > 0,
    onFact(fact: ValidationFact) {
      if (fact.type === 'scenario-started') begun = true;
      if (fact.type === 'action-intended' && fact.scenario !== null) open.add(fact.id);
      if (fact.type === 'action-undone' && open.delete(fact.id)) after = callsAfterUndo;
    },
  };
}

/** The fewest and the most NodeClaims of a run without a crash. */
function claimsSeen(facts: readonly ValidationFact[], first: number): Expected['claims'] {
  const seen = new Set<string>();
  const counts = [first];
  const begun = facts.findIndex(({ type }) => type === 'scenario-started');
  for (const [index, fact] of facts.entries()) {
    if (fact.type !== 'cluster-changed' || fact.kind !== 'NodeClaim') continue;
    if (fact.change === 'deleted') seen.delete(fact.name);
    else seen.add(fact.name);
    if (index > begun) counts.push(seen.size);
  }
  return { least: Math.min(...counts), most: Math.max(...counts) };
}
