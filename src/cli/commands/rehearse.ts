import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import { defects } from '../../rehearsal/defects.ts';
import { duration } from '../../settings/read-settings.ts';
import { recorded, type Settings } from '../../validation/settings.ts';
import { typedSettings } from '../cluster/cluster-flags.ts';
import { embeddedHoldfast } from '../cluster/embedded-holdfast.ts';
import { furtherApplications } from '../cluster/further-applications.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { unknownWorkloads } from '../manifests/own-behaviours.ts';
import { type OwnManifests, readOwn } from '../manifests/read-own.ts';
import { createRunFolder, requireFreeFolders, runFolderFlag } from '../runs/create-run-folder.ts';
import { holdSignals } from '../runs/hold-signals.ts';
import { readValidationSettings, scenarioMistakes, unknownName } from '../settings/run-settings.ts';
import { type RehearsalOrder, rehearsed } from './rehearsal-run.ts';
import type { OwnRehearsal } from './rehearse-against.ts';
import { rehearseOwn } from './rehearse-own.ts';
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
  together: z.boolean().default(false),
  vantage: z.enum(['in-cluster']).optional(),
  against: z.array(z.string()).default([]),
  assumptions: z.boolean().default(true),
  failOn: z.enum(['any', 'worse']).default('any'),
  summary: z.string().min(1).optional(),
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
  const { version } = context;
  const typed = { ...flags, version };
  const own = await ownManifests(context, flags);
  if (own === undefined) {
    const order = { ...typed, ...(await whatRuns(context, flags, undefined)) };
    return inRunFolder(context, order, async (held, folder) =>
      finishReports(context, folder, await rehearsed(held, order, folder)),
    );
  }
  const [order, ...others] = await ordersOf(context, typed, own.now);
  const before = own.before && { paths: flags.against, orders: await ordersOf(context, typed, own.before) };
  const unknown = unknownWorkloads(order.settings, [...own.now.located, ...(own.before?.located ?? [])]);
  if (unknown.length > 0) throw new UsageError(unknown);
  if (flags.together && others.length > 0) return rehearseTogether(context, order);
  const { failOn, summary, assumptions } = flags;
  const beside = { before, failOn, summary, assumptions };
  return inRunFolder(context, order, (held, folder) => rehearseOwn(held, { ...order, others, ...beside }, folder));
};

/** Makes the run folder; signals are held while `work` fills it. */
async function inRunFolder(
  context: Context,
  { settings, out }: Pick<RehearsalOrder, 'settings'> & Pick<Flags, 'out'>,
  work: (held: Context, folder: string) => Promise<number>,
): Promise<number> {
  const written = `${JSON.stringify({ validation: recorded(settings) }, null, 2)}\n`;
  const folder = await createRunFolder(context, out, 'rehearsal', written);
  return holdSignals(context.host, ({ host }) => work({ ...context, host }, folder));
}

/** A rehearsal for each application of the manifests, or of that one which `holdfast.yaml` names. */
async function ordersOf(
  context: Context,
  flags: Flags & Pick<Context, 'version'>,
  manifests: OwnManifests,
): Promise<readonly [OwnRehearsal & Flags, ...(OwnRehearsal & Flags)[]]> {
  const orderOf = async (own: OwnManifests) => {
    const { settings, ...runs } = await whatRuns(context, flags, own);
    const { applications: _, ...alone } = settings;
    return { ...flags, own, settings: alone, ...runs };
  };
  const first = await orderOf({ ...manifests, others: [] });
  const all = [first, ...(await Promise.all(manifests.others.map(orderOf)))];
  const named = all.filter(({ own, settings }) => settings.application === own.application.name);
  const [main = first, ...others] = named;
  return [{ ...main, own: { ...main.own, notes: manifests.notes, others: others.map(({ own }) => own) } }, ...others];
}

/** One run of all applications, as `validate -f` makes it. */
async function rehearseTogether(context: Context, { own, ...flags }: OwnRehearsal & Flags): Promise<number> {
  const assumedSettings = { ...own.assumedSettings, ...furtherApplications(own) };
  const order = { ...flags, own, ...(await whatRuns(context, flags, { ...own, assumedSettings })) };
  return inRunFolder(context, order, async (held, folder) =>
    finishReports(context, folder, await rehearsed(held, order, folder)),
  );
}

interface BothManifests {
  readonly now: OwnManifests;
  readonly before: OwnManifests | undefined;
}

/** What is wrong with those of `-f` and with those of `--against` is said at once. */
async function ownManifests(context: Context, flags: Flags): Promise<BothManifests | undefined> {
  if (flags.file.length === 0) return undefined;
  const read = (paths: readonly string[]) => readOwn(context, { paths, chosen: flags.application, rehearsed: true });
  const [now, before] = await Promise.allSettled([
    read(flags.file),
    flags.against.length === 0 ? undefined : read(flags.against),
  ]);
  if (now.status === 'fulfilled' && before.status === 'fulfilled') return { now: now.value, before: before.value };
  const reasons = [now, before].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = reasons.find((reason) => !(reason instanceof UsageError));
  throw other ?? new UsageError([...new Set(reasons.flatMap((reason: UsageError) => reason.mistakes))]);
}

/** The settings of a rehearsal, and the program of its probe pods and load workers; it is loaded now, because that takes real time. */
async function whatRuns(context: Context, flags: Flags, own: OwnManifests | undefined) {
  const settings = await settingsFor(context, flags, own);
  const isProbed = settings.vantage !== undefined;
  if (!isProbed && settings.load.workers === undefined) return { settings };
  await Promise.all([isProbed && import('./monitor.ts'), import('../cluster/load-worker.ts')]);
  return { settings, program: embeddedHoldfast(context, settings) };
}

function settingsFor(
  context: Context,
  { manifests, vantage }: Flags,
  own: OwnManifests | undefined,
): Promise<Settings> {
  const typed = typedSettings({ manifests: own === undefined ? manifests : 'none', vantage });
  return readValidationSettings(context, typed, own?.assumedSettings);
}

function alsoWrong(typed: Partial<z.input<typeof flagsSchema>>) {
  const { scenario = [], defect = [], listen = false, listenFor, file = [], manifests } = typed;
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
    ...ownMistakes(typed),
    ...(listen && typed.vantage !== undefined
      ? ['--vantage is of a run, and --listen makes none: give it to validate.']
      : []),
    ...(listen && scenario.length > 0 ? ['--listen serves the cluster and makes no run: leave out --scenario.'] : []),
    ...(!listen && listenFor !== undefined ? ['--listen-for limits how long --listen serves: add --listen.'] : []),
  ];
}

const ownMistakes = (typed: Partial<z.input<typeof flagsSchema>>): readonly string[] =>
  (typed.file ?? []).length > 0 ? mistakesWithFile(typed) : mistakesWithoutFile(typed);

function mistakesWithFile({ against = [], failOn, together }: Partial<z.input<typeof flagsSchema>>): readonly string[] {
  if (against.length > 0)
    return together ? ['--against compares each application by itself: leave out --together.'] : [];
  return failOn === 'worse' ? ['--fail-on worse compares with the manifests of --against: add --against.'] : [];
}

function mistakesWithoutFile({
  against = [],
  application,
  assumptions,
  failOn,
  summary,
  together,
}: Partial<z.input<typeof flagsSchema>>): readonly string[] {
  return [
    ...(together ? ['--together is of the applications of -f: add -f.'] : []),
    ...(application === undefined ? [] : ['--application chooses among the manifests of -f: add -f.']),
    ...(against.length === 0 ? [] : ['--against compares with the manifests of -f: add -f.']),
    ...(failOn === undefined ? [] : ['--fail-on says when a rehearsal of -f fails: add -f.']),
    ...(assumptions === false ? ['--no-assumptions leaves out a search that only -f makes: add -f.'] : []),
    ...(summary === undefined ? [] : ['--summary is of a rehearsal of -f: add -f.']),
  ];
}

/** `--listen` only writes its kubeconfig, so that its folder may hold a run. */
function folderMistakes({ host }: Context, { out, listen = false }: Partial<z.input<typeof flagsSchema>>) {
  return listen ? [] : mistakesOf(requireFreeFolders(host.files, out));
}
