import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { configKeyCauses, formatCauses, formats, isUnset, oneOf, when } from '../formats.ts';

/** The errors in the variables of a container (kubernetes, pkg/apis/core/validation, ValidateEnv). */
export function environmentCauses(variables: readonly Json[], field: string): readonly FieldCause[] {
  return variables.flatMap((variable, index) => [
    ...variableNameCauses(`${field}[${index}].name`, variable.name),
    ...(isJson(variable.valueFrom) ? sourceCauses(variable, variable.valueFrom, `${field}[${index}].valueFrom`) : []),
  ]);
}

const printable = "a valid environment variable name must consist only of printable ASCII characters other than '='";

function variableNameCauses(field: string, name: unknown): readonly FieldCause[] {
  if (isUnset(name)) return [fieldCauses.required(field)];
  return when(!/^[ -<>-~]+$/.test(String(name)), fieldCauses.invalid(field, name, printable));
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'];

function sourceCauses({ value }: Json, from: Json, field: string): readonly FieldCause[] {
  const given = sources.filter((source) => isJson(from[source]));
  const causes = given.flatMap((source) => {
    const reference = from[source] as Json;
    if (source === 'fieldRef') return fieldReferenceCauses(reference, `${field}.fieldRef`, ofPod);
    if (source === 'resourceFieldRef') return resourceReferenceCauses(reference, `${field}.resourceFieldRef`);
    return keyReferenceCauses(reference, `${field}.${source}`);
  });
  const wrong = wrongSources(given.length, value);
  return [...causes, ...(wrong === undefined ? [] : [fieldCauses.invalid(field, '', wrong)])];
}

function wrongSources(count: number, value: unknown): string | undefined {
  if (count === 0) return 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
  if (!isUnset(value)) return 'may not be specified when `value` is not empty';
  return count > 1 ? 'may not have more than one field specified at a time' : undefined;
}

/** What a variable can have of its pod. */
const ofPod = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const maps = ['metadata.annotations', 'metadata.labels'];
/** Paths of a pod that exist (pkg/apis/core/pods, ConvertDownwardAPIFieldLabel). */
const paths = [...ofPod, ...maps, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase', 'spec.host'];

/** The errors in a reference to a field of the pod: to one of these, or to one label or annotation. */
export function fieldReferenceCauses(
  { fieldPath, apiVersion = 'v1' }: Json,
  field: string,
  allowed: readonly string[],
): readonly FieldCause[] {
  if (isUnset(fieldPath)) return [fieldCauses.required(`${field}.fieldPath`)];
  const path = String(fieldPath);
  const [, map] = /^(.*)\['.*'\]$/.exec(path) ?? [];
  const wrong = unknownPath(String(apiVersion), path, map);
  if (wrong !== undefined)
    return [fieldCauses.invalid(`${field}.fieldPath`, path, `error converting fieldPath: ${wrong}`)];
  const held = path === 'spec.host' ? 'spec.nodeName' : path;
  return when(
    map === undefined && !allowed.includes(held),
    fieldCauses.unsupported(`${field}.fieldPath`, held, allowed),
  );
}

function unknownPath(version: string, path: string, map: string | undefined): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (map === undefined) return paths.includes(path) ? undefined : `field label not supported: ${path}`;
  return maps.includes(map) ? undefined : `field label does not support subscript: ${path}`;
}

const ofResources = ['cpu', 'ephemeral-storage', 'memory'];
const resourcePaths = [...ofResources.map((one) => `limits.${one}`), ...ofResources.map((one) => `requests.${one}`)];

/** The errors in a reference to what the container has of a resource. */
export function resourceReferenceCauses({ resource }: Json, field: string): readonly FieldCause[] {
  if (isUnset(resource)) return [fieldCauses.required(`${field}.resource`)];
  const isHuge = /^(limits|requests)\.hugepages-/.test(String(resource));
  return isHuge ? [] : oneOf(`${field}.resource`, resource, resourcePaths);
}

function keyReferenceCauses({ name = '', key }: Json, field: string): readonly FieldCause[] {
  return [
    ...formatCauses(`${field}.name`, name, formats.subdomain),
    ...(isUnset(key) ? [fieldCauses.required(`${field}.key`)] : configKeyCauses(`${field}.key`, String(key))),
  ];
}

/** The errors in the sets of variables of a container (ValidateEnvFrom): those about the whole name the list itself. */
export function environmentFromCauses(sets: readonly Json[], field: string): readonly FieldCause[] {
  return sets.flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const at = `${field}[${index}]`;
    const given = [
      ['configMapRef', configMapRef],
      ['secretRef', secretRef],
    ] as const;
    const references = given.filter(([, reference]) => isJson(reference));
    const none = fieldCauses.invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`');
    const many = fieldCauses.invalid(field, '', 'may not have more than one field specified at a time');
    return [
      ...(isUnset(prefix) ? [] : variableNameCauses(`${at}.prefix`, prefix)),
      ...references.flatMap(([source, reference]) => setNameCauses(reference as Json, `${at}.${source}.name`)),
      ...when(references.length === 0, none),
      ...when(references.length > 1, many),
    ];
  });
}

function setNameCauses({ name }: Json, field: string): readonly FieldCause[] {
  return isUnset(name) ? [fieldCauses.required(field)] : formatCauses(field, name, formats.subdomain);
}
