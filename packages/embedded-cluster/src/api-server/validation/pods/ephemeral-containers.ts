import type { Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { isUnset, when } from '../formats.ts';
import { commonCauses, type Surroundings } from './containers.ts';

/** What a container that is put into a running pod may have. */
const allowed = new Set([
  'name',
  'targetContainerName',
  'image',
  'command',
  'args',
  'workingDir',
  'envFrom',
  'env',
  'volumeMounts',
  'volumeDevices',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'securityContext',
  'stdin',
  'stdinOnce',
  'tty',
]);

/** The errors in a pod's ephemeral containers (kubernetes, pkg/apis/core/validation, validateEphemeralContainers). */
export function ephemeralContainerCauses(
  containers: readonly Json[],
  field: string,
  around: Surroundings,
  others: readonly unknown[],
): readonly FieldCause[] {
  const names = [...others, ...containers.map(({ name }) => name)];
  return containers.flatMap((container, index) => {
    const { name, targetContainerName: target } = container;
    const at = `${field}[${index}]`;
    const isMissing = !(isUnset(target) || others.includes(target));
    return [
      ...commonCauses(container, at, around),
      ...when(names.slice(0, others.length + index).includes(name), fieldCauses.duplicate(`${at}.name`, name)),
      ...when(isMissing, fieldCauses.notFound(`${at}.targetContainerName`, target)),
      ...forbiddenCauses(container, at),
    ];
  });
}

function forbiddenCauses(container: Json, field: string): readonly FieldCause[] {
  // Resources are no pointer: none at all are empty ones.
  const isNone = (key: string) => key === 'resources' && Object.keys(container.resources ?? {}).length === 0;
  return Object.keys(container)
    .filter((key) => !allowed.has(key) && !isNone(key))
    .map((key) => fieldCauses.forbidden(`${field}.${key}`, 'cannot be set for an Ephemeral Container'));
}
