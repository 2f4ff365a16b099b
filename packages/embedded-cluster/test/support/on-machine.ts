import { kubelet } from '../../src/controllers/kubelet.ts';
import { kubeletLease } from '../../src/controllers/kubelet-lease.ts';
import { kubeletNode } from '../../src/controllers/kubelet-node.ts';
import type { Pod } from '../../src/kubernetes/resources.ts';
import type { PodSpec } from '../../src/kubernetes/specs.ts';
import type { Machines } from '../../src/machines/machines.ts';
import { onStage, type Stage } from './stage.ts';

export const name = { name: 'p', namespace: 'default' };
export const launchRequest = {
  type: 'r8g.large',
  zone: 'us-east-1a',
  capacityType: 'on-demand',
  labels: {},
  taints: [],
  tags: {},
} as const;
/** The controllers of the kubelets. */
export const kubelets = (machines: Machines) => [kubelet(machines), kubeletNode(machines), kubeletLease(machines)];

export interface Play extends Stage {
  readonly pod: () => Promise<Pod | undefined>;
  readonly isReady: () => Promise<boolean>;
  /** The outcome of a connection to the pod. */
  readonly connect: () => Promise<string>;
}

/** A pod on a machine that has the image. */
export async function onMachine(
  spec: PodSpec,
  play: (it: Play) => Promise<void>,
  images: readonly string[] = ['nginx'],
): Promise<void> {
  await onStage(kubelets, [], async (stage) => {
    const { nodeName } = stage.machines.launch({ ...launchRequest, bootedWithImages: images });
    const { nodeSelector: _, topologySpreadConstraints: __, ...free } = spec;
    await stage.cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...name, labels: { app: 'nginx-test' } },
      spec: { ...free, nodeName },
    });
    const pod = () => stage.cluster.get('Pod', name);
    await play({
      ...stage,
      pod,
      isReady: async () =>
        (await pod())?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true,
      connect: async () => stage.machines.connect((await pod())?.status?.podIP ?? '', 80).outcome,
    });
  });
}
