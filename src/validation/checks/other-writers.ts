import type { Resource } from '../../cluster/kinds.ts';
import { managersOf } from '../manifests/adoption.ts';
import { nameOf } from '../manifests/preview.ts';
import { readHorizontalAutoscalers } from '../observe/read-horizontal-autoscalers.ts';
import { asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/**
 * Nobody else sets the application's replicas or the pool's fields and would revert what a scenario changes
 * (docs/facts/kubernetes.md, "Other writers").
 */
export const otherWriters: Check = {
  name: 'other-writers',
  mandatory: false,
  async look(run) {
    const { site, settings } = run;
    const { namespace, application: name, applicationKind } = settings;
    const assertion = {
      id: 'other-writers',
      subject: `${namespace}/${name}`,
      object: { kind: applicationKind, namespace, name },
      expected: 'nobody else scales it or syncs it',
    };
    const objects = [
      await site.cluster.get(applicationKind, { namespace, name }),
      await site.cluster.get('NodePool', { name: settings.nodePool.name }),
    ].filter((object) => object !== undefined);
    const writers = [...(await autoscalers(run)), ...objects.flatMap(gitOps)];
    if (writers.length === 0) return asExpected(assertion, 'nobody else does');
    const advice = 'pause it while the run lasts: what it puts back is a scenario’s own change';
    return notAsExpected(assertion, writers.join('; '), advice, 'warning');
  },
};

async function autoscalers({ site, settings }: CheckedRun): Promise<readonly string[]> {
  if (site.pausesAutoscalers && settings.manifests === 'none') return [];
  const found = await readHorizontalAutoscalers(site.cluster, settings);
  return found.map(
    ({ metadata, spec }) =>
      `HorizontalPodAutoscaler ${settings.namespace}/${metadata.name} sets ${spec.minReplicas ?? 1} to ${spec.maxReplicas} replicas`,
  );
}

/** How GitOps controllers mark the objects that they keep in sync: by a label, an annotation, or as a field manager. */
const signatures: readonly { readonly controller: string; readonly key: RegExp; readonly manager: RegExp }[] = [
  { controller: 'Argo CD', key: /^argocd\.argoproj\.io\//, manager: /^argocd/ },
  { controller: 'Flux', key: /^(kustomize|helm)\.toolkit\.fluxcd\.io\//, manager: /^(kustomize|helm)-controller$/ },
];

function gitOps(object: Resource): readonly string[] {
  const keys = Object.keys({ ...object.metadata.labels, ...object.metadata.annotations });
  const managers = managersOf(object);
  return signatures
    .filter(({ key, manager }) => keys.some((one) => key.test(one)) || managers.some((one) => manager.test(one)))
    .map(({ controller }) => `${controller} keeps ${nameOf(object)} in sync`);
}
