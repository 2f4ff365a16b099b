import { atMost, boundedText, downtimeText } from '../downtime/downtime.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { applicationAtRest, nodeReplaced } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import type { Settings } from '../settings.ts';
import { newNodes, podsReady } from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

/** 4.1: terminate the cloud instance under a node. Three clocks: traffic, node ready, pod ready (facts S10). */
export const instanceKill = {
  name: 'instance-kill',
  title: 'Instance hard kill',
  expected:
    'node NotReady; new ARM node provisioned; pods rescheduled; short recovery; target under 60 seconds total; measure node ready time, pod ready time, downtime seconds',
  baseline: { appReplicas: 2 },
  needs: 'instances',
  plan: (before, settings) => {
    const victim = chooseVictim(before, settings);
    if ('inconclusive' in victim) return victim;
    const { node } = victim;
    const kill = { action: 'terminate-instance', target: { node, nodePool: settings.nodePool.name } } as const;
    return {
      // The node that replaces it is to be measured, so its pods must not find room elsewhere.
      actions: [...withoutSpareCapacity(before, settings, [node]), kill],
      notes: [neighboursNote(before, node)],
    };
  },
  settled: (now, before) => applicationAtRest(now, 2) && nodeReplaced(now, before),
  // NotReady 50 s, deleted Node, pods collected 60 s later, a new node 120 s, the old claim's collection 120 s (facts 4.0); twice their sum.
  settleWithinSeconds: 720,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: true,
  judge: (measured, settings) => [
    traffic(measured, settings),
    nodeNotReady(measured),
    newNodes(measured, 0),
    podsReady(measured, 2),
    clocks(measured),
  ],
} as const satisfies Scenario;

/** The target is about traffic: detection alone takes Kubernetes 50 s, and a new node more than a minute (facts 4.5). */
function traffic({ downtime }: Measurement, { instanceKill: { maximumDowntime } }: Settings): Expectation {
  const outcome = atMost(downtime, maximumDowntime);
  return {
    id: 'short-recovery',
    expected: `at most ${maximumDowntime} s of downtime`,
    outcome,
    observed: boundedText(downtime),
    advice:
      outcome === 'met' ? '' : 'spread at least 2 replicas over nodes, and give the autoscaler an interruption queue',
  };
}

/** Seen or not, it decides nothing: an autoscaler that hears of the end first takes the node away before. */
function nodeNotReady({ pool }: Measurement): Expectation {
  const [taken] = pool?.taken ?? [];
  const gone = taken?.goneSeconds ?? null;
  const end = gone === null ? '' : `; its Node was gone after ${gone.toFixed(0)} s`;
  const seen = taken?.notReadySeconds ?? null;
  return {
    id: 'node-not-ready',
    expected: 'node NotReady',
    outcome: 'noted',
    observed: seen === null ? `never seen${end}` : `seen after ${seen.toFixed(0)} s${end}`,
  };
}

function clocks({ downtime, pool, application }: Measurement): Expectation {
  const text = (seconds: number | null | undefined): string =>
    seconds == null ? 'not seen' : `${seconds.toFixed(1)} s`;
  const node = text(pool?.nodeReadySeconds);
  const pod = text(application?.podReadySeconds);
  return {
    id: 'three-clocks',
    expected: 'node ready time, pod ready time, downtime seconds',
    outcome: 'noted',
    observed: `node ready ${node}, pod ready ${pod}, downtime ${downtimeText(downtime)}; the target is about the last`,
  };
}
