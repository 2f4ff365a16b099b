import type { NotRehearsed } from '../../validation/record/front-door-rehearsed.ts';
import type { Located, ManifestObject } from './located.ts';
import { told } from './ways-not-rehearsed.ts';

/** What a rehearsal takes an object for whose controller it does not have. */
interface StandIn {
  readonly object: ManifestObject;
  /** Follows the object's kind and name. */
  readonly because: string;
  readonly concerns: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const specOf = (object: ManifestObject): Fields => fieldsOf((object as unknown as Fields).spec);

const scaling: readonly string[] = ['scale-up', 'scale-down', 'single-replica', 'consolidation'];

/**
 * The objects as a rehearsal takes them: a Rollout of Argo as a Deployment, a ScaledObject of KEDA as its
 * HorizontalPodAutoscaler, a NodePool of EKS Auto Mode as one of Karpenter's own provider. `left`: what that leaves
 * out.
 */
export function withStandIns(located: readonly Located[]) {
  const left: NotRehearsed[] = [];
  const objects = located.map((one): Located => {
    const found = standIns[`${groupOf(one.object)}/${one.object.kind}`]?.(one.object);
    if (found === undefined) return one;
    left.push(told(one, [], found.because, found.concerns));
    return { ...one, object: found.object };
  });
  return { objects, left };
}

const groupOf = ({ apiVersion }: ManifestObject): string => apiVersion.replace(/\/.*$/, '');

const standIns: Readonly<Record<string, (object: ManifestObject) => StandIn | undefined>> = {
  'argoproj.io/Rollout': ofRollout,
  'keda.sh/ScaledObject': ofScaledObject,
  'autoscaling/HorizontalPodAutoscaler': ofAutoscaler,
  'karpenter.sh/NodePool': ofAutoMode,
};

/** argo-rollouts.readthedocs.io, "Rollout Specification": `maxSurge` and `maxUnavailable` of a canary are 25 %. */
function ofRollout(object: ManifestObject): StandIn | undefined {
  const { strategy, template, ...spec } = specOf(object);
  if (template === undefined) return undefined;
  const { canary, blueGreen } = fieldsOf(strategy);
  const { maxSurge = '25%', maxUnavailable = '25%' } = fieldsOf(canary);
  const rollingUpdate =
    blueGreen === undefined ? { maxSurge, maxUnavailable } : { maxSurge: '100%', maxUnavailable: 0 };
  const kept = ['replicas', 'selector', 'minReadySeconds', 'progressDeadlineSeconds', 'revisionHistoryLimit'];
  const same = Object.fromEntries(Object.entries(spec).filter(([name]) => kept.includes(name)));
  const deployment = { ...same, strategy: { type: 'RollingUpdate', rollingUpdate }, template };
  return {
    object: { ...object, apiVersion: 'apps/v1', kind: 'Deployment', spec: deployment } as ManifestObject,
    because:
      ' of Argo is rehearsed as a Deployment: its pods are the same, and its steps, pauses, analyses and weights are left out',
    concerns: ['rollout'],
  };
}

/** keda.sh, "ScaledObject specification": it makes `keda-hpa-NAME`, and itself scales between 0 and 1. */
function ofScaledObject(object: ManifestObject): StandIn {
  const { scaleTargetRef, minReplicaCount = 0, maxReplicaCount = 100, triggers } = specOf(object);
  const { kind = 'Deployment', name } = fieldsOf(scaleTargetRef);
  const ofResources = listOf(triggers).filter(({ type }) => type === 'cpu' || type === 'memory');
  const others = listOf(triggers).flatMap(({ type }) => (type === 'cpu' || type === 'memory' ? [] : [String(type)]));
  const metrics = ofResources.map(({ type, metadata }) => {
    const averageUtilization = Number(fieldsOf(metadata).value ?? 80);
    return { type: 'Resource', resource: { name: type, target: { type: 'Utilization', averageUtilization } } };
  });
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: kind === 'Rollout' ? 'Deployment' : kind, name },
    minReplicas: Math.max(1, Number(minReplicaCount)),
    maxReplicas: maxReplicaCount,
    ...(metrics.length > 0 && { metrics }),
  };
  const metadata = { ...object.metadata, name: `keda-hpa-${object.metadata.name}` };
  const triggered = others.length === 0 ? '' : `; ${others.join(', ')} ask for no more than the fewest`;
  const idle = Number(minReplicaCount) > 0 ? '' : '; it is never scaled to 0';
  return {
    object: {
      ...object,
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec,
    } as ManifestObject,
    because: ` of KEDA is rehearsed as the HorizontalPodAutoscaler that it makes${triggered}${idle}`,
    concerns: scaling,
  };
}

/** One that scales a Rollout scales the Deployment that it is taken for: nothing of it is left out. */
function ofAutoscaler(object: ManifestObject): StandIn | undefined {
  const spec = specOf(object);
  const target = fieldsOf(spec.scaleTargetRef);
  if (target.kind !== 'Rollout') return undefined;
  const scaleTargetRef = { ...target, apiVersion: 'apps/v1', kind: 'Deployment' };
  return {
    object: { ...object, spec: { ...spec, scaleTargetRef } } as ManifestObject,
    because: ' scales a Rollout, which is rehearsed as a Deployment',
    concerns: [],
  };
}

/** docs.aws.amazon.com/eks, "Create a Node Pool for EKS Auto Mode": its labels, and those of Karpenter's provider. */
function ofAutoMode(object: ManifestObject): StandIn | undefined {
  const { template, ...spec } = specOf(object);
  const { metadata, spec: node } = fieldsOf(template);
  const { nodeClassRef, requirements, ...others } = fieldsOf(node);
  const { group, name } = fieldsOf(nodeClassRef);
  if (group !== 'eks.amazonaws.com') return undefined;
  const asked = listOf(requirements).map((one) => ({
    ...one,
    key: String(one.key).replace(/^eks\.amazonaws\.com\/instance-/, 'karpenter.k8s.aws/instance-'),
  }));
  const labels = { 'eks.amazonaws.com/compute-type': 'auto', ...fieldsOf(fieldsOf(metadata).labels) };
  const changed = {
    metadata: { ...fieldsOf(metadata), labels },
    spec: {
      ...others,
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name },
      requirements: asked,
    },
  };
  return {
    object: { ...object, spec: { ...spec, template: changed } } as ManifestObject,
    because:
      ' of EKS Auto Mode is rehearsed as one of Karpenter’s own AWS provider: its machines are asked for by karpenter.k8s.aws',
    concerns: [],
  };
}
