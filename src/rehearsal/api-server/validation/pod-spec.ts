import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { containerCauses, itemsOf } from './containers.ts';
import { between, duplicates, formatCauses, formats, labelCauses, oneOf } from './formats.ts';

/** Specs in which nothing was wrong: the pods of a workload share theirs. */
const valid = new WeakSet<object>();

/** The errors in a pod's spec, in a pod or a template (kubernetes, pkg/apis/core/validation). */
export function podSpecCauses(spec: unknown, field: string): readonly FieldCause[] {
  if (!isJson(spec)) return [fieldCauses.required(`${field}.containers`)];
  if (valid.has(spec)) return [];
  const causes = [
    ...volumeCauses(spec, field),
    ...containersCauses(spec, field),
    ...simpleCauses(spec, field),
    ...affinityCauses(spec, field),
    ...tolerationCauses(itemsOf(spec.tolerations), `${field}.tolerations`),
    ...spreadCauses(itemsOf(spec.topologySpreadConstraints), `${field}.topologySpreadConstraints`),
  ];
  if (causes.length === 0 && Object.isFrozen(spec)) valid.add(spec);
  return causes;
}

function volumeCauses(spec: Json, field: string): readonly FieldCause[] {
  const volumes = itemsOf(spec.volumes);
  const unnamed = volumes.flatMap(({ name }, index) =>
    name === undefined || name === ''
      ? [fieldCauses.required(`${field}.volumes[${index}].name`)]
      : formatCauses(`${field}.volumes[${index}].name`, name, formats.label),
  );
  return [...unnamed, ...duplicates(`${field}.volumes`, volumes, 'name')];
}

function containersCauses(spec: Json, field: string): readonly FieldCause[] {
  const [containers, first] = [itemsOf(spec.containers), itemsOf(spec.initContainers)];
  const around = {
    volumes: itemsOf(spec.volumes).map(({ name }) => name),
    graceSeconds: Number(spec.terminationGracePeriodSeconds ?? 30),
  };
  if (containers.length === 0) return [fieldCauses.required(`${field}.containers`)];
  const names = containers.map(({ name }) => name);
  const shared = first.flatMap(({ name }, index) =>
    name !== undefined && names.includes(name)
      ? [fieldCauses.duplicate(`${field}.initContainers[${index}].name`, name)]
      : [],
  );
  return [
    ...containers.flatMap((one, index) => containerCauses(one, `${field}.containers[${index}]`, around)),
    ...duplicates(`${field}.containers`, containers, 'name'),
    ...first.flatMap((one, index) => containerCauses(one, `${field}.initContainers[${index}]`, around)),
    ...shared,
    ...duplicates(`${field}.initContainers`, first, 'name'),
  ];
}

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function simpleCauses(spec: Json, field: string): readonly FieldCause[] {
  const { restartPolicy, dnsPolicy, nodeName, activeDeadlineSeconds, nodeSelector } = spec;
  return [
    ...oneOf(`${field}.restartPolicy`, restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${field}.dnsPolicy`, dnsPolicy, dnsPolicies),
    ...labelCauses(`${field}.nodeSelector`, nodeSelector),
    ...(nodeName === undefined || nodeName === ''
      ? []
      : formatCauses(`${field}.nodeName`, nodeName, formats.subdomain)),
    ...between(`${field}.activeDeadlineSeconds`, activeDeadlineSeconds, 1, 2_147_483_647),
  ];
}

function affinityCauses({ affinity }: Json, field: string): readonly FieldCause[] {
  const ofNodes = isJson(affinity) && isJson(affinity.nodeAffinity) ? affinity.nodeAffinity : {};
  const required = ofNodes.requiredDuringSchedulingIgnoredDuringExecution;
  if (!isJson(required) || itemsOf(required.nodeSelectorTerms).length > 0) return [];
  const at = `${field}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  return [fieldCauses.required(at, 'must have at least one node selector term')];
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function tolerationCauses(tolerations: readonly Json[], field: string): readonly FieldCause[] {
  return tolerations.flatMap(({ key, operator = 'Equal', value, effect }, index) => {
    const at = `${field}[${index}]`;
    const everything = (key === undefined || key === '') && operator !== 'Exists';
    return [
      ...(everything
        ? [
            fieldCauses.invalid(
              `${at}.operator`,
              operator,
              'operator must be Exists when `key` is empty, which means "match all values and all keys"',
            ),
          ]
        : []),
      ...oneOf(`${at}.operator`, operator, ['Equal', 'Exists']),
      ...(operator === 'Exists' && value !== undefined && value !== ''
        ? [fieldCauses.invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'")]
        : []),
      ...oneOf(`${at}.effect`, effect === '' ? undefined : effect, effects),
    ];
  });
}

function spreadCauses(constraints: readonly Json[], field: string): readonly FieldCause[] {
  return constraints.flatMap(({ maxSkew = 0, topologyKey = '', whenUnsatisfiable }, index) => [
    ...(Number(maxSkew) > 0
      ? []
      : [fieldCauses.invalid(`${field}[${index}].maxSkew`, maxSkew, 'must be greater than zero')]),
    ...(topologyKey === '' ? [fieldCauses.required(`${field}[${index}].topologyKey`, 'can not be empty')] : []),
    ...oneOf(`${field}[${index}].whenUnsatisfiable`, whenUnsatisfiable ?? '', ['DoNotSchedule', 'ScheduleAnyway']),
  ]);
}
