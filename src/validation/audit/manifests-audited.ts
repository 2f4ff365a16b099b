import type { HttpRoute } from '../../cluster/gateway-api.ts';
import type { Resource } from '../../cluster/kinds.ts';
import type { Deployment } from '../../cluster/resources.ts';
import type { Workload } from '../../cluster/workload.ts';
import { labelsMatch } from '../../settings/pod-selector.ts';
import { applicationsOf } from '../applications.ts';
import { scales } from '../observe/owner-limits.ts';
import type { Settings } from '../settings.ts';
import type { Audited } from './audited.ts';

/**
 * The applications of manifests: every Deployment that is not an ingress controller, and the StatefulSets and
 * DaemonSets that the settings name, each with the other manifests of its namespace, and with its own settings where it
 * has some.
 */
export function manifestsAudited(resources: readonly Resource[], settings: Settings): readonly Audited[] {
  const ofKind = <K extends Resource['kind']>(kind: K) =>
    resources.filter((resource): resource is Extract<Resource, { kind: K }> => resource.kind === kind);
  const namespaceOf = ({ metadata }: Resource): string => metadata.namespace ?? settings.namespace;
  const besideIt = <K extends Resource['kind']>(kind: K, workload: Workload) =>
    ofKind(kind).filter((one) => namespaceOf(one) === namespaceOf(workload));
  const routesBeside = (workload: Workload): readonly HttpRoute[] =>
    (resources as readonly { readonly kind: string }[])
      .filter((one): one is HttpRoute => one.kind === 'HTTPRoute')
      .filter(({ metadata: { namespace = settings.namespace } }) => namespace === namespaceOf(workload));
  const isController = ({ spec }: Deployment): boolean =>
    labelsMatch(spec.template.metadata?.labels, settings.ingressController.selector);
  const scaling = (workload: Workload) =>
    besideIt('HorizontalPodAutoscaler', workload).filter(({ spec }) => scales(spec.scaleTargetRef, workload));
  const deployments = ofKind('Deployment');
  const controller = deployments.find(isController);
  const service = ofKind('Service').find(({ spec }) => spec.type === 'LoadBalancer');
  const ingressController =
    controller === undefined && service === undefined
      ? {}
      : {
          ingressController: {
            ...(controller && { deployment: controller, autoscalers: scaling(controller) }),
            ...(service && { service }),
          },
        };
  const settingsOf = (workload: Workload) =>
    applicationsOf(settings).find(
      ({ applicationKind, namespace, application }) =>
        workload.kind === applicationKind &&
        workload.metadata.name === application &&
        namespaceOf(workload) === namespace,
    );
  const named = [...ofKind('StatefulSet'), ...ofKind('DaemonSet')].filter((one) => settingsOf(one) !== undefined);
  return [...deployments.filter((deployment) => !isController(deployment)), ...named].map((workload) => ({
    settings: settingsOf(workload) ?? applicationsOf(settings)[0],
    application: {
      workload,
      budgets: besideIt('PodDisruptionBudget', workload),
      waysIn: [...besideIt('Ingress', workload), ...routesBeside(workload)],
      autoscalers: scaling(workload),
    },
    ...ingressController,
  }));
}
