import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { itemsOf } from './containers.ts';

/**
 * What a pod of the one system may not say for the other (kubernetes, pkg/apis/core/validation, ValidateLinux and
 * validateWindows).
 */
export function foreignOptionCauses(spec: Json, field: string): readonly FieldCause[] {
  const { name }: Json = isJson(spec.os) ? spec.os : {};
  if (name !== 'linux' && name !== 'windows') return [];
  const contexts = [
    [field, spec.securityContext] as const,
    ...['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
      itemsOf(spec[list]).map(({ securityContext }, index) => [`${field}.${list}[${index}]`, securityContext] as const),
    ),
  ];
  const why = name === 'linux' ? 'windows options cannot be set for a linux pod' : 'cannot be set for a windows pod';
  const ofHost = name === 'windows' ? ['hostPID', 'hostIPC'].filter((key) => spec[key] === true) : [];
  return [
    ...ofHost.map((key) => fieldCauses.forbidden(`${field}.${key}`, why)),
    ...contexts.flatMap(([at, context]) => {
      const members = name === 'linux' ? ['windowsOptions'] : linuxMembers;
      const set = members.filter((key) => isJson(context) && context[key] !== undefined);
      return set.map((key) => fieldCauses.forbidden(`${at}.securityContext.${key}`, why));
    }),
  ];
}

const linuxMembers = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
];
