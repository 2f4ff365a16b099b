import type { Node } from '../../cluster/resources.ts';
import { isPoolNode } from '../observe/snapshot.ts';
import type { Check, CheckedRun } from './check.ts';
import { cloudCheck } from './cloud-check.ts';

/** EC2 knows the instance of an existing node. Whether the caller may terminate it shows only when it does. */
export const cloudInstances: Check = cloudCheck({
  name: 'cloud-instances',
  needs: 'instances',
  expected: 'the cloud knows the instances of the nodes',
  subject: () => 'EC2',
  async look(run, cloud) {
    const node = await someNode(run);
    if (node === undefined) return { observed: 'not asked: no node is an instance of EC2 yet' };
    const { name } = node.metadata;
    const instance = await cloud.instance(node.spec?.providerID ?? '');
    if (instance !== undefined) return { observed: `instance ${instance.id} of Node ${name} is ${instance.state}` };
    const advice = 'use the credentials of the account that the nodes are in';
    return { observed: `this account has no instance of Node ${name} (${node.spec?.providerID})`, advice };
  },
});

/** A node of the pool if it has one, otherwise any: account and region are the same. */
async function someNode({ site, settings }: CheckedRun): Promise<Node | undefined> {
  const nodes = (await site.cluster.list('Node')).filter(({ spec }) => /\/i-[^/]+$/.test(spec?.providerID ?? ''));
  return nodes.find((node) => isPoolNode(node, settings)) ?? nodes[0];
}
