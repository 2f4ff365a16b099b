import { rolloutOf } from '../../cluster/rollout.ts';
import type { Container } from '../../cluster/specs.ts';
import type { Workload } from '../../cluster/workload.ts';
import { manyIfUnknown } from '../observe/owner-limits.ts';
import type { Rule } from './audited.ts';
import { leastReplicas } from './replicas.ts';

/** Without a node selector pods may run on other pools, and the validation would not test the ARM nodes. */
export const placement: Rule = {
  name: 'placement',
  required: false,
  look: ({ application: { workload }, settings }) => {
    const { nodeSelector = {}, affinity } = workload.spec.template.spec;
    const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
    const keys = [
      ...Object.keys(nodeSelector),
      ...terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
    ];
    const { name, role, requirements } = settings.nodePool;
    const isOwnPool = requirements !== undefined;
    const chosen = keys.filter(
      (key) => isOwnPool || ['role', 'kubernetes.io/arch', 'karpenter.sh/nodepool'].includes(key),
    );
    return {
      outcome: chosen.length > 0 ? 'met' : 'missed',
      subject: workload,
      expected: `pods bound to the nodes of ${name}`,
      observed: chosen.length > 0 ? `by ${chosen.join(', ')}` : 'they may run on any node',
      advice: `add nodeSelector: ${isOwnPool ? `karpenter.sh/nodepool: ${name}` : `role: ${role}`}`,
    };
  },
};

/** Without requests the scheduler puts all pods on one node, and scaling up never needs a new one. */
export const resourceRequests: Rule = {
  name: 'resource-requests',
  required: false,
  look: ({ application: { workload } }) => {
    const without = workload.spec.template.spec.containers.filter(
      ({ resources }) => resources?.requests?.cpu === undefined || resources.requests.memory === undefined,
    );
    return {
      outcome: without.length === 0 ? 'met' : 'missed',
      subject: workload,
      expected: 'requests for cpu and memory on every container',
      observed: without.length === 0 ? 'on every container' : `not on ${without.map(({ name }) => name).join(', ')}`,
      advice: 'add resources.requests: without them pods are packed without regard to what they need',
    };
  },
};

/** An image without a tag may be another version on every node that pulls it later. */
export const imageTag: Rule = {
  name: 'image-tag',
  required: false,
  look: ({ application: { workload } }) => {
    const loose = workload.spec.template.spec.containers.filter(isLoose);
    return {
      outcome: loose.length === 0 ? 'met' : 'missed',
      subject: workload,
      expected: 'images of one version, by a tag or a digest',
      observed:
        loose.length === 0
          ? 'every image has one'
          : `neither a tag nor a digest, or latest: ${loose.map(({ image }) => image).join(', ')}`,
      advice: 'name a version: latest may be a different one on every new node',
    };
  },
};

/** Whether the image names no version. The port of a registry is no tag; a digest counts as a tag. */
function isLoose({ image }: Container): boolean {
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest';
}

/** A rollout must not remove all old pods before new ones are ready. */
export const rollout: Rule = {
  name: 'rollout',
  required: false,
  look: ({ application: { workload, autoscalers } }) => {
    const replicas = manyIfUnknown(workload, autoscalers);
    const { type, gone } = rolloutOf(workload, replicas);
    const keepsOne = type !== 'Recreate' && gone < replicas;
    return {
      outcome: keepsOne ? 'met' : 'missed',
      subject: workload,
      expected: 'a rolling update that always leaves a pod',
      observed: type === 'Recreate' ? type : `${gone} of ${replicas} may be unavailable`,
      advice: rolloutAdvice[workload.kind],
    };
  },
};

const rolloutAdvice: Readonly<Record<Workload['kind'], string>> = {
  Deployment: 'set strategy RollingUpdate with maxUnavailable 0',
  StatefulSet: 'set replicas to 2 or more: a StatefulSet ends a pod before its successor starts',
  DaemonSet: 'set updateStrategy RollingUpdate with maxUnavailable 1, or 0 and maxSurge 1',
};

/** A HorizontalPodAutoscaler with a minimum of one replica may scale the application below the two of section 8. */
export const autoscalerFloor: Rule = {
  name: 'autoscaler-floor',
  required: false,
  look: ({ application: { workload, autoscalers } }) => {
    const low = autoscalers.filter(({ spec }) => (spec.minReplicas ?? 1) < leastReplicas);
    return {
      outcome: low.length === 0 ? 'met' : 'missed',
      subject: workload,
      expected: 'no HorizontalPodAutoscaler that may scale it to one replica',
      observed: low.length === 0 ? 'none' : low.map(({ metadata }) => `${metadata.name} may`).join(', '),
      advice: 'set minReplicas to 2 or more',
    };
  },
};
