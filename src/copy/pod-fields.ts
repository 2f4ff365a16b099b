import { conditions, type Fields, labelSelector, metadata, scalars, templateMetadata } from './kept-fields.ts';

const requirements = scalars('key', 'operator', 'values');
export const nodeSelectorTerms = { matchExpressions: requirements, matchFields: requirements } as const;

const podAffinityTerm = {
  ...scalars('topologyKey', 'namespaces', 'matchLabelKeys', 'mismatchLabelKeys'),
  labelSelector,
  namespaceSelector: labelSelector,
} as const satisfies Fields;

const podAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: podAffinityTerm,
  preferredDuringSchedulingIgnoredDuringExecution: { weight: 'scalar', podAffinityTerm },
} as const satisfies Fields;

const affinity = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    preferredDuringSchedulingIgnoredDuringExecution: { weight: 'scalar', preference: nodeSelectorTerms },
  },
  podAffinity,
  podAntiAffinity: podAffinity,
} as const satisfies Fields;

/** A path, a header or a command may hold a token: of what a probe asks the port alone is kept. */
const asked = {
  httpGet: { port: 'scalar' },
  tcpSocket: { port: 'scalar' },
  grpc: { port: 'scalar' },
  exec: {},
} as const satisfies Fields;

const probe = {
  ...asked,
  ...scalars('initialDelaySeconds', 'periodSeconds', 'timeoutSeconds', 'successThreshold', 'failureThreshold'),
} as const satisfies Fields;

const shells = /^(\/(usr\/)?bin\/)?(ba|da|a)?sh$/;
const sleeps = /^(exec )?(\/(usr\/)?bin\/)?sleep \d{1,5}(\.\d{1,3})?s?;?$/;

/** A command that only sleeps, and ingress-nginx's: how long one takes decides what a rollout and a drain do. */
function sleepingCommand(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return undefined;
  const [shell = '', option, script = ''] = value;
  const isScript = value.length === 3 && shells.test(shell) && option === '-c' && sleeps.test(script.trim());
  return isScript || sleeps.test(value.join(' ')) || value.join(' ') === '/wait-shutdown' ? value : undefined;
}

const container = {
  ...scalars('name', 'image', 'imagePullPolicy', 'restartPolicy'),
  ports: scalars('name', 'containerPort', 'hostPort', 'protocol'),
  resources: { requests: 'map', limits: 'map' },
  readinessProbe: probe,
  livenessProbe: probe,
  startupProbe: probe,
  lifecycle: { preStop: { ...asked, sleep: { seconds: 'scalar' }, exec: { command: sleepingCommand } } },
} as const satisfies Fields;

/** Of the volumes only those that bind a pod to a place. */
const volumes = (value: unknown): unknown => {
  if (!Array.isArray(value)) return undefined;
  const found = value.flatMap((volume): readonly object[] => {
    const { name, persistentVolumeClaim, emptyDir, hostPath, ephemeral } = Object(volume);
    const claimName = Object(persistentVolumeClaim).claimName;
    if (typeof name !== 'string') return [];
    if (typeof claimName === 'string') return [{ name, persistentVolumeClaim: { claimName } }];
    if (emptyDir !== undefined || hostPath !== undefined) return [{ name, emptyDir: {} }];
    return ephemeral === undefined ? [] : [{ name, ephemeral: {} }];
  });
  return found.length === 0 ? undefined : found;
};

export const podSpec = {
  ...scalars('nodeName', 'hostNetwork', 'hostname', 'subdomain', 'schedulerName', 'restartPolicy'),
  ...scalars('terminationGracePeriodSeconds', 'activeDeadlineSeconds'),
  ...scalars('priorityClassName', 'priority', 'preemptionPolicy'),
  containers: container,
  initContainers: container,
  overhead: 'map',
  nodeSelector: 'map',
  schedulingGates: { name: 'scalar' },
  readinessGates: { conditionType: 'scalar' },
  tolerations: scalars('key', 'operator', 'value', 'effect', 'tolerationSeconds'),
  affinity,
  topologySpreadConstraints: {
    ...scalars('maxSkew', 'minDomains', 'topologyKey', 'whenUnsatisfiable', 'matchLabelKeys'),
    ...scalars('nodeAffinityPolicy', 'nodeTaintsPolicy'),
    labelSelector,
  },
  volumes,
} as const satisfies Fields;

export const template = { metadata: templateMetadata, spec: podSpec } as const satisfies Fields;

const terminated = scalars('exitCode', 'reason', 'startedAt', 'finishedAt');
const containerStatus = {
  ...scalars('name', 'image', 'ready', 'started', 'restartCount'),
  state: { waiting: { reason: 'scalar' }, running: { startedAt: 'scalar' }, terminated },
  lastState: { terminated },
} as const satisfies Fields;

export const pod = {
  metadata,
  spec: podSpec,
  status: {
    ...scalars('phase', 'reason', 'podIP', 'hostIP', 'startTime', 'nominatedNodeName', 'qosClass'),
    podIPs: { ip: 'scalar' },
    conditions,
    containerStatuses: containerStatus,
    initContainerStatuses: containerStatus,
  },
} as const satisfies Fields;
