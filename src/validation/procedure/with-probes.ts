import { poll } from '../../cluster/poll.ts';
import { OperationError } from '../../host/errors.ts';
import type { Begun } from '../actions/action.ts';
import { performAction } from '../actions/perform-action.ts';
import { runsWithinSeconds, whyNotRunning } from '../actions/start-probe.ts';
import { undoInOrder } from '../actions/undo-action.ts';
import type { LogSource } from '../monitor/log-source.ts';
import { type ProbeZones, probeZones } from '../observe/probe-zones.ts';
import { requestLimit } from '../observe/request-limit.ts';
import { applicationSelector } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import type { OpenRun } from './order.ts';

/** A probe in the cluster: the name of its vantage point, and its log. */
export interface ClusterProbe {
  readonly zone: string;
  readonly source: LogSource;
}

/** The probes of a run, and the zones without one. */
export interface PlacedProbes extends Pick<ProbeZones, 'without'> {
  readonly probes: readonly ClusterProbe[];
}

/**
 * Runs a probe pod in each zone that has a node which the run does not disturb, and deletes the pods at the end.
 * Nothing is disturbed before all of them run. Without `vantage: in-cluster` there are none.
 */
export async function withProbes(open: OpenRun, phases: (placed: PlacedProbes) => Promise<void>): Promise<void> {
  if (open.settings.vantage === undefined) return phases({ probes: [], without: [] });
  const { site, journal, interruption } = open;
  const begun: Begun[] = [];
  const undo = undoInOrder(site, journal, interruption.hurry);
  try {
    await phases(await startProbes(open, begun));
  } finally {
    for (const one of begun.toReversed()) await undo(one);
  }
}

async function startProbes(open: OpenRun, begun: Begun[]): Promise<PlacedProbes> {
  const { site, settings, run, journal } = open;
  const { signal } = open.interruption;
  const podsOf = (one: Settings) =>
    site.cluster.list('Pod', { namespace: one.namespace, labelSelector: applicationSelector(one) });
  const [nodes, each] = await Promise.all([
    site.cluster.list('Node'),
    Promise.all(open.applications.map((one) => podsOf(one.settings))),
  ]);
  const pods = each.flat();
  const { zones, without } = probeZones(nodes, pods, settings);
  if (zones.length === 0) throw nowhere(without);
  const avoids = [...new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []))];
  const edgesSeconds = await edgesOf(open);
  const acting = { site, journal, signal, allows: async () => true, monitor: { readyToAct: async () => {} } };
  for (const zone of zones)
    await performAction(
      { ...acting, newActionId: () => `probe-${begun.length + 1}` },
      null,
      { action: 'start-probe', target: { settings, place: { zone, avoids, run: run.id, edgesSeconds } } },
      (one) => begun.push(one),
    );
  const named = begun.map(({ intent }) => (intent as { readonly pod: { readonly metadata: Named } }).pod.metadata);
  open.onWait?.('for the probe pods to run', runsWithinSeconds);
  await untilRunning(open, named);
  const probes = named.map((at, index) => ({ zone: zones[index] ?? at.name, source: podSource(open, at) }));
  return { probes, without };
}

interface Named {
  readonly name: string;
  readonly namespace: string;
}

function nowhere(without: ProbeZones['without']): OperationError {
  return new OperationError({
    tried: 'Placing the probes',
    on: 'the zones of the cluster',
    reason: without.map(({ zone, because }) => `${zone}: ${because}`).join('; '),
    next: 'Give a zone a node outside of the pool, or probe from elsewhere with --downtime-log',
  });
}

/**
 * The faster probes never stop there: none where a request limit, or an application that is still to come, may refuse
 * them.
 */
async function edgesOf({ site, settings, applications, run }: OpenRun): Promise<number | undefined> {
  if (run.kind === 'rehearsal' || settings.applied !== undefined) return undefined;
  const { edges = usualEdgesSeconds, interval } = settings.monitor;
  if (edges === 0 || edges >= interval) return undefined;
  const limits = await Promise.all(applications.map((one) => requestLimit(site.cluster, one.settings)));
  return limits.every((limit) => limit === undefined) ? edges : undefined;
}

/** As that of the monitor on this machine. */
const usualEdgesSeconds = 0.1;

async function untilRunning({ site, interruption }: OpenRun, named: readonly Named[]): Promise<void> {
  let waiting: readonly string[] = [];
  const run = async (): Promise<boolean> => {
    const pods = await Promise.all(named.map(async (at) => ({ at, pod: await site.cluster.get('Pod', at) })));
    waiting = pods.flatMap(({ at, pod }) => {
      const why = pod === undefined ? 'it is gone' : whyNotRunning(pod);
      return why === undefined ? [] : [`${at.name}: ${why}`];
    });
    return waiting.length === 0;
  };
  if (await poll({ site, signal: interruption.signal }, runsWithinSeconds, run)) return;
  throw new OperationError({
    tried: 'Starting the probes',
    on: named.map(({ name }) => name).join(', '),
    reason: `after ${runsWithinSeconds} s they do not all run: ${waiting.join('; ')}`,
    next: 'validation.probes has the image, the tolerations and the labels of the nodes that they may use',
  });
}

function podSource({ site: { cluster } }: OpenRun, at: Named): LogSource {
  return { name: `the log of Pod ${at.namespace}/${at.name}`, lines: (signal) => cluster.podLog(at, signal) };
}
