import { isJson } from '../../objects/json.ts';
import { itemsOf } from '../validation/pods/containers.ts';
import { addedBy, type Check, jsonOf, named, ofContainers, profileType, type SecuredContainer } from './secured-pod.ts';

export const hostNamespaces: Check = ({ spec }) => {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((key) => spec[key] === true);
  return used.length === 0 ? [] : [`host namespaces (${used.map((key) => `${key}=true`).join(', ')})`];
};

export const privileged = ofContainers(
  ({ security }) => security.privileged === true,
  (who) => `privileged (${who} must not set securityContext.privileged=true)`,
);

const allowedCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const baselineCapabilities: Check = ({ containers }) => {
  const beyond = (container: SecuredContainer) => addedBy(container).filter((one) => !allowedCapabilities.has(one));
  const failing = containers.filter((one) => beyond(one).length > 0);
  if (failing.length === 0) return [];
  const names = [...new Set(failing.flatMap(beyond))].toSorted().map((one) => JSON.stringify(one));
  return [
    `non-default capabilities (${named(failing)} must not include ${names.join(', ')} in securityContext.capabilities.add)`,
  ];
};

const hostPathVolumes: Check = ({ spec }) => {
  const volumes = itemsOf(spec.volumes).filter((volume) => isJson(volume.hostPath));
  if (volumes.length === 0) return [];
  const names = volumes.map(({ name }) => JSON.stringify(name)).join(', ');
  return [`hostPath volumes (volume${volumes.length === 1 ? '' : 's'} ${names})`];
};

export const hostPorts: Check = ({ containers }) => {
  const portsOf = ({ whole }: SecuredContainer) =>
    itemsOf(whole.ports)
      .map(({ hostPort }) => Number(hostPort ?? 0))
      .filter(Boolean);
  const failing = containers.filter((one) => portsOf(one).length > 0);
  if (failing.length === 0) return [];
  const ports = [...new Set(failing.flatMap(portsOf).map(String))].toSorted();
  return [
    `hostPort (${named(failing)} use${failing.length === 1 ? 's' : ''} hostPort${ports.length === 1 ? '' : 's'} ${ports.join(', ')})`,
  ];
};

export const unmaskedProc = ofContainers(
  ({ security }) => !['', 'Default'].includes(String(security.procMount ?? '')),
  (who) => `procMount (${who} must not set securityContext.procMount to "Unmasked")`,
);

const baselineSeccomp: Check = ({ security, containers }) => {
  const failing = containers.filter((one) => profileType(one.security) === 'Unconfined');
  const who = [
    ...(profileType(security) === 'Unconfined' ? ['pod'] : []),
    ...(failing.length > 0 ? [named(failing)] : []),
  ];
  if (who.length === 0) return [];
  return [`seccompProfile (${who.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined")`];
};

const linuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

export const linuxOptions: Check = ({ security, containers }) => {
  const all = [security, ...containers.map((one) => one.security)].map((one) => jsonOf(one.seLinuxOptions));
  const types = [...new Set(all.map(({ type }) => String(type ?? '')).filter((type) => !linuxTypes.has(type)))];
  const faults = [
    ...(types.length > 0
      ? [`type${types.length === 1 ? '' : 's'} ${types.map((one) => JSON.stringify(one)).join(', ')}`]
      : []),
    ...['user', 'role'].filter((key) => all.some((one) => one[key])).map((key) => `${key} may not be set`),
  ];
  if (faults.length === 0) return [];
  const isOfPod = isJson(security.seLinuxOptions);
  const failing = containers.filter((one) => isJson(one.security.seLinuxOptions));
  const who = [...(isOfPod ? ['pod'] : []), ...(failing.length > 0 ? [named(failing)] : [])].join(' and ');
  return [`seLinuxOptions (${who} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')})`];
};

const allowedSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);

export const sysctls: Check = ({ security }) => {
  const names = itemsOf(security.sysctls)
    .map(({ name }) => String(name))
    .filter((name) => !allowedSysctls.has(name));
  return names.length === 0 ? [] : [`forbidden sysctls (${names.join(', ')})`];
};

/** Level `baseline` (https://kubernetes.io/docs/concepts/security/pod-security-standards/). */
export const baseline: readonly Check[] = [
  hostNamespaces,
  privileged,
  baselineCapabilities,
  hostPathVolumes,
  hostPorts,
  unmaskedProc,
  linuxOptions,
  baselineSeccomp,
  sysctls,
];
