import type { Resource } from '../../cluster/kinds.ts';
import type { Deployment } from '../../cluster/resources.ts';
import { labelsMatch } from '../../settings/pod-selector.ts';
import { scales } from '../observe/owner-limits.ts';
import type { Settings } from '../settings.ts';
import type { Audited } from './audited.ts';

/** The applications of manifests: every Deployment that is not an ingress controller, with the other manifests of its namespace. */
export function manifestsAudited(resources: readonly Resource[], settings: Settings): readonly Audited[] {
  const ofKind = <K extends Resource['kind']>(kind: K) =>
    resources.filter((resource): resource is Extract<Resource, { kind: K }> => resource.kind === kind);
  const namespaceOf = ({ metadata }: Resource): string => metadata.namespace ?? settings.namespace;
  const besideIt = <K extends Resource['kind']>(kind: K, deployment: Deployment) =>
    ofKind(kind).filter((one) => namespaceOf(one) === namespaceOf(deployment));
  const isController = ({ spec }: Deployment): boolean =>
    labelsMatch(spec.template.metadata?.labels, settings.ingressController.selector);
  const scaling = (deployment: Deployment) =>
    besideIt('HorizontalPodAutoscaler', deployment).filter(({ spec }) => scales(spec.scaleTargetRef, deployment));
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
  return deployments
    .filter((deployment) => !isController(deployment))
    .map((deployment) => ({
      settings,
      application: {
        deployment,
        budgets: besideIt('PodDisruptionBudget', deployment),
        ingresses: besideIt('Ingress', deployment),
        autoscalers: scaling(deployment),
      },
      ...ingressController,
    }));
}
