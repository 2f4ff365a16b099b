import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { formatCauses, formats, isUnset, oneOf, requiredCauses, when } from '../formats.ts';
import { containerPortsCauses } from './container-ports.ts';
import { deviceCauses } from './devices.ts';
import { environmentCauses, environmentFromCauses } from './environment.ts';
import { mountCauses } from './mounts.ts';
import { lifecycleCauses, probesCauses } from './probes.ts';
import { resizePolicyCauses, usedClaimsCauses } from './resource-claims.ts';
import { resourceCauses } from './resources.ts';
import { securityContextCauses } from './security-context.ts';

/** What the containers of a pod refer to. */
export interface Surroundings {
  /** The pod's volumes. */
  readonly volumes: readonly Json[];
  /** The names of its claims of devices. */
  readonly claims: readonly unknown[];
  readonly graceSeconds: number;
  readonly restartPolicy: unknown;
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

/** The errors in a container of a pod of any kind (kubernetes, pkg/apis/core/validation, validateContainerCommon). */
export function commonCauses(container: Json, field: string, around: Surroundings): readonly FieldCause[] {
  const { name, image, imagePullPolicy, terminationMessagePolicy, resources } = container;
  const { volumes, claims, restartPolicy } = around;
  return [
    ...(isUnset(name) ? [fieldCauses.required(`${field}.name`)] : formatCauses(`${field}.name`, name, formats.label)),
    ...requiredCauses(`${field}.image`, image),
    ...oneOf(`${field}.terminationMessagePolicy`, terminationMessagePolicy, ['File', 'FallbackToLogsOnError']),
    ...containerPortsCauses(itemsOf(container.ports), `${field}.ports`),
    ...environmentCauses(itemsOf(container.env), `${field}.env`),
    ...environmentFromCauses(itemsOf(container.envFrom), `${field}.envFrom`),
    ...mountCauses(
      container,
      `${field}.volumeMounts`,
      volumes.map((volume) => volume.name),
    ),
    ...deviceCauses(container, `${field}.volumeDevices`, volumes),
    ...oneOf(`${field}.imagePullPolicy`, imagePullPolicy, pullPolicies),
    ...resourceCauses(resources, `${field}.resources`),
    ...usedClaimsCauses(resources, `${field}.resources`, claims),
    ...resizePolicyCauses(itemsOf(container.resizePolicy), `${field}.resizePolicy`, restartPolicy),
    ...securityContextCauses(container.securityContext, `${field}.securityContext`),
  ];
}

/** The errors in one of a pod's `containers`; `names` are those before it. */
export function containerCauses(
  container: Json,
  field: string,
  around: Surroundings,
  names: readonly unknown[],
): readonly FieldCause[] {
  const { name } = container;
  return [
    ...commonCauses(container, field, around),
    ...when(names.includes(name), fieldCauses.duplicate(`${field}.name`, name)),
    ...lifecycleCauses(container, field, around.graceSeconds),
    ...probesCauses(container, field),
  ];
}

const ofLongRunning = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

/** The errors in one of a pod's `initContainers`; `names` are those of its other containers. */
export function initContainerCauses(
  container: Json,
  field: string,
  around: Surroundings,
  names: readonly unknown[],
): readonly FieldCause[] {
  const { name, restartPolicy } = container;
  const long = [...lifecycleCauses(container, field, around.graceSeconds), ...probesCauses(container, field)];
  const why = 'may not be set for init containers without restartPolicy=Always';
  const short = ofLongRunning
    .filter((key) => container[key] !== undefined)
    .map((key) => fieldCauses.forbidden(`${field}.${key}`, why));
  return [
    ...commonCauses(container, field, around),
    ...oneOf(`${field}.restartPolicy`, restartPolicy, ['Always']),
    ...when(!isUnset(name) && names.includes(name), fieldCauses.duplicate(`${field}.name`, name)),
    ...(restartPolicy === 'Always' ? long : short),
  ];
}

/** The objects of a list that may be missing. */
export function itemsOf(list: unknown): readonly Json[] {
  return Array.isArray(list) ? list.filter(isJson) : [];
}

/** An error in an image's name with spaces around it, which is refused in a pod and stored in a template. */
export function imageSpaceCauses(containers: unknown, field: string): readonly FieldCause[] {
  return itemsOf(containers).flatMap(({ image = '' }, index) => {
    if (String(image).trim() === image) return [];
    return [fieldCauses.invalid(`${field}[${index}].image`, image, 'must not have leading or trailing whitespace')];
  });
}
