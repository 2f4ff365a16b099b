import { isJson, type Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import { type FieldCause, fieldCauses } from '../refusals.ts';
import { contains, isRange, rangeCauses } from './addresses.ts';
import { between, highestPort, isUnset, oneOf, portNameCauses, when } from './formats.ts';
import { itemsOf } from './pods/containers.ts';
import { selectorCauses } from './selectors.ts';

/** networking.k8s.io/v1 NetworkPolicy (kubernetes, pkg/apis/networking/validation). */
export function networkPolicyCauses(
  { spec = {} }: StoredObject,
  before: StoredObject | undefined,
): readonly FieldCause[] {
  if (spec === before?.spec) return [];
  const types = Array.isArray(spec.policyTypes) ? spec.policyTypes : [];
  const many = 'may not specify more than two policyTypes';
  const causes = [
    ...selectorCauses('spec.podSelector', spec.podSelector),
    ...itemsOf(spec.ingress).flatMap((rule, index) => ruleCauses(rule, 'from', `spec.ingress[${index}]`)),
    ...itemsOf(spec.egress).flatMap((rule, index) => ruleCauses(rule, 'to', `spec.egress[${index}]`)),
    ...(types.length > 2
      ? [fieldCauses.invalid('spec.policyTypes', types, many)]
      : types.flatMap((type, index) => oneOf(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']))),
  ];
  // A changed policy is validated as a new one, and once more.
  return before === undefined ? causes : [...causes, ...causes];
}

function ruleCauses(rule: Json, peers: 'from' | 'to', field: string): readonly FieldCause[] {
  return [
    ...itemsOf(rule.ports).flatMap((port, index) => portCauses(port, `${field}.ports[${index}]`)),
    ...itemsOf(rule[peers]).flatMap((peer, index) => peerCauses(peer, `${field}.${peers}[${index}]`)),
  ];
}

function portCauses({ protocol, port, endPort }: Json, field: string): readonly FieldCause[] {
  const wrong = oneOf(`${field}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']);
  const unneeded = (why: string) =>
    when(
      endPort !== undefined,
      fieldCauses.invalid(`${field}.endPort`, endPort, `may not be specified when \`port\` is ${why}`),
    );
  if (port === undefined) return [...wrong, ...unneeded('not specified')];
  if (typeof port !== 'number')
    return [...wrong, ...unneeded('non-numeric'), ...portNameCauses(`${field}.port`, String(port))];
  const isLower = typeof endPort === 'number' && endPort < port;
  return [
    ...wrong,
    ...between(`${field}.port`, port, 1, highestPort),
    ...when(isLower, fieldCauses.invalid(`${field}.endPort`, port, 'must be greater than or equal to `port`')),
    ...between(`${field}.endPort`, endPort, 1, highestPort),
  ];
}

function peerCauses({ podSelector, namespaceSelector, ipBlock }: Json, field: string): readonly FieldCause[] {
  const given = [podSelector, namespaceSelector, ipBlock].filter(isJson).length;
  const both = given > 1 && isJson(ipBlock);
  return [
    ...selectorCauses(`${field}.podSelector`, podSelector),
    ...selectorCauses(`${field}.namespaceSelector`, namespaceSelector),
    ...(isJson(ipBlock) ? blockCauses(ipBlock, `${field}.ipBlock`) : []),
    ...when(given === 0, fieldCauses.required(field, 'must specify a peer')),
    ...when(both, fieldCauses.forbidden(field, 'may not specify both ipBlock and another peer')),
  ];
}

function blockCauses({ cidr, except }: Json, field: string): readonly FieldCause[] {
  if (isUnset(cidr)) return [fieldCauses.required(`${field}.cidr`)];
  const block = String(cidr);
  if (!isRange(block)) return rangeCauses(`${field}.cidr`, block);
  return (Array.isArray(except) ? except.map(String) : []).flatMap((one, index) => {
    const at = `${field}.except[${index}]`;
    if (!isRange(one)) return rangeCauses(at, one);
    return when(!contains(block, one), fieldCauses.invalid(at, one, 'must be a strict subset of `cidr`'));
  });
}
