import type { EmbeddedCluster } from '@holdfast/embedded-cluster';
import type { Host } from '../../host/host.ts';
import { memoryFiles } from '../../host/memory-files.ts';
import type { EmbeddedProgram } from '../../rehearsal/container-host.ts';
import { type Rehearsal, rehearsalHost } from '../../rehearsal/host.ts';
import { type ReadRun, readRun, scenarioReader } from '../../validation/judge/read-run.ts';
import type { RunResult, Verdict } from '../../validation/judge/run-result.ts';
import type { Order } from '../../validation/procedure/order.ts';
import { procedure } from '../../validation/procedure/procedure.ts';
import type { RunIdentity, ValidationFact } from '../../validation/record/events.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import type { Scenario } from '../../validation/scenarios/scenario.ts';
import { hasKarpenter, type Settings } from '../../validation/settings.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Context } from '../command/context.ts';
import { fitted } from '../command/hanging-indent.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { sayMistakes } from '../command/say.ts';
import { manifestsOfEach, manifestsRehearsed } from '../manifests/manifests-rehearsed.ts';
import { ownBehaviours } from '../manifests/own-behaviours.ts';
import type { OwnManifests } from '../manifests/read-own.ts';
import { assumedPoolNote, startOwn } from '../manifests/start-own.ts';
import { progress } from '../runs/progress.ts';
import { readEndedRun } from '../runs/read-ended-run.ts';
import { scenariosOn } from '../settings/run-settings.ts';
import { surroundingsOf } from '../settings/surroundings-of.ts';
import { rehearsalSite } from './rehearsal-site.ts';
import { worldText } from './saved-world.ts';

/** What is rehearsed. */
export interface RehearsalOrder {
  readonly seed: number;
  readonly scenario: readonly string[];
  readonly defect: readonly string[];
  readonly nodes?: number | undefined;
  readonly settings: Settings;
  readonly own?: OwnManifests | undefined;
  /** What is recorded of them, where it is known already. */
  readonly recordedManifests?: ReturnType<typeof manifestsRehearsed> | undefined;
  readonly version: string;
  /** What the probe pods run. */
  readonly program?: EmbeddedProgram | undefined;
}

/** A rehearsal of an application of the manifests of `-f`. */
export type OwnRehearsal = RehearsalOrder & { readonly own: OwnManifests };

/** Rehearses into the run folder, with progress, and reads what the folder says then. */
export async function rehearsed(context: Context, order: RehearsalOrder, folder: string): Promise<ReadRun> {
  const { host: real, flags } = context;
  const { own, settings } = order;
  const notes = own === undefined ? [] : [...own.notes, ...assumedPoolNote(own, settings)];
  if (!flags.quiet) for (const note of notes) real.talk.write(`${fitted(real.talk, '', note)}\n`);
  const shown = progress(context, () => rehearsal.host.clock.wallAt(), true);
  const rehearsal = rehearsalOf(shown.host, order);
  const read = scenarioReader(rehearsal.host.files, folder);
  const ended = run(rehearsal, order, folder, {
    onFact(fact) {
      shown.onFact(fact);
      context.onFact?.(fact);
    },
    onSample: shown.onSample,
    onWait: shown.onWait,
    async onScenarioEnd(scenario) {
      if (flags.quiet) return;
      const result = await read(scenario);
      if (result !== undefined) shown.scenarioEnded(result);
    },
  })
    .finally(shown.end)
    .then(() => undefined);
  const made = await readEndedRun(real, folder, ended);
  if (made.result.undo.some(({ state }) => state === 'failed')) await keepWorld(context, folder, rehearsal.world);
  return made;
}

/** A whole rehearsal of which only the result is kept. */
export async function resultOf({ host }: Pick<Context, 'host'>, order: RehearsalOrder): Promise<RunResult | undefined> {
  const files = memoryFiles();
  await run(rehearsalOf({ ...host, files, onSignal: () => () => {} }, order), alone(order), 'memory', silent);
  return (await readRun(files, 'memory'))?.result;
}

/** One application's own verdict is asked for: the others only stand beside it. */
export const alone = (order: RehearsalOrder): RehearsalOrder => ({
  ...order,
  own: order.own && { ...order.own, others: [] },
});

const silent = { onFact: () => {}, onScenarioEnd: async () => {} };

/**
 * The verdict of a rehearsal of which nothing is kept. It is over at the first scenario that fails: the run has failed
 * then, whatever comes after.
 */
export async function rehearsedVerdict({ host }: Pick<Context, 'host'>, order: RehearsalOrder): Promise<Verdict> {
  const files = memoryFiles();
  const rehearsal = rehearsalOf({ ...host, files, onSignal: () => () => {} }, order);
  const read = scenarioReader(files, 'memory');
  const failed = Promise.withResolvers<'fail'>();
  const onScenarioEnd = async (scenario: Scenario): Promise<void> => {
    if ((await read(scenario))?.verdict === 'fail') failed.resolve('fail');
  };
  const early = await run(rehearsal, alone(order), 'memory', { ...silent, onScenarioEnd }, failed.promise);
  if (early !== undefined) return early;
  const made = await readRun(files, 'memory');
  return made?.result.verdict ?? 'error';
}

type Real = Pick<Host, 'files' | 'out' | 'talk' | 'onSignal'>;

function rehearsalOf(real: Real, { seed, defect, nodes, settings, own, program }: RehearsalOrder): Rehearsal {
  return rehearsalHost({
    seed: String(seed),
    defects: defect,
    surroundings: surroundingsOf(settings),
    ...(nodes === undefined ? {} : { tenantNodes: nodes }),
    ...(own && { own: ownBehaviours(settings) }),
    program,
    real,
  });
}

interface Watching extends Pick<Order, 'onSample' | 'onWait'> {
  readonly onFact: (fact: ValidationFact) => void;
  readonly onScenarioEnd: (scenario: Scenario) => Promise<void>;
}

/** Resolves with the value of `early` if that comes before the end of the run. */
function run<T = undefined>(
  rehearsal: Rehearsal,
  order: RehearsalOrder,
  folder: string,
  watching: Watching,
  early?: Promise<T>,
): Promise<T | undefined> {
  const { scenario, settings, own, version } = order;
  const { recordedManifests: manifests = own && manifestsRehearsed(own) } = order;
  return rehearsal.run(async () => {
    if (own !== undefined) await startOwn(rehearsal, own, settings);
    const ended = procedure({
      site: rehearsalSite(rehearsal, settings),
      settings,
      folder,
      run: identity(order),
      ...(own && manifests && { manifests: settings.applications ? manifestsOfEach(own) : [manifests] }),
      version,
      scenarios: scenariosOn(settings, scenario),
      partial: scenario.length > 0 || !hasKarpenter(settings),
      cleanup: false,
      ...watching,
    });
    return Promise.race([ended.then(() => undefined), ...(early === undefined ? [] : [early])]);
  });
}

/** Saves the cluster for `recover`. A full disk must not hide the report. */
async function keepWorld(
  { host: { files, talk } }: Context,
  folder: string,
  world: Pick<EmbeddedCluster, 'save'>,
): Promise<void> {
  const kept = files.replace(`${folder}/${runFiles.world}`, worldText(world));
  const mistakes = await mistakesOf(
    kept.catch(asUsageError('recover will have no cluster, because it could not be saved')),
  );
  sayMistakes(talk, mistakes);
}

/** The same seed and settings give the same id (docs/contract.md, "The run folder"). */
function identity({ seed, scenario, defect, nodes, settings }: RehearsalOrder): RunIdentity {
  const words = JSON.stringify([seed, scenario, defect, nodes ?? null, settings]);
  let hash = 0xcbf29ce484222325n;
  // FNV-1a, 64 bits: a name, not a secret.
  for (const byte of Buffer.from(words)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return {
    id: `rehearsal-${seed}-${hash.toString(16).padStart(16, '0').slice(0, 8)}`,
    kind: 'rehearsal',
    seed,
    cluster: 'embedded cluster',
  };
}
