import { cloudNode } from '../../src/controllers/cloud-node.ts';
import { kubelet } from '../../src/controllers/kubelet.ts';
import { kubeletLease } from '../../src/controllers/kubelet-lease.ts';
import { kubeletNode } from '../../src/controllers/kubelet-node.ts';
import { kubeletVolumes } from '../../src/controllers/kubelet-volumes.ts';
import { nodeMonitor, nodeTaints } from '../../src/controllers/node-lifecycle.ts';
import { podGc } from '../../src/controllers/pod-gc.ts';
import { scheduler } from '../../src/controllers/scheduler.ts';
import { taintEviction } from '../../src/controllers/taint-eviction.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import type { StatefulSet } from '../../src/kubernetes/stateful-set.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../src/kubernetes/volumes.ts';
import type { Machines } from '../../src/machines/machines.ts';
import { attachDetach } from '../../src/storage/attach-detach.ts';
import { claimProtection, volumeProtection } from '../../src/storage/protection.ts';
import { volumeAttacher, volumeDetacher } from '../../src/storage/volume-attacher.ts';
import { volumeBinder } from '../../src/storage/volume-binder.ts';
import { volumeProvisioner } from '../../src/storage/volume-provisioner.ts';
import { statefulSet } from '../../src/workloads/stateful-set.ts';
import { launchRequest } from './on-machine.ts';
import { onStage, type Stage } from './stage.ts';

/** The controllers of volumes, and those that they work with. */
export const withVolumes = (machines: Machines) => [
  volumeBinder(),
  claimProtection,
  volumeProtection,
  volumeProvisioner,
  attachDetach(),
  volumeAttacher,
  volumeDetacher,
  kubeletVolumes(machines),
  scheduler({ packs: false }),
  statefulSet,
  kubelet(machines),
  kubeletNode(machines),
  kubeletLease(machines),
  cloudNode(machines),
  nodeMonitor,
  nodeTaints,
  taintEviction(),
  podGc(),
];

export const storageClass = (name: string, over: Partial<StorageClass> = {}, isDefault = false): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, ...(isDefault && { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }) },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
  ...over,
});

export const claim = (name: string, spec: Partial<PersistentVolumeClaim['spec']> = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } }, ...spec },
});

/** A volume that somebody has made by hand, in a zone. */
export const volumeIn = (
  zone: string,
  name: string,
  spec: Partial<PersistentVolume['spec']> = {},
): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '10Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'fast',
    csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${name}` },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }] },
        ],
      },
    },
    ...spec,
  },
});

const container = { name: 'db', image: 'nginx' };

export const podWith = (name: string, claimName: string, spec: Partial<Pod['spec']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [container],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    ...spec,
  },
});

export const statefulSetOf = (replicas: number, spec: Partial<Pod['spec']> = {}): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'default' },
  spec: {
    replicas,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [container], ...spec } },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim('').spec }],
  },
});

export interface WithVolumes extends Stage {
  readonly nodes: readonly string[];
  readonly pod: (name: string) => Promise<Pod | undefined>;
  readonly claim: (name: string) => Promise<PersistentVolumeClaim | undefined>;
  readonly attachments: () => Promise<readonly string[]>;
  readonly isReady: (name: string) => Promise<boolean>;
}

/** Plays with machines in these zones, whose nodes are ready, and these objects. */
export async function onMachinesIn(
  zones: readonly string[],
  before: readonly Resource[],
  play: (it: WithVolumes) => Promise<void>,
  more: (machines: Machines) => ReturnType<typeof withVolumes> = () => [],
): Promise<void> {
  const controllers = (machines: Machines) => [...withVolumes(machines), ...more(machines)];
  await onStage(controllers, [storageClass('gp3', {}, true), ...before], async (stage) => {
    const { cluster, machines } = stage;
    const nodes = zones.map(
      (zone) => machines.launch({ ...launchRequest, zone, bootedWithImages: ['nginx'] }).nodeName,
    );
    await stage.until(async () => {
      const all = await cluster.list('Node');
      return all.length === zones.length && all.every(({ metadata }) => zoneLabel in (metadata.labels ?? {}));
    });
    const pod = (name: string) => cluster.get('Pod', { name, namespace: 'default' });
    await play({
      ...stage,
      nodes,
      pod,
      claim: (name) => cluster.get('PersistentVolumeClaim', { name, namespace: 'default' }),
      attachments: async () =>
        (await cluster.list('VolumeAttachment')).map(
          ({ spec, status }) => `${spec.nodeName} ${status?.attached === true}`,
        ),
      isReady: async (name) =>
        (await pod(name))?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ===
        true,
    });
  });
}

export const zoneLabel = 'topology.kubernetes.io/zone';
