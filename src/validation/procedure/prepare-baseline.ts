import { poll } from '../../cluster/poll.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import { podsWanted } from '../../cluster/workload.ts';
import type { Begun } from '../actions/action.ts';
import { performAction } from '../actions/perform-action.ts';
import { goodSamples } from '../frame.ts';
import { compareClocks } from '../observe/compare-clocks.ts';
import { pollCluster } from '../observe/poll-cluster.ts';
import { readHorizontalAutoscalers } from '../observe/read-horizontal-autoscalers.ts';
import { applicationAtRest, atRestWithAtLeast } from '../observe/snapshot.ts';
import type { Baseline, Scenario } from '../scenarios/scenario.ts';
import { hasReplicas, workloadOf } from '../settings.ts';
import { atOnce, type Disturbance, type Part, type ScenarioRun, stuck } from './part.ts';

/**
 * The longest time that reaching the baseline takes: a new node and a pod on it (docs/facts/aws.md, "A new instance").
 */
const baselineWithinSeconds = 450;
/**
 * Four times the good samples at one a second; an application that is not steady by then is not fit for a measurement.
 */
const steadyWithinSeconds = 120;
/** For a monitor with a longer interval: twice the good samples, because one bad sample starts the count anew. */
const steadyWithinTicks = 2 * goodSamples;

export const steadyLimitSeconds = ({ monitor }: Pick<ScenarioRun, 'monitor'>, scenario: Scenario): number =>
  Math.max(scenario.steadyWithinSeconds ?? steadyWithinSeconds, steadyWithinTicks * monitor.intervalSeconds());

export const registerUndo =
  ({ undo }: Pick<ScenarioRun, 'undo'>, undos: AsyncDisposableStack) =>
  (begun: Begun): void =>
    undos.defer(async () => {
      await undo(begun);
    });

/**
 * Brings each application to the replicas that the scenario starts from, and waits until it is steady. One that does
 * not become so is inconclusive.
 */
export async function prepareBaseline(disturbance: Disturbance, baseline: AsyncDisposableStack): Promise<void> {
  const troubles = await atOnce(disturbance.parts, async (part) => ({
    part,
    trouble: await toBaseline(part, baseline),
  }));
  for (const { part, trouble } of troubles) if (trouble !== undefined) await stuck(disturbance, part, trouble);
}

/** Returns what prevented it. */
async function toBaseline(part: Part, baseline: AsyncDisposableStack): Promise<string | undefined> {
  const { run, scenario } = part;
  const { appReplicas: replicas, asItIs } = scenario.baseline;
  if (hasReplicas(run.settings) && !asItIs) {
    // The specification's application has none.
    if (run.site.pausesAutoscalers && run.settings.manifests === 'none') await pauseAutoscalers(part, baseline);
    await scaleToBaseline(part, baseline);
  }
  const where = placeOf(scenario.baseline, run.settings);
  const atRest = asItIs ? atRestWithAtLeast : applicationAtRest;
  run.onWait?.(`until the application is at rest ${where}`, baselineWithinSeconds);
  const isAtRest = await pollCluster(run, baselineWithinSeconds, (now) =>
    atRest({ ...now, ...part.observation.now() }, replicas),
  );
  if (!isAtRest) return `the application did not come to rest ${where} within ${baselineWithinSeconds} s`;
  const startedAt = run.site.host.clock.wallAt();
  const comparing = compareClocks(run.site, run.signal);
  const limitSeconds = steadyLimitSeconds(run, scenario);
  run.onWait?.(`for ${goodSamples} good probes in a row before the scenario`, limitSeconds);
  if (!(await poll(run, limitSeconds, () => run.monitor.goodInARow(startedAt) >= goodSamples)))
    return `the application did not answer ${goodSamples} times in a row within ${limitSeconds} s`;
  const compared = await comparing;
  if (compared !== undefined) run.journal.record({ type: 'clock-compared', ...compared });
  return undefined;
}

function placeOf({ appReplicas, asItIs }: Baseline, settings: ScenarioRun['settings']): string {
  if (!hasReplicas(settings)) return 'with a ready pod on each node';
  return asItIs ? `with its own replicas, at least ${appReplicas}` : `at ${appReplicas} replicas`;
}

/** What sets replicas itself would put them back while a scenario measures them. */
async function pauseAutoscalers({ run, scenario }: Part, baseline: AsyncDisposableStack): Promise<void> {
  const found = await retryRead(run, answerWithinSeconds, () =>
    readHorizontalAutoscalers(run.site.cluster, run.settings),
  );
  for (const { metadata } of found) {
    const target = { namespace: run.settings.namespace, name: metadata.name };
    await performAction(run, scenario.name, { action: 'pause-autoscaler', target }, registerUndo(run, baseline));
  }
}

async function scaleToBaseline(part: Part, baseline: AsyncDisposableStack): Promise<void> {
  const { run, scenario } = part;
  const { appReplicas: replicas } = scenario.baseline;
  const { namespace, application: name, applicationKind: kind } = run.settings;
  const workload = await retryRead(run, answerWithinSeconds, () => run.site.cluster.get(kind, { namespace, name }));
  const now = workload && podsWanted(workload);
  if (now === replicas) return;
  const target = { ...workloadOf(run.settings), replicas };
  part.replicas ??= now;
  await performAction(run, scenario.name, { action: 'scale', target }, registerUndo(run, baseline));
}
