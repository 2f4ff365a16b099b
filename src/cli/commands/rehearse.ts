import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import { defects } from '../../rehearsal/defects.ts';
import { duration } from '../../settings/read-settings.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { readOwn } from '../manifests/read-own.ts';
import { createRunFolder, requireFreeFolders, runFolderFlag } from '../runs/create-run-folder.ts';
import { holdSignals } from '../runs/hold-signals.ts';
import { readValidationSettings, scenarioMistakes, unknownName } from '../settings/run-settings.ts';
import { type RehearsalOrder, rehearsed } from './rehearsal-run.ts';
import { finishReports } from './report.ts';
import { withAssumptions } from './with-assumptions.ts';

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
  const { version } = context;
  const folder = await createRunFolder(context, flags.out, 'rehearsal', written);
  return holdSignals(context.host, async ({ host }) => {
    const order: RehearsalOrder = { ...flags, settings, own, version };
    const made = await rehearsed({ ...context, host }, order, folder);
    if (own === undefined || made.result.verdict === 'error') return finishReports(context, folder, made);
    return finishReports(context, folder, await withAssumptions({ ...context, host }, { ...order, own }, folder, made));
  });
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
