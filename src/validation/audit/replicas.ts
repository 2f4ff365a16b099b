import { isReady } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';
import { podsWanted } from '../../cluster/workload.ts';
import { wantedReplicas } from '../observe/owner-limits.ts';
import type { Audited, Rule, Verdict } from './audited.ts';

/** Section 8: "minimum replicas for production: 2 for application and ingress controller". */
export const leastReplicas = 2;

const expected = `at least ${leastReplicas} replicas`;

/** 4.2: application replicas at least 2. How many nodes a DaemonSet has is not in manifests. */
export const applicationReplicas: Rule = {
  name: 'application-replicas',
  required: true,
  look: ({ application }) =>
    application.workload.kind === 'DaemonSet' && podsWanted(application.workload) === undefined
      ? { outcome: 'met', subject: application.workload, expected, observed: 'a pod on each node' }
      : atLeastTwo(application, 'with one replica every restart of its pod is an outage'),
};

/** 4.2: ingress controller replicas at least 2. */
export const ingressReplicas: Rule = {
  name: 'ingress-replicas',
  required: true,
  ofIngress: true,
  look: ({ ingressController }) =>
    ingressController?.deployment === undefined
      ? { outcome: 'not-audited', subject: 'ingress controller', expected }
      : atLeastTwo(
          { workload: ingressController.deployment, autoscalers: ingressController.autoscalers ?? [] },
          'the loss of its only pod is an outage of every application behind it',
        ),
};

/** Two replicas on one node are lost together; the scheduler avoids that only with a constraint. */
export const spread: Rule = {
  name: 'spread',
  required: false,
  look: ({ application: { workload } }) => {
    const { topologySpreadConstraints = [], affinity } = workload.spec.template.spec;
    const hard = topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
    const apart = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const spreadBy = [...hard, ...apart].map(({ topologyKey }) => topologyKey);
    const keys = workload.kind === 'DaemonSet' ? ['its DaemonSet, a pod a node'] : spreadBy;
    return {
      outcome: keys.length > 0 ? 'met' : 'missed',
      subject: workload,
      expected: 'replicas kept apart: a topology spread constraint or anti-affinity that is not only a preference',
      observed: keys.length > 0 ? `by ${keys.join(', ')}` : 'nothing keeps them apart',
      advice: 'add topologySpreadConstraints: maxSkew 1, kubernetes.io/hostname, DoNotSchedule',
    };
  },
};

/** Whether the replicas run on several nodes at this moment, whatever the manifest says. */
export const replicasApart: Rule = {
  name: 'replicas-apart',
  required: false,
  look: (audited) => apart(audited.application.workload, audited.now?.pods),
};

export const ingressApart: Rule = {
  name: 'ingress-apart',
  required: false,
  ofIngress: true,
  look: (audited) => apart('ingress controller', audited.now?.ingressPods),
};

function atLeastTwo(
  { workload, autoscalers }: Pick<Audited['application'], 'workload' | 'autoscalers'>,
  advice: string,
): Verdict {
  const replicas = wantedReplicas(workload, autoscalers);
  return {
    outcome: replicas >= leastReplicas ? 'met' : 'missed',
    subject: workload,
    expected,
    observed: `replicas ${replicas}`,
    advice,
  };
}

function apart(subject: Verdict['subject'], pods: readonly Pod[] | undefined): Verdict {
  const expected = 'replicas on at least two nodes at this moment';
  if (pods === undefined) return { outcome: 'not-audited', subject, expected };
  const nodes = new Set(pods.filter(isReady).flatMap(({ spec }) => spec.nodeName ?? []));
  const names = [...nodes].join(', ');
  const verdict = { subject, expected };
  if (nodes.size >= leastReplicas) return { ...verdict, outcome: 'met', observed: `on ${names}` };
  const observed = nodes.size === 0 ? 'no ready pod' : `all of them on ${names}`;
  return {
    ...verdict,
    outcome: 'missed',
    observed,
    advice: 'its loss takes all of them: spread them, then restart the rollout',
  };
}
