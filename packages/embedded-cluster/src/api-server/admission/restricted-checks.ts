import type { Json } from '../../objects/json.ts';
import { itemsOf } from '../validation/pods/containers.ts';
import { hostNamespaces, hostPorts, linuxOptions, privileged, sysctls, unmaskedProc } from './baseline-checks.ts';
import {
  addedBy,
  type Check,
  jsonOf,
  listOf,
  named,
  ofContainers,
  profileType,
  type SecuredContainer,
  type SecuredPod,
} from './secured-pod.ts';

const restrictedKinds = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
  'image',
];

const restrictedVolumes: Check = ({ spec }) => {
  const kindOf = (volume: Json) => Object.keys(volume).find((key) => key !== 'name') ?? '';
  const failing = itemsOf(spec.volumes).filter((volume) => !restrictedKinds.includes(kindOf(volume)));
  if (failing.length === 0) return [];
  const names = failing.map(({ name }) => JSON.stringify(name)).join(', ');
  const kinds = [...new Set(failing.map(kindOf))].toSorted().map((one) => JSON.stringify(one));
  const [s, uses] = failing.length === 1 ? ['', 'uses'] : ['s', 'use'];
  return [
    `restricted volume types (volume${s} ${names} ${uses} restricted volume type${kinds.length === 1 ? '' : 's'} ${kinds.join(', ')})`,
  ];
};

const escalation = ofContainers(
  ({ security }) => security.allowPrivilegeEscalation !== false,
  (who) => `allowPrivilegeEscalation != false (${who} must set securityContext.allowPrivilegeEscalation=false)`,
);

const restrictedCapabilities: Check = ({ containers }) => {
  const dropsAll = ({ security }: SecuredContainer) => listOf(jsonOf(security.capabilities).drop).includes('ALL');
  const extra = (container: SecuredContainer) => addedBy(container).filter((one) => one !== 'NET_BIND_SERVICE');
  const [keeping, adding] = [
    containers.filter((one) => !dropsAll(one)),
    containers.filter((one) => extra(one).length > 0),
  ];
  const names = [...new Set(adding.flatMap(extra))].toSorted().map((one) => JSON.stringify(one));
  const words = [
    ...(keeping.length > 0 ? [`${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [`${named(adding)} must not include ${names.join(', ')} in securityContext.capabilities.add`]
      : []),
  ];
  return words.length === 0 ? [] : [`unrestricted capabilities (${words.join('; ')})`];
};

/** The containers that neither set it themselves nor have it from the pod. */
function unset(
  pod: SecuredPod,
  holds: (security: Json) => boolean,
  denies: (security: Json) => boolean,
): readonly SecuredContainer[] {
  const inherits = holds(pod.security);
  return pod.containers.filter(({ security }) => denies(security) || (!holds(security) && !inherits));
}

const nonRoot: Check = (pod) => {
  const failing = unset(
    pod,
    ({ runAsNonRoot }) => runAsNonRoot === true,
    ({ runAsNonRoot }) => runAsNonRoot === false,
  );
  if (pod.security.runAsNonRoot === false)
    return [`runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)`];
  if (failing.length === 0) return [];
  const isDenied = failing.every(({ security }) => security.runAsNonRoot === false);
  const what = isDenied
    ? `${named(failing)} must not set securityContext.runAsNonRoot=false`
    : `pod or ${named(failing)} must set securityContext.runAsNonRoot=true`;
  return [`runAsNonRoot != true (${what})`];
};

const rootUser: Check = ({ security, containers }) => {
  const failing = containers.filter((one) => one.security.runAsUser === 0);
  const who = [...(security.runAsUser === 0 ? ['pod'] : []), ...(failing.length > 0 ? [named(failing)] : [])];
  return who.length === 0 ? [] : [`runAsUser=0 (${who.join(' and ')} must not set runAsUser=0)`];
};

const restrictedSeccomp: Check = (pod) => {
  const isSet = (security: Json) => ['RuntimeDefault', 'Localhost'].includes(String(profileType(security)));
  const failing = unset(pod, isSet, (security) => profileType(security) === 'Unconfined');
  if (failing.length === 0) return [];
  return [
    `seccompProfile (pod or ${named(failing)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`,
  ];
};

/** Level `restricted`: the checks of the baseline that no stricter one replaces come first. */
export const restricted: readonly Check[] = [
  hostNamespaces,
  privileged,
  hostPorts,
  unmaskedProc,
  linuxOptions,
  sysctls,
  escalation,
  restrictedCapabilities,
  restrictedVolumes,
  nonRoot,
  rootUser,
  restrictedSeccomp,
];
