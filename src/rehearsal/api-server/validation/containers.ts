import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { between, duplicates, highestPort, oneOf, protocols } from './formats.ts';
import { containerNameCauses, lifecycleCauses, probesCauses } from './probes.ts';
import { resourceCauses } from './resources.ts';

/** What the containers of a pod refer to. */
interface Surroundings {
  readonly volumes: readonly unknown[];
  readonly graceSeconds: number;
}

/** The errors in a container of a pod (kubernetes, pkg/apis/core/validation). */
export function containerCauses(container: Json, field: string, around: Surroundings): readonly FieldCause[] {
  const { name, image, imagePullPolicy } = container;
  return [
    ...containerNameCauses(name, `${field}.name`),
    ...imageCauses(image, `${field}.image`),
    ...lifecycleCauses(container, field, around.graceSeconds),
    ...probesCauses(container, field),
    ...oneOf(`${field}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...portsCauses(itemsOf(container.ports), `${field}.ports`),
    ...environmentCauses(itemsOf(container.env), `${field}.env`),
    ...mountCauses(itemsOf(container.volumeMounts), `${field}.volumeMounts`, around.volumes),
    ...resourceCauses(container.resources, `${field}.resources`),
  ];
}

/** The objects of a list that may be missing. */
export function itemsOf(list: unknown): readonly Json[] {
  return Array.isArray(list) ? list.filter(isJson) : [];
}

function imageCauses(image: unknown, field: string): readonly FieldCause[] {
  return image === undefined || image === '' ? [fieldCauses.required(field)] : [];
}

/** An error in an image's name with spaces around it, which is refused in a pod and stored in a template. */
export function imageSpaceCauses(containers: unknown, field: string): readonly FieldCause[] {
  return itemsOf(containers).flatMap(({ image = '' }, index) => {
    if (String(image).trim() === image) return [];
    return [fieldCauses.invalid(`${field}[${index}].image`, image, 'must not have leading or trailing whitespace')];
  });
}

function portsCauses(ports: readonly Json[], field: string): readonly FieldCause[] {
  const each = ports.flatMap(({ containerPort, hostPort, protocol }, index) => {
    const at = `${field}[${index}]`;
    return [
      ...(containerPort === undefined || containerPort === 0
        ? [fieldCauses.required(`${at}.containerPort`)]
        : between(`${at}.containerPort`, containerPort, 1, highestPort)),
      ...(hostPort === 0 ? [] : between(`${at}.hostPort`, hostPort, 1, highestPort)),
      ...oneOf(`${at}.protocol`, protocol, protocols),
    ];
  });
  return [...each, ...duplicates(field, ports, 'name')];
}

function environmentCauses(variables: readonly Json[], field: string): readonly FieldCause[] {
  return variables.flatMap(({ name, value, valueFrom }, index) => [
    ...(name === undefined || name === '' ? [fieldCauses.required(`${field}[${index}].name`)] : []),
    ...(value !== undefined && value !== '' && valueFrom !== undefined
      ? [fieldCauses.invalid(`${field}[${index}].valueFrom`, '', 'may not be specified when `value` is not empty')]
      : []),
  ]);
}

function mountCauses(mounts: readonly Json[], field: string, volumes: readonly unknown[]): readonly FieldCause[] {
  const each = mounts.flatMap(({ name, mountPath }, index) => [
    ...(name === undefined || name === '' ? [fieldCauses.required(`${field}[${index}].name`)] : []),
    ...(name !== undefined && name !== '' && !volumes.includes(name)
      ? [fieldCauses.notFound(`${field}[${index}].name`, name)]
      : []),
    ...(mountPath === undefined || mountPath === '' ? [fieldCauses.required(`${field}[${index}].mountPath`)] : []),
  ]);
  return each;
}
