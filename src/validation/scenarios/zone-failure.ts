import { wholeSecondsText } from '../../figures/figures.js';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { zoneLabel } from '../observe/probe-zones.ts';
import { atRestWithAtLeast, type Before, nodesGone, readyPods, twoOrFewer } from '../observe/snapshot.ts';
import { chooseZone, type Zone } from '../observe/victim.ts';
import { predictEnded, shortRecovery, threeClocks } from './ended-nodes.ts';
import { atLeastReady, nodesNotObserved } from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { poolOf } from './shared.ts';

/** No row of table 4.1: the instances of all nodes of the pool in one zone end at once. */
export const zoneFailure = {
  name: 'zone-failure',
  title: 'Zone failure',
  expected: 'all nodes of the zone gone; pods rescheduled; short recovery; target under 60 seconds total',
  explanation: {
    how: 'Terminates the instances of all nodes that the pool has in one zone, by one request and without notice to Kubernetes: the zone with most of the application’s pods. It is irreversible, and runs only where it is named. Nodes of other pools, load balancers, volumes and the zone’s capacity stay.',
    fails: [
      'All replicas were in that zone: a spread over nodes is none over zones, and an autoscaler launches all nodes in the zone that is cheapest. Nobody serves until a new node has booted.',
      'The nodes become NotReady only after 40 to 50 s (node-monitor-grace-period). Until then requests meet the dead pods.',
      'The replicas of the zones that are left do not carry the whole load, or a budget or a quota keeps new ones away.',
    ],
    measured: [
      'downtime, for which the target of an instance crash holds, 60 s: traffic goes on when the endpoints of the dead pods are removed, of one node or of several',
      'when the nodes were gone',
      'when a replacement node and a replacement pod are Ready',
    ],
  },
  terminates: 'all instances of the pool in a zone',
  onlyWithFlag: true,
  needsKarpenter: true,
  permissions: () => [{ group: '', resource: 'nodes', verbs: ['get'] }],
  cloudPermissions: ['ec2:DescribeInstances', 'ec2:TerminateInstances'],
  sharedBy: poolOf,
  disturbs: ['nodes'],
  restsOn: { 'short-recovery': ['spread', 'application-replicas'] },
  predict: (now) => predictEnded(now, { places: now.applicationZones, together: 'all replicas are in the zone' }),
  newNodes: ({ poolNodes }) => poolNodes,
  baseline: { appReplicas: 2, orMore: true },
  needs: 'instances',
  plan: (before, settings) => {
    const zone = chooseZone(before, settings);
    if ('inconclusive' in zone) return zone;
    return {
      actions: [{ action: 'terminate-zone', target: { ...zone, nodePool: settings.nodePool.name } }],
      notes: [replicasNote(before, zone), ...zone.nodes.map((node) => neighboursNote(before, node))],
    };
  },
  settled: (now, before) => atRestWithAtLeast(now, twoOrFewer(before)) && zoneIsGone(now, before),
  // As for an instance kill: the nodes of a zone fail at the same time.
  settleWithinSeconds: 720,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: true,
  judge: (measured, settings) => [
    shortRecovery(measured, settings, apart),
    allGone(measured),
    atLeastReady(measured, 2, settings),
    threeClocks(measured),
  ],
} as const satisfies Scenario;

const apart =
  'spread at least 2 replicas over zones (topologySpreadConstraints with topology.kubernetes.io/zone and DoNotSchedule), and give the autoscaler an interruption queue';

function replicasNote(before: Before, { zone, nodes }: Zone): Expectation {
  const ready = readyPods(before);
  const there = ready.filter(({ spec }) => nodes.includes(spec.nodeName ?? '')).length;
  return {
    id: 'replicas-in-zone',
    expected: `replicas outside ${zone}`,
    outcome: 'noted',
    observed: `${ready.length - there} of ${ready.length} ready pods are on nodes of other zones`,
  };
}

/** Whether a zone that had nodes of the pool has none of those any more. */
function zoneIsGone(now: Parameters<typeof nodesGone>[0], before: Before): boolean {
  const poolNodes = before.nodes.filter(({ metadata }) => hasClaim(before, metadata.name));
  const zones = Map.groupBy(poolNodes, ({ metadata }) => metadata.labels?.[zoneLabel]);
  return [...zones.values()].some((nodes) =>
    nodesGone(
      now,
      before,
      nodes.map(({ metadata }) => metadata.name),
    ),
  );
}

const hasClaim = ({ claims }: Before, node: string): boolean => claims.some(({ status }) => status?.nodeName === node);

function allGone({ pool }: Measurement): Expectation {
  const id = 'nodes-gone';
  const expected = 'all nodes of the zone gone';
  if (pool === undefined) return { id, expected, outcome: 'inconclusive', observed: nodesNotObserved };
  const { taken } = pool;
  const stayed = taken.filter(({ goneSeconds }) => goneSeconds === null).map(({ node }) => node);
  if (stayed.length > 0)
    return { id, expected, outcome: 'inconclusive', observed: `still there: ${stayed.join(', ')}` };
  const each = taken.map(({ node, goneSeconds }) => `${node} after ${wholeSecondsText(goneSeconds ?? 0)}`);
  return { id, expected, outcome: each.length === 0 ? 'inconclusive' : 'met', observed: each.join(', ') };
}
