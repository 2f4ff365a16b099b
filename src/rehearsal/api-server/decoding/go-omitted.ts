import type { Schema } from './definitions.ts';

/** Booleans that are no pointers in Go: false is left out (`omitempty`). */
const plainBooleans = new Set([
  'globalDefault',
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'paused',
  'publishNotReadyAddresses',
  'readOnly',
  'stdin',
  'stdinOnce',
  'tty',
  'unschedulable',
]);

/** Texts that are pointers in Go: an empty one is another thing than none. */
const pointerTexts = new Set([
  'appProtocol',
  'description',
  'fsType',
  'holderIdentity',
  'hostname',
  'ingressClassName',
  'loadBalancerClass',
  'localhostProfile',
  'name',
  'nodeName',
  'procMount',
  'runtimeClassName',
  'storageClassName',
  'strategy',
  'timeZone',
  'type',
  'volumeAttributesClassName',
  'zone',
]);

/** Whether Go's JSON leaves the member out because it is the zero of a type that is no pointer. */
export function isOmitted(key: string, value: unknown, schema: Schema, required: readonly string[] = []): boolean {
  if (schema.zero !== undefined || required.includes(key)) return false;
  if (value === false) return plainBooleans.has(key);
  return value === '' && schema.type === 'string' && schema.format === undefined && !pointerTexts.has(key);
}
