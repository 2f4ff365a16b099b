import type { Installed } from './site.ts';

/** The processes of a real cluster's nodes and control plane, other than kube-controller-manager. */
const processes: Readonly<Record<string, string>> = {
  'cloud-node': 'aws-cloud-controller-manager',
  'cloud-node-lifecycle': 'aws-cloud-controller-manager',
  kubelet: 'kubelet',
  'kubelet-lease': 'kubelet',
  'kubelet-node': 'kubelet',
  'load-balancer': 'aws-cloud-controller-manager',
  scheduler: 'kube-scheduler',
};

/**
 * The name under which `managedFields` shows a controller's writes: that of its process, as the API server takes it
 * from the user agent.
 */
export function fieldManagerOf({ controller, program }: Installed): string {
  return program ?? processes[controller.name] ?? 'kube-controller-manager';
}
