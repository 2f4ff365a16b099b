import type { StoredObject } from '../../objects/objects.ts';
import { ageAt } from './durations.ts';
import { countAt, listAt, textAt, valueAt } from './values.ts';

type Cells = (object: StoredObject, nowAt: number) => readonly unknown[];

const age = ({ metadata }: StoredObject, nowAt: number): string => ageAt(metadata.creationTimestamp, nowAt);
const membersOf = (object: StoredObject, path: string): number => Object.keys(valueAt(object, path) ?? {}).length;

/** The cells after the name of the rest, by collection (kubernetes, pkg/printers/internalversion/printers.go). */
export const clusterCells: Readonly<Record<string, Cells>> = {
  'CertificateSigningRequest.certificates.k8s.io': (object, nowAt) => [
    age(object, nowAt),
    textAt(object, 'spec.signerName', '<none>'),
    textAt(object, 'spec.username', ''),
    textAt(object, 'spec.expirationSeconds', '<none>'),
    listAt(object, 'status.conditions')
      .map(({ type }) => type)
      .join(',') || 'Pending',
  ],
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': webhookCells,
  'RuntimeClass.node.k8s.io': (object, nowAt) => [textAt(object, 'handler', ''), age(object, nowAt)],
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': (object, nowAt) => [
    listAt(object, 'spec.validations').length,
    textAt(object, 'spec.paramKind.kind', '<unset>'),
    age(object, nowAt),
  ],
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': webhookCells,
  'ConfigMap.': (object, nowAt) => [membersOf(object, 'data') + membersOf(object, 'binaryData'), age(object, nowAt)],
  'Secret.': (object, nowAt) => [textAt(object, 'type', ''), membersOf(object, 'data'), age(object, nowAt)],
  'ServiceAccount.': (object, nowAt) => [listAt(object, 'secrets').length, age(object, nowAt)],
  Lease: (object, nowAt) => [textAt(object, 'spec.holderIdentity', ''), age(object, nowAt)],
  Namespace: (object, nowAt) => [textAt(object, 'status.phase', ''), age(object, nowAt)],
  Node: (object, nowAt) => [
    nodeStatus(object),
    roles(object),
    age(object, nowAt),
    textAt(object, 'status.nodeInfo.kubeletVersion', ''),
    address(object, 'InternalIP'),
    address(object, 'ExternalIP'),
    textAt(object, 'status.nodeInfo.osImage', '<unknown>'),
    textAt(object, 'status.nodeInfo.kernelVersion', '<unknown>'),
    textAt(object, 'status.nodeInfo.containerRuntimeVersion', '<unknown>'),
  ],
  PodDisruptionBudget: (object, nowAt) => [
    textAt(object, 'spec.minAvailable', 'N/A'),
    textAt(object, 'spec.maxUnavailable', 'N/A'),
    countAt(object, 'status.disruptionsAllowed'),
    age(object, nowAt),
  ],
  HorizontalPodAutoscaler: (object, nowAt) => [
    `${textAt(object, 'spec.scaleTargetRef.kind', '')}/${textAt(object, 'spec.scaleTargetRef.name', '')}`,
    targets(object),
    textAt(object, 'spec.minReplicas', '<unset>'),
    countAt(object, 'spec.maxReplicas'),
    countAt(object, 'status.currentReplicas'),
    age(object, nowAt),
  ],
  'PriorityClass.scheduling.k8s.io': (object, nowAt) => [
    countAt(object, 'value'),
    valueAt(object, 'globalDefault') === true,
    age(object, nowAt),
    textAt(object, 'preemptionPolicy', ''),
  ],
  ResourceQuota: (object, nowAt) => [quotas(object, false), quotas(object, true), age(object, nowAt)],
  'ClusterRoleBinding.rbac.authorization.k8s.io': bindingCells,
  'RoleBinding.rbac.authorization.k8s.io': bindingCells,
};

function nodeStatus(node: StoredObject): string {
  const ready = listAt(node, 'status.conditions').find(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return node.spec?.unschedulable === true ? `${word},SchedulingDisabled` : word;
}

const rolePrefix = 'node-role.kubernetes.io/';

function roles({ metadata }: StoredObject): string {
  const names = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.length > rolePrefix.length ? [key.slice(rolePrefix.length)] : [];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return [...new Set(names)].toSorted().join(',') || '<none>';
}

function address(node: StoredObject, wanted: string): string {
  const found = listAt(node, 'status.addresses').find(({ type }) => type === wanted);
  return textAt(found, 'address');
}

/** How many metrics a table shows. */
const metricsShown = 2;

function targets(object: StoredObject): string {
  const metrics = listAt(object, 'spec.metrics');
  if (metrics.length === 0) return '<none>';
  const current = listAt(object, 'status.currentMetrics');
  const each = metrics.map((metric, index) => {
    const kind = String(metric.type);
    const of = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
    const isShare = valueAt(metric, `${of}.target.averageUtilization`) !== undefined;
    const [field, unit] = isShare ? ['averageUtilization', '%'] : ['averageValue', ''];
    const wanted = textAt(metric, `${of}.target.${field}`, textAt(metric, `${of}.target.value`, '<auto>'));
    const now = textAt(current[index], `${of}.current.${field}`, '');
    const name = of === 'resource' ? `${textAt(metric, 'resource.name', '')}: ` : '';
    return `${name}${now === '' ? '<unknown>' : now + unit}/${wanted}${unit}`;
  });
  const shown = each.slice(0, metricsShown).join(', ');
  return each.length > metricsShown ? `${shown} + ${each.length - metricsShown} more...` : shown;
}

function quotas(object: StoredObject, ofLimits: boolean): string {
  const hard = Object.entries((valueAt(object, 'status.hard') ?? {}) as object).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return hard
    .filter(([name]) => name.startsWith('limits') === ofLimits)
    .map(([name, limit]) => `${name}: ${textAt((valueAt(object, 'status.used') ?? {}) as object, name, '0')}/${limit}`)
    .join(', ');
}

function bindingCells(object: StoredObject, nowAt: number): readonly unknown[] {
  const subjects = (wanted: string, text: (subject: Readonly<Record<string, unknown>>) => unknown) =>
    listAt(object, 'subjects')
      .filter(({ kind }) => kind === wanted)
      .map(text)
      .join(', ');
  return [
    `${textAt(object, 'roleRef.kind', '')}/${textAt(object, 'roleRef.name', '')}`,
    age(object, nowAt),
    subjects('User', ({ name }) => name),
    subjects('Group', ({ name }) => name),
    subjects('ServiceAccount', ({ namespace = '', name }) => `${namespace}/${name}`),
  ];
}

function webhookCells(object: StoredObject, nowAt: number): readonly unknown[] {
  return [listAt(object, 'webhooks').length, age(object, nowAt)];
}
