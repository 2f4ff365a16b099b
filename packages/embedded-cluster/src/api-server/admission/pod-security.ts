import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';
import { baseline } from './baseline-checks.ts';
import { restricted } from './restricted-checks.ts';
import { securedPod } from './secured-pod.ts';

type Mode = 'enforce' | 'warn';

/**
 * The admission plugin PodSecurity (https://kubernetes.io/docs/concepts/security/pod-security-admission/): what the
 * labels of a namespace demand of its pods. A pod against `enforce` is refused; of a pod, or the template of a
 * workload, against `warn` the client is warned.
 */
export function requirePodSecurity(object: StoredObject, api: Api, at: ApiRequest): void {
  const { wanted, found } = demanded(object, api, 'enforce');
  if (found.length > 0) throw refusals.forbidden(at, `violates PodSecurity "${wanted}": ${found.join(', ')}`);
}

/** The warning of a pod, or of a workload by its template; none where nothing is demanded. */
export function podSecurityWarnings(object: StoredObject, api: Api): readonly string[] {
  const { wanted, found } = demanded(object, api, 'warn');
  return found.length === 0 ? [] : [`would violate PodSecurity "${wanted}": ${found.join(', ')}`];
}

function demanded(object: StoredObject, api: Api, mode: Mode) {
  const labels = api.objects.get('Namespace', undefined, object.metadata.namespace ?? '')?.metadata.labels ?? {};
  const level = labels[`pod-security.kubernetes.io/${mode}`];
  const version = labels[`pod-security.kubernetes.io/${mode}-version`] ?? 'latest';
  if (level !== 'baseline' && level !== 'restricted') return { wanted: '', found: [] };
  const spec = podSpecOf(object);
  const pod = spec && securedPod(spec);
  const checks = level === 'baseline' ? baseline : restricted;
  return { wanted: `${level}:${version}`, found: pod === undefined ? [] : checks.flatMap((check) => check(pod)) };
}

/** The spec of the pod that the object is, or makes. */
function podSpecOf(object: StoredObject): Json | undefined {
  if (object.kind === 'Pod') return object.spec;
  const job = object.kind === 'CronJob' ? memberOf(object.spec?.jobTemplate, 'spec') : object.spec;
  return memberOf(memberOf(object.kind === 'PodTemplate' ? object : job, 'template'), 'spec');
}

function memberOf(value: unknown, key: string): Json | undefined {
  const member = isJson(value) ? value[key] : undefined;
  return isJson(member) ? member : undefined;
}

/** The kinds whose pods are looked at. */
export const securedKinds: ReadonlySet<string> = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'Pod',
  'PodTemplate',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
]);
