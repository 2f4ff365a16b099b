import { isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';

/** A column of `kubectl get` (kubernetes, pkg/printers/internalversion; Karpenter's CustomResourceDefinitions). */
export interface Column {
  readonly name: string;
  /** Shown only with `-o wide`. */
  readonly wide?: true;
  readonly cell: (object: StoredObject, nowAt: number) => string;
}

export function columnsOf(kind: string): readonly Column[] {
  const own = columns[kind] ?? [];
  return [name, ...own, ...(own.includes(age) ? [] : [age]), ...(wideColumns[kind] ?? [])];
}

const name: Column = { name: 'Name', cell: ({ metadata }) => metadata.name };
const age: Column = {
  name: 'Age',
  cell: ({ metadata }, nowAt) => humanDuration((nowAt - Date.parse(metadata.creationTimestamp ?? '')) / 1000),
};
const field = (title: string, path: string, fallback = '<none>'): Column => ({
  name: title,
  cell: (object) => textAt(object, path, fallback),
});
const condition = (title: string, type: string): Column => ({
  name: title,
  cell: ({ status }) => String(listAt(status, 'conditions').find((one) => one.type === type)?.status ?? 'Unknown'),
});
const replicas = (title: string, path: string) => field(title, path, '0');

const columns: Readonly<Record<string, readonly Column[] | undefined>> = {
  DaemonSet: [
    replicas('Desired', 'status.desiredNumberScheduled'),
    replicas('Current', 'status.currentNumberScheduled'),
    replicas('Ready', 'status.numberReady'),
  ],
  Deployment: [
    {
      name: 'Ready',
      cell: (object) => `${textAt(object, 'status.readyReplicas', '0')}/${textAt(object, 'spec.replicas', '0')}`,
    },
    replicas('Up-to-date', 'status.updatedReplicas'),
    replicas('Available', 'status.availableReplicas'),
  ],
  EC2NodeClass: [condition('Ready', 'Ready')],
  EndpointSlice: [
    field('AddressType', 'addressType'),
    {
      name: 'Endpoints',
      cell: (object) =>
        listAt(object, 'endpoints')
          .flatMap(({ addresses }) => addresses)
          .join(',') || '<unset>',
    },
  ],
  Event: [
    field('Type', 'type'),
    field('Reason', 'reason'),
    field('Object', 'involvedObject.name'),
    field('Message', 'message'),
  ],
  Ingress: [
    field('Class', 'spec.ingressClassName'),
    {
      name: 'Hosts',
      cell: ({ spec }) =>
        listAt(spec, 'rules')
          .map(({ host }) => host ?? '*')
          .join(','),
    },
    { name: 'Address', cell: addressOf },
  ],
  Lease: [field('Holder', 'spec.holderIdentity')],
  Namespace: [field('Status', 'status.phase')],
  Node: [
    { name: 'Status', cell: nodeStatus },
    // EKS nodes have no label `node-role.kubernetes.io/…`.
    { name: 'Roles', cell: () => '<none>' },
    age,
    field('Version', 'status.nodeInfo.kubeletVersion'),
  ],
  NodeClaim: [
    { name: 'Type', cell: labelCell('node.kubernetes.io/instance-type') },
    { name: 'Capacity', cell: labelCell('karpenter.sh/capacity-type') },
    { name: 'Zone', cell: labelCell('topology.kubernetes.io/zone') },
    field('Node', 'status.nodeName', ''),
    condition('Ready', 'Ready'),
  ],
  NodePool: [
    field('NodeClass', 'spec.template.spec.nodeClassRef.name'),
    replicas('Nodes', 'status.resources.nodes'),
    condition('Ready', 'Ready'),
  ],
  Pod: [
    { name: 'Ready', cell: podReady },
    { name: 'Status', cell: podStatus },
    { name: 'Restarts', cell: podRestarts },
  ],
  PodDisruptionBudget: [
    field('Min Available', 'spec.minAvailable', 'N/A'),
    field('Max Unavailable', 'spec.maxUnavailable', 'N/A'),
    replicas('Allowed Disruptions', 'status.disruptionsAllowed'),
  ],
  ReplicaSet: [
    replicas('Desired', 'spec.replicas'),
    replicas('Current', 'status.replicas'),
    replicas('Ready', 'status.readyReplicas'),
  ],
  Service: [
    field('Type', 'spec.type'),
    field('Cluster-IP', 'spec.clusterIP'),
    { name: 'External-IP', cell: externalAddress },
    {
      name: 'Port(s)',
      cell: ({ spec }) =>
        listAt(spec, 'ports')
          .map(({ port, nodePort, protocol }) => `${port}${nodePort === undefined ? '' : `:${nodePort}`}/${protocol}`)
          .join(','),
    },
  ],
};

const wideColumns: Readonly<Record<string, readonly Column[] | undefined>> = {
  NodeClaim: [{ ...field('ID', 'status.providerID', ''), wide: true }],
  Pod: [
    { ...field('IP', 'status.podIP'), wide: true },
    { ...field('Node', 'spec.nodeName'), wide: true },
  ],
};

function textAt(object: unknown, path: string, fallback: string): string {
  let value = object;
  for (const step of path.split('.')) value = isJson(value) ? value[step] : undefined;
  return value === undefined || value === '' ? fallback : String(value);
}

function listAt(object: unknown, key: string): readonly Json[] {
  const list = isJson(object) ? object[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function labelCell(key: string): (object: StoredObject) => string {
  return ({ metadata }) => metadata.labels?.[key] ?? '';
}

function addressOf({ status }: StoredObject): string {
  const ingress = listAt(isJson(status) ? status.loadBalancer : undefined, 'ingress');
  return ingress.map(({ hostname, ip }) => hostname ?? ip).join(',');
}

function externalAddress(object: StoredObject): string {
  return addressOf(object) || (object.spec?.type === 'LoadBalancer' ? '<pending>' : '<none>');
}

function nodeStatus({ spec, status }: StoredObject): string {
  const ready =
    listAt(status, 'conditions').find(({ type }) => type === 'Ready')?.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${ready},SchedulingDisabled` : ready;
}

function podReady({ spec, status }: StoredObject): string {
  const ready = listAt(status, 'containerStatuses').filter((container) => container.ready === true);
  return `${ready.length}/${listAt(spec, 'containers').length}`;
}

function podStatus({ metadata, status }: StoredObject): string {
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  const states = listAt(status, 'containerStatuses').flatMap(({ state }) =>
    isJson(state) ? Object.values(state) : [],
  );
  const reason = states.map((state) => textAt(state, 'reason', '')).find((one) => one !== '');
  return reason ?? textAt(status, 'reason', textAt(status, 'phase', 'Unknown'));
}

function podRestarts({ status }: StoredObject): string {
  return String(
    listAt(status, 'containerStatuses').reduce((sum, { restartCount }) => sum + Number(restartCount ?? 0), 0),
  );
}

/** `HumanDuration` (apimachinery, pkg/util/duration): two units at most, and one where a second one would be too precise. */
export function humanDuration(seconds: number): string {
  const [whole, minutes, hours, days] = [1, 60, 3600, 86_400].map((unit) =>
    Math.floor(Math.max(0, seconds) / unit),
  ) as [number, number, number, number];
  const withUnit = (count: number, unit: string) => (count === 0 ? '' : `${count}${unit}`);
  if (whole < 120) return `${whole}s`;
  if (minutes < 10) return `${minutes}m${withUnit(whole % 60, 's')}`;
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return `${hours}h${withUnit(minutes % 60, 'm')}`;
  if (hours < 48) return `${hours}h`;
  return days < 8 ? `${days}d${withUnit(hours % 24, 'h')}` : `${days}d`;
}
