import { isJson, type Json } from '../../../objects/json.ts';
import { held } from '../held.ts';

/** What a pod's security context holds of its spec. */
const ofSecurity = { hostNetwork: false, hostPID: false, hostIPC: false, shareProcessNamespace: null, hostUsers: null };

/** In the order of the type that the API server works with; that of core/v1 has another. */
const order = [
  'Volumes',
  'InitContainers',
  'Containers',
  'EphemeralContainers',
  'RestartPolicy',
  'TerminationGracePeriodSeconds',
  'ActiveDeadlineSeconds',
  'DNSPolicy',
  'NodeSelector',
  'ServiceAccountName',
  'AutomountServiceAccountToken',
  'NodeName',
  'SecurityContext',
  'ImagePullSecrets',
  'Hostname',
  'Subdomain',
  'SetHostnameAsFQDN',
  'Affinity',
  'SchedulerName',
  'Tolerations',
  'HostAliases',
  'PriorityClassName',
  'Priority',
  'PreemptionPolicy',
  'DNSConfig',
  'ReadinessGates',
  'RuntimeClassName',
  'Overhead',
  'EnableServiceLinks',
  'TopologySpreadConstraints',
  'OS',
  'SchedulingGates',
  'ResourceClaims',
  'Resources',
  'HostnameOverride',
];

const securityOrder = [
  'SELinuxOptions',
  'WindowsOptions',
  'RunAsUser',
  'RunAsGroup',
  'RunAsNonRoot',
  'SupplementalGroups',
  'SupplementalGroupsPolicy',
  'FSGroup',
  'FSGroupChangePolicy',
  'Sysctls',
  'SeccompProfile',
  'AppArmorProfile',
  'SELinuxChangePolicy',
];

/** A pod's spec as the API server holds it (kubernetes, pkg/apis/core/types.go). */
export function heldPodSpec(spec: Json): Json {
  const whole = held(spec, 'core/v1.PodSpec') as Json;
  const context = isJson(spec.securityContext)
    ? (held(spec.securityContext, 'core/v1.PodSecurityContext') as Json)
    : {};
  const shared = Object.entries(ofSecurity).map(([key, none]) => [
    `${key[0]?.toUpperCase()}${key.slice(1)}`,
    spec[key] ?? none,
  ]);
  const security = { ...Object.fromEntries(shared), ...ordered(context, securityOrder) };
  return ordered({ ...whole, SecurityContext: security }, order);
}

const ordered = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
