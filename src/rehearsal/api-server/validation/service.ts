import type { Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { addressCauses, highestPort, oneOf, portCauses, protocols } from './formats.ts';
import { itemsOf } from './pods/containers.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** core/v1 Service (kubernetes, pkg/apis/core/validation). */
export function serviceCauses(spec: Json): readonly FieldCause[] {
  const { type, ports, sessionAffinity, externalName, clusterIP } = spec;
  const list = itemsOf(ports);
  if (type === 'ExternalName')
    return externalName === undefined || externalName === '' ? [fieldCauses.required('spec.externalName')] : [];
  return [
    ...(list.length === 0 && clusterIP !== 'None' ? [fieldCauses.required('spec.ports')] : []),
    ...list.flatMap((port, index) => servicePortCauses(port, `spec.ports[${index}]`, list.length > 1)),
    ...oneOf('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']),
    ...oneOf('spec.type', type, types),
    ...nodePortCauses(type, list),
    ...repeatedPortCauses(list),
    ...(clusterIP === undefined || clusterIP === 'None' || clusterIP === ''
      ? []
      : addressCauses('spec.clusterIPs[0]', clusterIP)),
    ...externalPolicyCauses(spec),
  ];
}

function servicePortCauses(
  { name, port, protocol, targetPort }: Json,
  field: string,
  named: boolean,
): readonly FieldCause[] {
  return [
    ...(named && (name === undefined || name === '') ? [fieldCauses.required(`${field}.name`)] : []),
    ...(Number(port) > 0 && Number(port) <= highestPort
      ? []
      : [fieldCauses.invalid(`${field}.port`, port ?? 0, `must be between 1 and ${highestPort}, inclusive`)]),
    ...oneOf(`${field}.protocol`, protocol, protocols),
    ...portCauses(`${field}.targetPort`, targetPort ?? port),
  ];
}

function nodePortCauses(type: unknown, ports: readonly Json[]): readonly FieldCause[] {
  if (type !== 'ClusterIP') return [];
  return ports.flatMap(({ nodePort }, index) =>
    nodePort === undefined || nodePort === 0
      ? []
      : [fieldCauses.forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );
}

function repeatedPortCauses(ports: readonly Json[]): readonly FieldCause[] {
  const pairs = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  return ports.flatMap(({ port, protocol, appProtocol = null }, index) => {
    if (pairs.indexOf(`${port}/${protocol}`) === index) return [];
    const shown = { Name: '', Protocol: protocol, AppProtocol: appProtocol, Port: port, TargetPort: 0, NodePort: 0 };
    return [fieldCauses.duplicate(`spec.ports[${index}]`, shown)];
  });
}

function externalPolicyCauses({ type, externalTrafficPolicy }: Json): readonly FieldCause[] {
  if (externalTrafficPolicy === undefined || type === 'NodePort' || type === 'LoadBalancer') return [];
  const why = 'may only be set for externally-accessible services';
  return [fieldCauses.invalid('spec.externalTrafficPolicy', externalTrafficPolicy, why)];
}
