import type { Kind, Kinds, Resource } from '../../src/kubernetes/kinds.ts';
import type { Node, Pod } from '../../src/kubernetes/resources.ts';
import { type Cache, keyOf } from '../../src/objects/cache.ts';

/** An informer cache with these objects, without an API server. */
export function cacheOf(objects: readonly Resource[]): Cache {
  const of = <K extends Kind>(kind: K) =>
    objects.filter((one) => one.kind === kind) as readonly Resource[] as Kinds[K][];
  const podsOn = (nodeName: string) => of('Pod').filter(({ spec }: Pod) => (spec.nodeName ?? '') === nodeName);
  const get = <K extends Kind>(kind: K, key: string) => of(kind).find((one) => keyOf(one) === key);
  return {
    get,
    list: of,
    inNamespace: (kind, namespace) => of(kind).filter(({ metadata }) => metadata.namespace === namespace),
    podsOn,
    namesOfNodesWithPods: () => of('Pod').flatMap(({ spec }: Pod) => spec.nodeName ?? []),
    ofNode: <T>(name: string, derive: (node: Node, pods: Iterable<Pod>) => T) => {
      const node = get('Node', name);
      return node && derive(node, podsOn(name));
    },
    ownedBy: (uid) =>
      objects.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true),
    subscribe: () => undefined,
  };
}
