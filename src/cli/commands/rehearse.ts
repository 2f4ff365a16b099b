import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import { defects } from '../../rehearsal/defects.ts';
import { rehearsalHost } from '../../rehearsal/host.ts';
import type { World } from '../../rehearsal/world/world.ts';
import { duration } from '../../settings/read-settings.ts';
import { type ReadRun, scenarioReader } from '../../validation/judge/read-run.ts';
import { procedure } from '../../validation/procedure/procedure.ts';
import type { RunIdentity } from '../../validation/record/events.ts';
import { runFiles } from '../../validation/record/run-folder.ts';
import { hasKarpenter, type Settings } from '../../validation/settings.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import { rehearsalSite } from '../cluster/rehearsal-site.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { paint, text } from '../command/text.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { type OwnManifests, readOwn } from '../manifests/read-own.ts';
import { ownBehaviour, startOwn } from '../manifests/start-own.ts';
import { createRunFolder, requireFreeFolders, runFolderFlag } from '../runs/create-run-folder.ts';
import { holdSignals } from '../runs/hold-signals.ts';
import { progress } from '../runs/progress.ts';
import { readEndedRun } from '../runs/read-ended-run.ts';
import { readValidationSettings, scenarioMistakes, scenariosOn, unknownName } from '../settings/run-settings.ts';
import { surroundingsOf } from '../settings/surroundings-of.ts';
import { finishReports } from './report.ts';

/** The largest cluster that Kubernetes supports (Kubernetes, "Considerations for large clusters"); it takes 1.5 GB here. */
const mostNodes = 5000;

const flagsSchema = z.strictObject({
  seed: wholeNumber(0).default(1),
  scenario: z.array(z.string()).default([]),
  defect: z.array(z.string()).default([]),
  manifests: z.enum(['hardened', 'plain']).optional(),
  nodes: wholeNumber(1, mostNodes).optional(),
  file: z.array(z.string()).default([]),
  application: z.string().optional(),
  out: runFolderFlag.optional(),
  listen: z.boolean().default(false),
  listenFor: duration.optional(),
});
type Flags = z.output<typeof flagsSchema>;

/** `rehearse`: the whole procedure on the embedded cluster, in virtual time; with `--listen` only serves that cluster, in real time. */
export const rehearse: Perform = async (context, { options, operands: [what] }) => {
  if (what === 'deploy')
    return (await import('./rehearse-deploy.ts')).rehearseDeploy(context, { options, operands: [] });
  if (what !== undefined)
    throw new UsageError([`there is no rehearsal of ${what}: run holdfast rehearse, or holdfast rehearse deploy.`]);
  const flags = await readRunFlags(flagsSchema, options, {
    alsoWrong: async (typed) => [...alsoWrong(typed), ...(await folderMistakes(context, typed))],
    files: () => readValidationSettings(context, {}),
  });
  if (flags.listen) return (await import('./listen.ts')).listen(context, flags);
  const own = flags.file.length === 0 ? undefined : await readOwn(context, flags.file, flags.application);
  const settings = await readValidationSettings(
    context,
    own !== undefined ? { manifests: 'none' } : flags.manifests === undefined ? {} : { manifests: flags.manifests },
    own?.assumedSettings,
  );
  const written = `${JSON.stringify({ validation: settings }, null, 2)}\n`;
  const folder = await createRunFolder(context, flags.out, 'rehearsal', written);
  return holdSignals(context.host, async ({ host }) =>
    finishReports(context, folder, await makeRun({ ...context, host }, { flags, settings, folder, own })),
  );
};

function alsoWrong(typed: Partial<z.input<typeof flagsSchema>>) {
  const { scenario = [], defect = [], listen = false, listenFor, file = [], application, manifests } = typed;
  const known = Object.keys(defects);
  return [
    ...scenarioMistakes(scenario),
    ...defect.filter((name) => !known.includes(name)).map((name) => unknownName('defect', name, known)),
    ...(file.length > 0 && listen
      ? ['--listen serves an empty cluster: apply your manifests with kubectl, without -f.']
      : []),
    ...(file.length > 0 && manifests !== undefined
      ? ['--manifests chooses the specification’s objects: leave it out with -f.']
      : []),
    ...(file.length === 0 && application !== undefined
      ? ['--application chooses among the manifests of -f: add -f.']
      : []),
    ...(listen && scenario.length > 0 ? ['--listen serves the cluster and makes no run: leave out --scenario.'] : []),
    ...(!listen && listenFor !== undefined ? ['--listen-for limits how long --listen serves: add --listen.'] : []),
  ];
}

/** `--listen` only writes its kubeconfig, so that its folder may hold a run. */
function folderMistakes({ host }: Context, { out, listen = false }: Partial<z.input<typeof flagsSchema>>) {
  return listen ? [] : mistakesOf(requireFreeFolders(host.files, out));
}

interface Ordered {
  readonly flags: Flags;
  readonly settings: Settings;
  readonly folder: string;
  readonly own: OwnManifests | undefined;
}

async function makeRun(context: Context, { flags, settings, folder, own }: Ordered): Promise<ReadRun> {
  const { host: real, version } = context;
  const print = (text: string): void => {
    if (!context.flags.quiet) real.talk.write(`${text}\n`);
  };
  const rehearsal = rehearsalHost({
    seed: String(flags.seed),
    defects: flags.defect,
    surroundings: surroundingsOf(settings),
    ...(flags.nodes === undefined ? {} : { tenantNodes: flags.nodes }),
    ...(own && { own: ownBehaviour(settings) }),
    real,
  });
  const shown = progress(real.talk, paint(context.flags.color), context.flags.quiet);
  const scenarios = scenariosOn(settings, flags.scenario);
  const read = scenarioReader(rehearsal.host.files, folder);
  const ended = rehearsal.run(async () => {
    if (own !== undefined) await startOwn(rehearsal, own, settings, print);
    return procedure({
      site: rehearsalSite(rehearsal, settings),
      settings,
      folder,
      run: identity(flags, settings),
      version,
      scenarios,
      partial: flags.scenario.length > 0 || !hasKarpenter(settings),
      cleanup: false,
      onFact: shown.onFact,
      async onScenarioEnd(scenario) {
        if (context.flags.quiet) return;
        const result = await read(scenario);
        if (result !== undefined) shown.scenarioEnded(result);
      },
    });
  });
  const run = await readEndedRun(real, folder, ended);
  if (run.result.undo.some(({ state }) => state === 'failed')) await keepWorld(context, folder, rehearsal.world);
  return run;
}

/** Saves the cluster for `recover`. A full disk must not hide the report. */
async function keepWorld({ host: { files, talk } }: Context, folder: string, world: World): Promise<void> {
  const kept = files.replace(`${folder}/${runFiles.world}`, `${JSON.stringify(world.save())}\n`);
  const mistakes = await mistakesOf(
    kept.catch(asUsageError('recover will have no cluster, because it could not be saved')),
  );
  talk.write(text.mistakes(mistakes));
}

/** The same seed and settings give the same id (docs/contract.md, "The run folder"). */
function identity({ seed, scenario, defect, nodes }: Flags, settings: Settings): RunIdentity {
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
