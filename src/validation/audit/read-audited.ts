import type { ClusterClient } from '../../cluster/client.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { readable } from '../../cluster/readable.ts';
import type { Deployment } from '../../cluster/resources.ts';
import { labelsMatch } from '../../settings/pod-selector.ts';
import { readHorizontalAutoscalers } from '../observe/read-horizontal-autoscalers.ts';
import { readWayIn } from '../observe/read-way-in.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import { entranceOf, hasIngress, type Settings } from '../settings.ts';
import type { Audited } from './audited.ts';

/** Reads the application and the ingress controller; undefined if there is no application. */
export async function readAudited(cluster: ClusterClient, settings: Settings): Promise<Audited | undefined> {
  const before = await readSnapshot(cluster, settings);
  if (before.workload === undefined) return undefined;
  const { workload } = before;
  const [autoscalers, wayIn, service, controller] = await Promise.all([
    readHorizontalAutoscalers(cluster, settings),
    readWayIn(cluster, settings),
    cluster.get('Service', entranceOf(settings)),
    hasIngress(settings) ? ingressDeployment(cluster, settings) : undefined,
  ]);
  return {
    settings,
    application: {
      workload,
      budgets: before.budgets,
      waysIn: wayIn === undefined ? [] : [wayIn],
      autoscalers,
    },
    ingressController: {
      ...(controller === undefined ? {} : { deployment: controller }),
      ...(service === undefined ? {} : { service }),
    },
    now: { pods: before.pods, ingressPods: before.ingressPods },
  };
}

async function ingressDeployment(cluster: Cluster, { ingressController }: Settings): Promise<Deployment | undefined> {
  const { namespace, selector } = ingressController;
  const found = await readable(cluster.list('Deployment', { namespace }));
  return found?.find(({ spec }) => labelsMatch(spec.template.metadata?.labels, selector));
}
