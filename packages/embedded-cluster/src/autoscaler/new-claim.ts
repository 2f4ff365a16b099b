import type { NodeClaim } from '../kubernetes/autoscaler.ts';
import type { Quantities } from '../kubernetes/metadata.ts';
import { suffix } from '../objects/names.ts';
import { ownedBy } from '../objects/owners.ts';
import type { Amounts } from '../objects/quantities.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import { poolLabels } from './offering.ts';
import type { Plan } from './packing.ts';
import { poolHash } from './pool-hash.ts';
import { currentHashVersion, wellKnown } from './well-known.ts';

/**
 * The plan's NodeClaim: the pool's template, its requirements narrowed to the planned offering (nodeclaimtemplate.go).
 */
export function claimFor(
  { pool, offering, requests }: Plan,
  random: () => number,
  behaviour: Pick<AutoscalerBehaviour, 'expireAfter'>,
): NodeClaim {
  const { spec } = pool.spec.template;
  const expireAfter = behaviour.expireAfter ?? spec.expireAfter;
  const { requirements, nodeClassRef, taints, startupTaints, terminationGracePeriod } = spec;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: `${pool.metadata.name}-${suffix(random)}`,
      labels: poolLabels(pool),
      annotations: {
        ...pool.spec.template.metadata?.annotations,
        [wellKnown.hash]: poolHash(pool),
        [wellKnown.hashVersion]: currentHashVersion,
      },
      finalizers: [wellKnown.finalizer],
      ownerReferences: [ownedBy(pool)],
    },
    spec: {
      nodeClassRef,
      requirements: [
        ...requirements,
        { key: wellKnown.nodePool, operator: 'In', values: [pool.metadata.name] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [offering.type.name] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: [offering.zone] },
        { key: wellKnown.capacityType, operator: 'In', values: [offering.capacityType] },
      ],
      resources: { requests: quantitiesOf(requests) },
      ...(expireAfter === undefined ? {} : { expireAfter }),
      ...(taints === undefined ? {} : { taints }),
      ...(startupTaints === undefined ? {} : { startupTaints }),
      ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
    },
  };
}

function quantitiesOf(amounts: Amounts): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [
      name,
      name === 'cpu' ? `${Math.ceil(amount * 1000)}m` : String(Math.ceil(amount)),
    ]),
  );
}
