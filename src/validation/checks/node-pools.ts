import type { NodePool } from '../../cluster/autoscaler.ts';
import { condition } from '../../cluster/pods.ts';
import { appliesPool } from '../manifests/manifests.ts';
import { hashVersion, hashVersionAnnotation } from '../manifests/pool-hash.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/**
 * "… and node pools must be healthy": Ready is True for the present generation, and the hash version is v3.
 * `NodeRegistrationHealthy` Unknown is no failure, False is (docs/specification-notes.md).
 */
export const nodePools: Check = {
  name: 'node-pools',
  mandatory: true,
  ofKarpenter: true,
  async look({ site, settings }) {
    const pools = await site.cluster.list('NodePool');
    const names = pools.map(({ metadata }) => metadata.name);
    const assertion = {
      id: 'node-pools',
      subject: pools.length === 0 ? 'NodePools' : `NodePool ${names.join(', ')}`,
      expected: 'every NodePool Ready',
    };
    const isMissing = !appliesPool(settings) && !names.includes(settings.nodePool.name);
    const missing = isMissing ? [`there is no NodePool ${settings.nodePool.name}`] : [];
    const troubles = [...missing, ...pools.flatMap(troublesOf)];
    if (troubles.length === 0)
      return asExpected(assertion, `${pools.length} ${pools.length === 1 ? 'NodePool' : 'NodePools'}, none in trouble`);
    return notAsExpected(assertion, troubles.join('; '), isMissing ? nameIt(names) : seeIt);
  },
};

const seeIt = 'see kubectl describe nodepool, and the conditions of its node class';
const nameIt = (names: readonly string[]): string =>
  `set validation.nodePool.name to the pool of the application's nodes${names.length === 0 ? ', once there is one' : `: ${names.join(', ')}`}`;

function troublesOf(pool: NodePool): readonly string[] {
  const { name, generation = 0, annotations } = pool.metadata;
  const ready = condition(pool, 'Ready');
  const version = annotations?.[hashVersionAnnotation] ?? hashVersion;
  const isStale = (ready?.observedGeneration ?? generation) < generation;
  return [
    ...(ready?.status === 'True'
      ? []
      : [`${name} has Ready ${ready?.status ?? 'absent'} ${ready?.message ?? ''}`.trim()]),
    ...(isStale ? [`${name}'s Ready is of generation ${ready?.observedGeneration}, and ${generation} is there`] : []),
    ...falseCondition(pool, 'ValidationSucceeded', `${name} is not valid`),
    ...falseCondition(pool, 'NodeRegistrationHealthy', `nodes of ${name} do not register`),
    ...(version === hashVersion
      ? []
      : [`${name} has hash-version ${version}, and this procedure knows ${hashVersion}`]),
  ];
}

function falseCondition(pool: NodePool, type: string, trouble: string): readonly string[] {
  const { status, message = '' } = condition(pool, type) ?? {};
  return status === 'False' ? [`${trouble}: ${message}`] : [];
}
