import { fulfils } from '../../cluster/requirements.ts';
import type { Pod } from '../../cluster/resources.ts';
import type { PersistentVolumeClaim } from '../../cluster/volumes.ts';
import { zoneLabel } from '../observe/probe-zones.ts';
import type { Obstacle, Stuck } from './obstacle.ts';

/** Why a pod does not get its volumes. */
export function volumeObstacles(stuck: Stuck, waiting: readonly Pod[]): readonly Obstacle[] {
  const names = new Set(waiting.flatMap(claimsOf));
  const claims = stuck.volumeClaims.filter(({ metadata }) => names.has(metadata.name));
  return claims.flatMap((claim) => heldElsewhere(stuck, claim, waiting) ?? inOtherZone(stuck, claim) ?? []);
}

const claimsOf = ({ spec: { volumes = [] } }: Pod): readonly string[] =>
  volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);

const causeIn = ({ metadata: { name } }: PersistentVolumeClaim, field: string) => ({
  kind: 'PersistentVolumeClaim',
  name,
  field,
});

/** A volume of one node: a pod on another one waits until no pod of the first uses it (Multi-Attach error). */
function heldElsewhere({ pods }: Stuck, claim: PersistentVolumeClaim, waiting: readonly Pod[]): Obstacle | undefined {
  const { metadata, spec } = claim;
  if (spec.accessModes?.some((mode) => mode.endsWith('Many'))) return undefined;
  const users = pods.filter((pod) => claimsOf(pod).includes(metadata.name));
  const holder = users.find((pod) => !waiting.includes(pod) && pod.spec.nodeName !== undefined);
  if (holder === undefined) return undefined;
  return {
    because: causeIn(claim, 'spec.accessModes'),
    observed: `PersistentVolumeClaim ${metadata.name} is ReadWriteOnce, and ${holder.metadata.name} has its volume on ${holder.spec.nodeName}: pods on other nodes wait for ever (Multi-Attach error)`,
    advice:
      'use a class with ReadWriteMany, such as EFS, or a StatefulSet with a volume for each pod; with one replica strategy Recreate',
  };
}

function inOtherZone({ volumes, pools }: Stuck, claim: PersistentVolumeClaim): Obstacle | undefined {
  const volume = volumes.find(({ metadata }) => metadata.name === claim.spec.volumeName);
  const terms = volume?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const zones = terms.flatMap(({ matchExpressions = [] }) =>
    matchExpressions.flatMap(({ key, values = [] }) => (/zone$/.test(key) ? values : [])),
  );
  const reaches = zones.some((zone) =>
    pools.some(({ spec }) =>
      spec.template.spec.requirements
        .filter(({ key }) => key === zoneLabel)
        .every((one) => fulfils({ [zoneLabel]: zone }, one)),
    ),
  );
  if (zones.length === 0 || reaches || pools.length === 0) return undefined;
  return {
    because: causeIn(claim, 'spec.volumeName'),
    observed: `the volume of PersistentVolumeClaim ${claim.metadata.name} is in zone ${zones.join(', ')}, and no NodePool launches nodes there`,
    advice: 'let a NodePool launch in that zone, or take a class whose volumes are in no zone, such as EFS',
  };
}
