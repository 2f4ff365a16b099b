import type { Located } from './located.ts';

/** Versions that Kubernetes serves no longer, since when, and what it serves in their place (Kubernetes, Deprecated API Migration Guide). */
const removed: Readonly<Record<string, readonly [since: string, instead: string]>> = {
  'extensions/v1beta1 Ingress': ['1.22', 'networking.k8s.io/v1'],
  'networking.k8s.io/v1beta1 Ingress': ['1.22', 'networking.k8s.io/v1'],
  'networking.k8s.io/v1beta1 IngressClass': ['1.22', 'networking.k8s.io/v1'],
  'extensions/v1beta1 NetworkPolicy': ['1.16', 'networking.k8s.io/v1'],
  ...Object.fromEntries(
    ['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'].flatMap((version) =>
      ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'].map((kind) => [
        `${version} ${kind}`,
        ['1.16', 'apps/v1'] as const,
      ]),
    ),
  ),
  'autoscaling/v2beta1 HorizontalPodAutoscaler': ['1.25', 'autoscaling/v2'],
  'autoscaling/v2beta2 HorizontalPodAutoscaler': ['1.26', 'autoscaling/v2'],
  'policy/v1beta1 PodDisruptionBudget': ['1.25', 'policy/v1'],
  'batch/v1beta1 CronJob': ['1.25', 'batch/v1'],
  'rbac.authorization.k8s.io/v1beta1 Role': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'rbac.authorization.k8s.io/v1beta1 RoleBinding': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'rbac.authorization.k8s.io/v1beta1 ClusterRole': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding': ['1.22', 'rbac.authorization.k8s.io/v1'],
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': ['1.22', 'apiextensions.k8s.io/v1'],
};

/** Why an object of a version that is gone cannot be applied, as a sentence with its place. */
export function removedVersion({ file, lineOf, object: { apiVersion, kind } }: Located): readonly string[] {
  const found = removed[`${apiVersion} ${kind}`];
  if (found === undefined) return [];
  const [since, instead] = found;
  const place = `${file}:${lineOf(['apiVersion'])}: apiVersion`;
  return [`${place}: Kubernetes has had no ${kind} of ${apiVersion} since ${since}: write it for ${instead}.`];
}
