import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { between, isUnset, oneOf, when } from '../formats.ts';
import { descendingPathCauses } from './paths.ts';
import { windowsCauses } from './windows.ts';

const highestId = 2_147_483_647;

/**
 * The errors in the security context of a container (kubernetes, pkg/apis/core/validation, ValidateSecurityContext).
 */
export function securityContextCauses(context: unknown, field: string): readonly FieldCause[] {
  if (!isJson(context)) return [];
  const { procMount, capabilities, privileged, allowPrivilegeEscalation } = context;
  const added = isJson(capabilities) && Array.isArray(capabilities.add) ? capabilities.add : [];
  const escalates = 'cannot set `allowPrivilegeEscalation` to false and';
  const unprivileged = allowPrivilegeEscalation === false;
  const shown = shownContext(context);
  return [
    ...between(`${field}.runAsUser`, context.runAsUser, 0, highestId),
    ...between(`${field}.runAsGroup`, context.runAsGroup, 0, highestId),
    ...oneOf(`${field}.procMount`, procMount, ['Default', 'Unmasked']),
    ...when(
      procMount === 'Unmasked',
      fieldCauses.invalid(`${field}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'),
    ),
    ...seccompCauses(context.seccompProfile, `${field}.seccompProfile`),
    ...when(
      unprivileged && privileged === true,
      fieldCauses.invalid(field, shown, `${escalates} \`privileged\` to true`),
    ),
    ...when(
      unprivileged && added.includes('CAP_SYS_ADMIN'),
      fieldCauses.invalid(field, shown, `${escalates} \`capabilities.Add\` CAP_SYS_ADMIN`),
    ),
    ...windowsCauses(context.windowsOptions, `${field}.windowsOptions`),
    ...appArmorCauses(context.appArmorProfile, `${field}.appArmorProfile`),
  ];
}

const shownMembers = [
  'privileged',
  'seLinuxOptions',
  'windowsOptions',
  'runAsUser',
  'runAsGroup',
  'runAsNonRoot',
  'readOnlyRootFilesystem',
  'allowPrivilegeEscalation',
  'procMount',
];

/** A refusal shows it as the API server holds it: every member, in its order. */
function shownContext(context: Json): Json {
  const { capabilities, seccompProfile, appArmorProfile } = context;
  const members = shownMembers.map((name) => [heldName(name), context[name] ?? null] as const);
  return {
    Capabilities: isJson(capabilities) ? { Add: capabilities.add ?? null, Drop: capabilities.drop ?? null } : null,
    ...Object.fromEntries(members),
    SeccompProfile: shownProfile(seccompProfile),
    AppArmorProfile: shownProfile(appArmorProfile),
  };
}

const heldName = (name: string): string =>
  name === 'seLinuxOptions' ? 'SELinuxOptions' : `${name[0]?.toUpperCase()}${name.slice(1)}`;

const shownProfile = (profile: unknown): Json | null =>
  isJson(profile) ? { Type: profile.type ?? '', LocalhostProfile: profile.localhostProfile ?? null } : null;

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function seccompCauses(profile: unknown, field: string): readonly FieldCause[] {
  if (!isJson(profile)) return [];
  const at = `${field}.localhostProfile`;
  const { type, localhostProfile: file } = profile;
  const typeCauses = isUnset(type)
    ? [fieldCauses.required(`${field}.type`, 'type is required when seccompProfile is set')]
    : oneOf(`${field}.type`, type, profileTypes);
  const needless = fieldCauses.invalid(at, shownProfile(profile), 'can only be set when seccomp type is Localhost');
  if (type !== 'Localhost') return [...typeCauses, ...when(file !== undefined, needless)];
  return file === undefined
    ? [fieldCauses.required(at, 'must be set when seccomp type is Localhost')]
    : descendingPathCauses(at, String(file));
}

function appArmorCauses(profile: unknown, field: string): readonly FieldCause[] {
  if (!isJson(profile)) return [];
  const { type, localhostProfile: file } = profile;
  const at = `${field}.localhostProfile`;
  const isLocal = type === 'Localhost';
  return [
    ...(isUnset(type)
      ? [fieldCauses.required(`${field}.type`, 'type is required when appArmorProfile is set')]
      : oneOf(`${field}.type`, type, profileTypes)),
    ...when(isLocal && file === undefined, fieldCauses.required(at, 'must be set when AppArmor type is Localhost')),
    ...when(
      (type === 'RuntimeDefault' || type === 'Unconfined') && file !== undefined,
      fieldCauses.invalid(at, file, 'can only be set when AppArmor type is Localhost'),
    ),
  ];
}

const changePolicies = ['Always', 'OnRootMismatch'];

/** The errors in the security context of a pod (validatePodSpecSecurityContext). */
export function podSecurityCauses(context: unknown, spec: Json, field: string): readonly FieldCause[] {
  // The API server holds these two in the pod's context, which it says here.
  const both = spec.shareProcessNamespace === true && spec.hostPID === true;
  const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
  const shared = when(both, fieldCauses.invalid(`${field}.shareProcessNamespace`, true, why));
  if (!isJson(context)) return shared;
  const groups = Array.isArray(context.supplementalGroups) ? context.supplementalGroups : [];
  return [
    ...between(`${field}.fsGroup`, context.fsGroup, 0, highestId),
    ...between(`${field}.runAsUser`, context.runAsUser, 0, highestId),
    ...between(`${field}.runAsGroup`, context.runAsGroup, 0, highestId),
    ...groups.flatMap((group, index) => between(`${field}.supplementalGroups[${index}]`, group, 0, highestId)),
    ...shared,
    ...sysctlCauses(context.sysctls, `${field}.sysctls`),
    ...oneOf(`${field}.fsGroupChangePolicy`, context.fsGroupChangePolicy, changePolicies),
    ...seccompCauses(context.seccompProfile, `${field}.seccompProfile`),
    ...oneOf(`${field}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']),
    ...windowsCauses(context.windowsOptions, `${field}.windowsOptions`),
    ...appArmorCauses(context.appArmorProfile, `${field}.appArmorProfile`),
    ...oneOf(`${field}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['Recursive']),
  ];
}

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlName = `^(${segment}[\\./])*${segment}$`;

function sysctlCauses(sysctls: unknown, field: string): readonly FieldCause[] {
  const list = Array.isArray(sysctls) ? sysctls.filter(isJson) : [];
  const names = list.map(({ name }) => String(name ?? ''));
  return names.flatMap((name, index) => {
    const at = `${field}[${index}].name`;
    if (name === '') return [fieldCauses.required(at)];
    if (name.length > 253 || !new RegExp(sysctlName).test(name))
      return [fieldCauses.invalid(at, name, `must have at most 253 characters and match regex ${sysctlName}`)];
    return when(names.indexOf(name) < index, fieldCauses.duplicate(at, name));
  });
}
