import type { Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { between, highestPort, isUnset, oneOf, portNameCauses, protocols } from '../formats.ts';

/** The errors in the ports of a container (kubernetes, pkg/apis/core/validation, validateContainerPorts). */
export function containerPortsCauses(ports: readonly Json[], field: string): readonly FieldCause[] {
  const names = ports.map(({ name }) => name);
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const at = `${field}[${index}]`;
    const named = isUnset(name) ? [] : portNameCauses(`${at}.name`, String(name));
    const again = named.length === 0 && !isUnset(name) && names.indexOf(name) < index;
    return [
      ...named,
      ...(again ? [fieldCauses.duplicate(`${at}.name`, name)] : []),
      ...(isUnset(containerPort)
        ? [fieldCauses.required(`${at}.containerPort`)]
        : between(`${at}.containerPort`, containerPort, 1, highestPort)),
      ...(hostPort === 0 ? [] : between(`${at}.hostPort`, hostPort, 1, highestPort)),
      ...oneOf(`${at}.protocol`, protocol, protocols),
    ];
  });
}

/** Two containers cannot have one port of the node, and one in the node's network has its own port there. */
export function hostPortCauses(
  containers: readonly Json[],
  field: string,
  portsOf: (container: Json) => readonly Json[],
): readonly FieldCause[] {
  const taken = new Set<string>();
  return containers.flatMap((container, at) =>
    portsOf(container).flatMap(({ hostPort, hostIP = '', protocol }, index) => {
      if (isUnset(hostPort)) return [];
      const place = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(place)) return [fieldCauses.duplicate(`${field}[${at}].ports[${index}].hostPort`, place)];
      taken.add(place);
      return [];
    }),
  );
}

/** With `hostNetwork` a port of the node is the container's own. */
export function hostNetworkCauses(
  containers: readonly Json[],
  field: string,
  portsOf: (container: Json) => readonly Json[],
): readonly FieldCause[] {
  const why = 'must match `containerPort` when `hostNetwork` is true';
  return containers.flatMap((container, at) =>
    portsOf(container).flatMap(({ hostPort, containerPort }, index) =>
      isUnset(hostPort) || hostPort === containerPort
        ? []
        : [fieldCauses.invalid(`${field}[${at}].ports[${index}].hostPort`, hostPort, why)],
    ),
  );
}
