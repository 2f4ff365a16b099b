import { isJson, type Json } from '../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { notNegative } from '../strategies/validation.ts';
import { formatCauses, formats, oneOf, portCauses } from './formats.ts';

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** The errors in the probes of a container. */
export function probesCauses(container: Json, field: string): readonly FieldCause[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = container[name];
    return isJson(probe) ? probeCauses(probe, `${field}.${name}`, name) : [];
  });
}

function probeCauses(probe: Json, field: string, name: string): readonly FieldCause[] {
  const once = name !== 'readinessProbe' && probe.successThreshold !== 1 && probe.successThreshold !== undefined;
  return [
    ...actionCauses(probe, field),
    ...counts.flatMap((count) => notNegative(`${field}.${count}`, probe[count])),
    ...(once ? [fieldCauses.invalid(`${field}.successThreshold`, probe.successThreshold, 'must be 1')] : []),
  ];
}

const actions = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

function actionCauses(one: Json, field: string): readonly FieldCause[] {
  const [first, ...others] = actions.filter((action) => isJson(one[action]));
  if (first === undefined) return [fieldCauses.required(field, 'must specify a handler type')];
  const more = others.map((action) =>
    fieldCauses.forbidden(`${field}.${action}`, 'may not specify more than 1 handler type'),
  );
  return [...detailCauses(first, one[first] as Json, `${field}.${first}`), ...more];
}

function detailCauses(action: string, { command, port, scheme }: Json, field: string): readonly FieldCause[] {
  if (action === 'exec') return command === undefined ? [fieldCauses.required(`${field}.command`)] : [];
  if (action === 'tcpSocket') return portCauses(`${field}.port`, port);
  if (action !== 'httpGet') return [];
  return [...portCauses(`${field}.port`, port), ...oneOf(`${field}.scheme`, scheme, ['HTTP', 'HTTPS'])];
}

/** The errors in what a container does after its start and before its end. */
export function lifecycleCauses(container: Json, field: string, graceSeconds: number): readonly FieldCause[] {
  const { lifecycle } = container;
  if (!isJson(lifecycle)) return [];
  return ['postStart', 'preStop'].flatMap((when) => {
    const one = lifecycle[when];
    if (!isJson(one)) return [];
    const at = `${field}.lifecycle.${when}`;
    const seconds = isJson(one.sleep) ? Number(one.sleep.seconds ?? 0) : 0;
    const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
    const slept = seconds < 0 || seconds > graceSeconds ? [fieldCauses.invalid(`${at}.sleep`, seconds, why)] : [];
    return [...actionCauses(one, at), ...slept];
  });
}

/** The name of a container. */
export function containerNameCauses(name: unknown, field: string): readonly FieldCause[] {
  return name === undefined || name === '' ? [fieldCauses.required(field)] : formatCauses(field, name, formats.label);
}
