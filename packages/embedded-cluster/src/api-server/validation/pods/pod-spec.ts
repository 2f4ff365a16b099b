import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import {
  between,
  formatCausesIfSet,
  formats,
  isUnset,
  labelCauses,
  oneOf,
  qualifiedNameCauses,
  requiredCauses,
  when,
} from '../formats.ts';
import { labelKeysCauses, selectorCauses } from '../selectors.ts';
import { affinityCauses } from './affinity.ts';
import { hostNetworkCauses, hostPortCauses } from './container-ports.ts';
import { containerCauses, initContainerCauses, itemsOf } from './containers.ts';
import { dnsCauses, hostAliasCauses } from './dns.ts';
import { ephemeralContainerCauses } from './ephemeral-containers.ts';
import { foreignOptionCauses } from './foreign-options.ts';
import { resourceClaimsCauses, usedClaimsCauses } from './resource-claims.ts';
import { podSecurityCauses } from './security-context.ts';
import { tolerationCauses } from './tolerations.ts';
import { validVolumes, volumeCauses } from './volumes.ts';
import { hostProcessCauses } from './windows.ts';

/** Specs in which nothing was wrong: the pods of a workload share theirs. */
const valid = new WeakSet<object>();

/**
 * The errors in a pod's spec, in a pod or a template (kubernetes, pkg/apis/core/validation, ValidatePodSpec), in the
 * order in which it finds them.
 */
export function podSpecCauses(spec: unknown, field: string): readonly FieldCause[] {
  if (!isJson(spec)) return [fieldCauses.required(`${field}.containers`)];
  if (valid.has(spec)) return [];
  const causes = [
    ...volumeCauses(itemsOf(spec.volumes), `${field}.volumes`),
    ...resourceClaimsCauses(itemsOf(spec.resourceClaims), `${field}.resourceClaims`),
    ...containersCauses(spec, field),
    ...podResourceCauses(spec, `${field}.resources`),
    ...settingsCauses(spec, field),
    ...placementCauses(spec, field),
    ...identityCauses(spec, field),
    ...operatingSystemCauses(spec.os, `${field}.os`),
    ...foreignOptionCauses(spec, field),
  ];
  if (causes.length === 0 && Object.isFrozen(spec)) valid.add(spec);
  return causes;
}

const portsOf = ({ ports }: Json): readonly Json[] => itemsOf(ports);

function containersCauses(spec: Json, field: string): readonly FieldCause[] {
  const containers = itemsOf(spec.containers);
  const first = itemsOf(spec.initContainers);
  const at = `${field}.containers`;
  const around = {
    volumes: validVolumes(itemsOf(spec.volumes), `${field}.volumes`),
    claims: itemsOf(spec.resourceClaims).map(({ name }) => name),
    graceSeconds: Number(spec.terminationGracePeriodSeconds ?? 30),
    restartPolicy: spec.restartPolicy,
  };
  const names = containers.map(({ name }) => name);
  const allNames = [...names, ...first.map(({ name }) => name)];
  return [
    ...when(containers.length === 0, fieldCauses.required(at)),
    ...containers.flatMap((one, index) => containerCauses(one, `${at}[${index}]`, around, names.slice(0, index))),
    ...hostPortCauses(containers, at, portsOf),
    ...first.flatMap((one, index) =>
      initContainerCauses(one, `${field}.initContainers[${index}]`, around, allNames.slice(0, names.length + index)),
    ),
    ...ephemeralContainerCauses(itemsOf(spec.ephemeralContainers), `${field}.ephemeralContainers`, around, allNames),
    ...(spec.hostNetwork === true ? hostNetworkCauses(containers, at, portsOf) : []),
    ...when(
      spec.hostUsers === false && spec.hostNetwork === true,
      fieldCauses.forbidden(`${field}.hostNetwork`, 'when `hostUsers` is false'),
    ),
  ];
}

/** A pod as a whole claims no devices. */
function podResourceCauses({ resources, resourceClaims }: Json, field: string): readonly FieldCause[] {
  if (!isJson(resources) || itemsOf(resources.claims).length === 0) return [];
  const names = itemsOf(resourceClaims).map(({ name }) => name);
  const why = 'claims may not be set for Resources at pod-level';
  return [fieldCauses.forbidden(`${field}.claims`, why), ...usedClaimsCauses(resources, field, names)];
}

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function settingsCauses(spec: Json, field: string): readonly FieldCause[] {
  return [
    ...oneOf(`${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${field}.dnsPolicy`, spec.dnsPolicy, dnsPolicies),
    ...labelCauses(`${field}.nodeSelector`, spec.nodeSelector),
    ...podSecurityCauses(spec.securityContext, spec, `${field}.securityContext`),
    ...hostProcessCauses(spec, [...itemsOf(spec.initContainers), ...itemsOf(spec.containers)], field),
  ];
}

function placementCauses(spec: Json, field: string): readonly FieldCause[] {
  const gates = itemsOf(spec.schedulingGates).map(({ name }) => String(name ?? ''));
  const at = `${field}.schedulingGates`;
  return [
    ...affinityCauses(spec.affinity, `${field}.affinity`),
    ...dnsCauses(spec, field),
    ...itemsOf(spec.readinessGates).flatMap(({ conditionType = '' }, index) =>
      qualifiedNameCauses(`${field}.readinessGates[${index}].conditionType`, String(conditionType)),
    ),
    ...gates.flatMap((name, index) => [
      ...qualifiedNameCauses(`${at}[${index}]`, name),
      ...when(gates.indexOf(name) < index, fieldCauses.duplicate(`${at}[${index}]`, name)),
    ]),
    ...spreadCauses(itemsOf(spec.topologySpreadConstraints), `${field}.topologySpreadConstraints`),
  ];
}

function identityCauses(spec: Json, field: string): readonly FieldCause[] {
  const named = (key: string, format: (typeof formats)['label' | 'subdomain']) =>
    formatCausesIfSet(`${field}.${key}`, spec[key], format);
  return [
    ...named('serviceAccountName', formats.subdomain),
    ...named('nodeName', formats.subdomain),
    ...between(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1, 2_147_483_647),
    ...named('hostname', formats.label),
    ...named('subdomain', formats.label),
    ...tolerationCauses(itemsOf(spec.tolerations), `${field}.tolerations`),
    ...hostAliasCauses(itemsOf(spec.hostAliases), `${field}.hostAliases`),
    ...named('priorityClassName', formats.subdomain),
    ...named('runtimeClassName', formats.subdomain),
    ...oneOf(`${field}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']),
  ];
}

function operatingSystemCauses(os: unknown, field: string): readonly FieldCause[] {
  if (!isJson(os)) return [];
  return isUnset(os.name) ? [fieldCauses.required(`${field}.name`)] : oneOf(field, os.name, ['linux', 'windows']);
}

/** The errors in how the pods are spread (kubernetes, pkg/apis/core/validation, validateTopologySpreadConstraints). */
function spreadCauses(constraints: readonly Json[], field: string): readonly FieldCause[] {
  const pairs = constraints.map(
    ({ topologyKey = '', whenUnsatisfiable = '' }) => `{${topologyKey}, ${whenUnsatisfiable}}`,
  );
  return constraints.flatMap((constraint, index) => {
    const { maxSkew = 0, topologyKey, whenUnsatisfiable = '', minDomains } = constraint;
    const at = `${field}[${index}]`;
    const pair = pairs[index];
    const isRepeated = pairs.includes(String(pair), index + 1);
    return [
      ...positive(`${at}.maxSkew`, maxSkew),
      ...requiredCauses(`${at}.topologyKey`, topologyKey, 'can not be empty'),
      ...oneOf(`${at}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
      ...when(isRepeated, fieldCauses.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair)),
      ...(minDomains === undefined ? [] : domainCauses(minDomains, whenUnsatisfiable, `${at}.minDomains`)),
      ...oneOf(`${at}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ['Honor', 'Ignore']),
      ...oneOf(`${at}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ['Honor', 'Ignore']),
      ...labelKeysCauses(constraint, at),
      ...selectorCauses(`${at}.labelSelector`, constraint.labelSelector),
    ];
  });
}

function domainCauses(minDomains: unknown, action: unknown, field: string): readonly FieldCause[] {
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [
    ...positive(field, minDomains),
    ...when(action !== 'DoNotSchedule', fieldCauses.invalid(field, minDomains, why)),
  ];
}

const positive = (field: string, value: unknown): readonly FieldCause[] =>
  when(!(Number(value) > 0), fieldCauses.invalid(field, value, 'must be greater than zero'));
