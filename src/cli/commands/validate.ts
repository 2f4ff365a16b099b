import * as z from 'zod';
import type { Host } from '../../host/host.ts';
import { steadyHost } from '../../host/steady-host.ts';
import { duration } from '../../settings/read-settings.ts';
import { applicationsOf, namesOf } from '../../validation/applications.ts';
import { vantageRules } from '../../validation/downtime/vantage-rule.ts';
import { type ReadRun, scenarioReader } from '../../validation/judge/read-run.ts';
import type { Order } from '../../validation/procedure/order.ts';
import { procedure } from '../../validation/procedure/procedure.ts';
import type { Scenario } from '../../validation/scenarios/scenario.ts';
import { hasKarpenter, recorded } from '../../validation/settings.ts';
import { clusterFlags, runFlagMistakes, runFlags, typedSettings } from '../cluster/cluster-flags.ts';
import { type OpenCluster, openCluster, readCluster } from '../cluster/open-cluster.ts';
import { makeOwnSeals, type OwnSeals } from '../cluster/own-seal.ts';
import { readRunFlags } from '../cluster/read-run-flags.ts';
import type { RecordedCluster, RunSettings } from '../cluster/read-run-settings.ts';
import { clusterUid } from '../cluster/same-cluster.ts';
import type { Perform } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { sayMistakes } from '../command/say.ts';
import { wholeNumber } from '../command/whole-number.ts';
import { manifestsOfEach } from '../manifests/manifests-rehearsed.ts';
import { askBeforeAction, askToBegin, consentMistakes } from '../runs/consent.ts';
import { claimRunFolder, createRunFolder, requireFreeFolders, runFolderFlag } from '../runs/create-run-folder.ts';
import { downtimeLogsMistakes } from '../runs/downtime-log-mistakes.ts';
import { holdSignals } from '../runs/hold-signals.ts';
import { progress } from '../runs/progress.ts';
import { readEndedRun } from '../runs/read-ended-run.ts';
import { repeatRuns } from '../runs/repeat-runs.ts';
import { metricsFlag, sendMetrics } from '../runs/send-metrics.ts';
import {
  chosenScenarios,
  lackedByAll,
  readValidationSettings,
  scenarioMistakes,
  scenariosOn,
} from '../settings/run-settings.ts';
import { finishReports } from './report.ts';

const schema = z.strictObject({
  ...clusterFlags,
  ...runFlags,
  from: z.string().optional(),
  repeat: wholeNumber(1).default(1),
  out: runFolderFlag.optional(),
  downtimeLog: z.array(z.string()).default([]),
  rule: z.enum(vantageRules).default('any'),
  abortAfter: duration.optional(),
  cleanup: z.boolean().default(false),
  yes: z.boolean().default(false),
  allowTerminate: z.boolean().default(false),
  metrics: metricsFlag.optional(),
});
type Flags = z.output<typeof schema>;

/** `validate`: the whole procedure on a real cluster, every disruption undone. */
export const validate: Perform = async (outside, { options }) => {
  // Numbers of the run are differences of its times.
  const context = { ...outside, host: steadyHost(outside.host) };
  const flags = await readRunFlags(schema, options, {
    alsoWrong: (typed) => alsoWrong(context, typed),
    files: ({ kubeconfig, context: name, file, application }) =>
      readCluster(context, { kubeconfig, context: name, file, application }),
  });
  const { kubeconfig, context: name, namespace, file, application } = flags;
  const where = { kubeconfig, context: name, namespace, file, application };
  const open = await openCluster(context, where, typedSettings(flags));
  const scenarios = scenariosOn(open.settings, flags.scenario, flags.from);
  if (!flags.yes) await askToBegin(context, summaryOf(open, scenarios));
  const seals = await makeOwnSeals(context);
  if ('because' in seals)
    sayMistakes(context.host.talk, [
      `holdfast recover will not know this run as yours, and ask for --trust: ${seals.because}`,
    ]);
  const recordedSettings = await settingsOf(context, open, flags, seals);
  const settings = `${JSON.stringify(recordedSettings, null, 2)}\n`;
  const seal = 'because' in seals ? undefined : seals.journalOf(recordedSettings);
  const run = (folder: string, host: Host) => makeRun({ ...context, host }, { folder, seal }, open, flags, scenarios);
  const folder = await createRunFolder(context, flags.out, 'cluster', settings);
  if (flags.repeat === 1)
    return holdSignals(context.host, async ({ host }) =>
      finishReports(context, folder, await run(folder, host), flags.metrics),
    );
  return repeatRuns(context, flags.repeat, folder, async (one, host) => {
    await claimRunFolder(host.files, one, settings);
    const read = await run(one, host);
    await sendMetrics(host, flags.metrics, read);
    return read;
  });
};

async function alsoWrong(context: Context, typed: Partial<z.input<typeof schema>>): Promise<readonly string[]> {
  const { from, yes = false, allowTerminate = false, downtimeLog = [], repeat, out } = typed;
  const allowed = { reversible: yes, terminate: allowTerminate };
  return [
    ...scenarioMistakes(typed.scenario ?? [], from),
    ...runFlagMistakes(typed),
    ...(await downtimeLogsMistakes(context.host.files, downtimeLog)),
    ...(await mistakesOf(requireFreeFolders(context.host.files, out, Number(repeat ?? 1)))),
    ...(downtimeLog.includes('-') && Number(repeat ?? 1) > 1 ? [readOnce] : []),
    ...consentMistakes(context, allowed, await planned(context, typed)),
  ];
}

const readOnce = '--repeat needs the name of a file in --downtime-log, because standard input ends with the first run.';

/**
 * The scenarios that would run. If the settings cannot be read it is all that were named; those mistakes are reported
 * later.
 */
async function planned(context: Context, { scenario = [], from }: Partial<z.input<typeof schema>>) {
  const chosen = chosenScenarios(scenario, from);
  const settings = await readValidationSettings(context, {}).catch(() => undefined);
  return settings === undefined ? chosen : chosen.filter((scenario) => lackedByAll(settings, scenario) === undefined);
}

function summaryOf({ settings, credentials }: OpenCluster, scenarios: readonly Scenario[]): string {
  const names = scenarios.map(({ title }) => title).join(', ');
  const all = applicationsOf(settings);
  const of = all.length === 1 ? '' : ` for ${namesOf(all).join(', ')}`;
  const where = `${credentials.access.server} (context ${credentials.context}, namespace ${settings.namespace})${of}`;
  const applied =
    settings.applied === undefined ? '' : ` It first applies the ${settings.applied.length} objects of -f.`;
  const ended = scenarios.flatMap(({ terminates }) => terminates ?? []);
  const lasting = ended.length === 0 ? '' : `, except the end of ${ended.join(' and ')}`;
  return `This run disrupts ${where}: ${names}. Every disruption is undone${lasting}. holdfast plan shows each write.${applied}`;
}

/** What `settings.json` says. It holds no secret: `recover` reads the kubeconfig again. */
async function settingsOf({ host }: Context, open: OpenCluster, flags: Flags, seals: OwnSeals): Promise<RunSettings> {
  const { context, access } = open.credentials;
  const kubeconfig = flags.kubeconfig && (await host.files.realPath(flags.kubeconfig));
  const uid = await clusterUid(open.site.cluster);
  const cluster: RecordedCluster = {
    server: access.server,
    context,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(uid === undefined ? {} : { uid }),
  };
  const said = { validation: recorded(open.settings), cluster };
  return 'because' in seals ? said : seals.settings.on(said);
}

async function makeRun(
  context: Context,
  { folder, seal }: Pick<Order, 'folder' | 'seal'>,
  { site, settings, credentials, own }: OpenCluster,
  flags: Flags,
  scenarios: readonly Scenario[],
): Promise<ReadRun> {
  const { version } = context;
  // It may have been set since the last of several runs.
  context.host.clock.followMachine?.();
  const shown = progress(context, () => context.host.clock.wallAt());
  const { host } = shown;
  const read = scenarioReader(host.files, folder);
  const ended = procedure({
    site: { ...site, host },
    settings,
    folder,
    seal,
    run: { id: runId(context), kind: 'cluster', cluster: credentials.access.server },
    ...(own && { manifests: manifestsOfEach(own) }),
    version,
    scenarios,
    partial: flags.scenario.length > 0 || flags.from !== undefined || !hasKarpenter(settings),
    cleanup: flags.cleanup,
    abortAfterSeconds: flags.abortAfter,
    downtimeLogs: flags.downtimeLog,
    rule: flags.rule,
    allows: askBeforeAction({ ...context, host }, { reversible: true, terminate: flags.allowTerminate }),
    onFact: shown.onFact,
    onSample: shown.onSample,
    onWait: shown.onWait,
    async onScenarioEnd(scenario) {
      if (context.flags.quiet) return;
      const result = await read(scenario);
      if (result !== undefined) shown.scenarioEnded(result);
    },
  }).finally(shown.end);
  return readEndedRun(context.host, folder, ended);
}

/** A name that no other run has, because it holds the lease. */
function runId({ host }: Context): string {
  const random = host.random('run-id');
  const suffix = Array.from({ length: 8 }, () => Math.floor(random() * 16).toString(16)).join('');
  return `validate-${new Date(host.clock.wallAt()).toISOString().slice(0, 19).replaceAll(':', '-')}-${suffix}`;
}
