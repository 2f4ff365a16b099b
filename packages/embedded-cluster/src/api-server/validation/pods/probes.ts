import { isJson, type Json } from '../../../objects/json.ts';
import { type FieldCause, fieldCauses } from '../../refusals.ts';
import { notNegative } from '../../strategies/validation.ts';
import { oneOf, portCauses, when } from '../formats.ts';

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
    ...graceCauses(probe.terminationGracePeriodSeconds, `${field}.terminationGracePeriodSeconds`, name),
    ...(once ? [fieldCauses.invalid(`${field}.successThreshold`, probe.successThreshold, 'must be 1')] : []),
  ];
}

function graceCauses(seconds: unknown, field: string, name: string): readonly FieldCause[] {
  if (seconds === undefined) return [];
  return [
    ...when(!(Number(seconds) > 0), fieldCauses.invalid(field, seconds, 'must be greater than 0')),
    ...when(name === 'readinessProbe', fieldCauses.invalid(field, seconds, 'must not be set for readinessProbes')),
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

function detailCauses(action: string, sent: Json, field: string): readonly FieldCause[] {
  const { command, port, scheme } = sent;
  if (action === 'exec') return when(itemsIn(command) === 0, fieldCauses.required(`${field}.command`));
  if (action === 'tcpSocket' || action === 'grpc') return portCauses(`${field}.port`, port);
  if (action !== 'httpGet') return [];
  return [
    ...portCauses(`${field}.port`, port),
    ...oneOf(`${field}.scheme`, scheme, ['HTTP', 'HTTPS']),
    ...headerCauses(sent.httpHeaders, `${field}.httpHeaders`),
  ];
}

const itemsIn = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const headerName =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function headerCauses(headers: unknown, field: string): readonly FieldCause[] {
  const names = (Array.isArray(headers) ? headers : []).map((header) => (isJson(header) ? (header.name ?? '') : ''));
  return names.flatMap((name) =>
    when(!/^[-A-Za-z0-9]+$/.test(String(name)), fieldCauses.invalid(field, name, headerName)),
  );
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
