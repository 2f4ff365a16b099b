import { wholeSecondsText } from '../../figures/figures.js';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { atRestWithAtLeast, nodeReplaced, twoOrFewer } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { cordoning } from '../permissions/needs.ts';
import { predictEnded, shortRecovery, threeClocks } from './ended-nodes.ts';
import { atLeastReady, newNodes } from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { poolOf } from './shared.ts';
import { withoutSpareCapacity } from './spare-capacity.ts';

/**
 * 4.1: terminate the cloud instance. Measures three durations: until traffic is whole, until a new node and a new pod
 * are ready.
 */
export const instanceKill = {
  name: 'instance-kill',
  title: 'Instance hard kill',
  expected:
    'node NotReady; new ARM node provisioned; pods rescheduled; short recovery; target under 60 seconds total; measure node ready time, pod ready time, downtime seconds',
  explanation: {
    how: 'Terminates the instance of a node through the cloud’s API, without notice to Kubernetes. It is irreversible.',
    fails: [
      'The node becomes NotReady only after 40 to 50 s (node-monitor-grace-period). Until then, with one of two pods dead, half of the requests meet it: ingress-nginx waits 5 s and asks any pod again, the dead one too. Measured, 53 % of those took 5 s, 26 % 10 s, 19 % failed with 504 after 15 s, and one request for each connection kept to the pod waited 60 s.',
      'Pods stay on the node for 300 s unless it is deleted; a new node takes another 45 to 120 s. With an interruption queue Karpenter reacts within seconds.',
      'Without a spread of the replicas all of them were on that node.',
    ],
    measured: [
      'downtime, for which the 60 s are the target',
      'when the replacement node is Ready',
      'when the replacement pod is Ready',
      'when the node is NotReady',
    ],
  },
  criterion: 3,
  resultRow: 'Instance kill',
  terminates: 'an instance',
  needsKarpenter: true,
  permissions: () => [cordoning],
  cloudPermissions: ['ec2:DescribeInstances', 'ec2:TerminateInstances'],
  sharedBy: poolOf,
  disturbs: ['nodes'],
  restsOn: {
    'new-node': ['node-requirements'],
    'short-recovery': ['replicas-apart', 'spread', 'application-replicas'],
  },
  predict: (now) => predictEnded(now, { places: now.applicationNodes, together: 'all replicas are on the victim' }),
  // The other nodes are cordoned, and the pods of one node fit on another of its kind.
  newNodes: () => 1,
  baseline: { appReplicas: 2, orMore: true },
  needs: 'instances',
  plan: (before, settings) => {
    const victim = chooseVictim(before, settings);
    if ('inconclusive' in victim) return victim;
    const { node } = victim;
    const kill = { action: 'terminate-instance', target: { node, nodePool: settings.nodePool.name } } as const;
    return {
      // A replacement node is to be measured, so the pods must not find room on another node.
      actions: [...withoutSpareCapacity(before, settings, [node]), kill],
      notes: [neighboursNote(before, node)],
    };
  },
  settled: (now, before) => atRestWithAtLeast(now, twoOrFewer(before)) && nodeReplaced(now, before),
  // NotReady 50 s, pods collected 60 s after the Node is deleted, a new node 120 s, the old NodeClaim collected after
  // 120 s; twice their sum (docs/facts/kubernetes.md, "A node that fails").
  settleWithinSeconds: 720,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: true,
  judge: (measured, settings) => [
    shortRecovery(measured, settings, apart),
    nodeNotReady(measured),
    newNodes(measured, settings, 0),
    atLeastReady(measured, 2, settings),
    threeClocks(measured),
  ],
} as const satisfies Scenario;

const apart = 'spread at least 2 replicas over nodes, and give the autoscaler an interruption queue';

/**
 * Noted if the node was seen to fail or to go: an autoscaler with an interruption queue may delete the node before it
 * is NotReady.
 */
function nodeNotReady({ pool }: Measurement): Expectation {
  const [taken] = pool?.taken ?? [];
  const gone = taken?.goneSeconds ?? null;
  const end = gone === null ? '' : `; its Node was gone after ${wholeSecondsText(gone)}`;
  const seen = taken?.notReadySeconds ?? null;
  return {
    id: 'node-not-ready',
    expected: 'node NotReady',
    outcome: seen === null && gone === null ? 'inconclusive' : 'noted',
    observed: seen === null ? `never seen${end}` : `seen after ${wholeSecondsText(seen)}${end}`,
  };
}
