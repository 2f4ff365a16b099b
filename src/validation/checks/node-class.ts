import { condition } from '../../cluster/pods.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/** The node class of the pool exists and is Ready. Kinds of other clouds are not read. */
export const nodeClass: Check = {
  name: 'node-class',
  mandatory: true,
  ofKarpenter: true,
  async look({ site, settings: { nodePool } }) {
    const { group, kind, name } = nodePool.nodeClass;
    const assertion = { id: 'node-class', subject: `${kind} ${name}`, expected: 'there and Ready' };
    if (group !== 'karpenter.k8s.aws' || kind !== 'EC2NodeClass')
      return asExpected(assertion, `${kind}.${group} is not a kind that holdfast reads`);
    const found = await site.cluster.get('EC2NodeClass', { name });
    if (found === undefined)
      return notAsExpected(assertion, 'there is none', 'name the node class in validation.nodePool.nodeClass');
    const ready = condition(found, 'Ready');
    const observed = `Ready ${ready?.status ?? 'absent'}${ready?.message ? `: ${ready.message}` : ''}`;
    if (ready?.status === 'True') return asExpected(assertion, observed);
    return notAsExpected(
      assertion,
      observed,
      `see kubectl describe ${kind.toLowerCase()} ${name}: subnets, AMIs, role`,
    );
  },
};
