import type { Action } from './action.ts';
import { awaitEnding, claimsByHand, cloudOf, type Machine, podsOn, terminable } from './terminate-instance.ts';

export interface ZoneTarget {
  readonly zone: string;
  readonly nodes: readonly string[];
  readonly nodePool: string;
}
export interface ZoneIntent extends Pick<ZoneTarget, 'zone' | 'nodePool'> {
  readonly machines: readonly Machine[];
  /** The pods on the nodes, `namespace/name`, without those of DaemonSets. */
  readonly pods: readonly string[];
}

/**
 * Terminates the instances of all these nodes by one request, as the failure of their zone would. Only running
 * instances whose tag names the pool; if one of them is not such, none is terminated. Irreversible: the autoscaler
 * creates other nodes.
 */
export const terminateZone: Action<ZoneTarget, ZoneIntent> = {
  name: 'terminate-zone',
  async prepare(site, { zone, nodes, nodePool }) {
    const machines = await Promise.all(nodes.map((node) => terminable(site, { node, nodePool })));
    const pods = await Promise.all(nodes.map((node) => podsOn(site, node)));
    return { zone, nodePool, machines, pods: pods.flat() };
  },
  async perform(site, { zone, machines }) {
    await cloudOf(site, `of zone ${zone}`).terminate(machines.map(({ providerId }) => providerId));
  },
  verify: (site, { machines }) => awaitEnding(site, machines),
  undo: async () => ({
    state: 'irreversible',
    because: 'terminated instances do not come back; the autoscaler makes other nodes',
  }),
  takes: ({ nodes }) => nodes,
  nodes: ({ machines }) => machines.map(({ node }) => node),
  replacedFor: 'instance-ended',
  subject: ({ zone, machines }) =>
    `zone ${zone}: ${machines.map(({ instance, node }) => `instance ${instance} (Node ${node})`).join(', ')}`,
  permission: ({ zone, pods }) => ({ typed: zone, because: `it ends these pods: ${pods.join(', ') || 'none'}` }),
  byHand: ({ nodePool }) => claimsByHand(nodePool),
};
