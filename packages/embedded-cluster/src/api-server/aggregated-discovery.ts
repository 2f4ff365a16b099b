import type { Json } from '../objects/json.ts';
import { groupNames } from './discovery.ts';
import { subresourceOf } from './kinds/subresources.ts';
import { versionsOf } from './kinds/versions.ts';
import type { Served } from './served.ts';

/**
 * Whether the Accept header asks for aggregated discovery (`apidiscovery.k8s.io/v2`) before anything else that this
 * server has.
 */
export function wantsAggregated(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((type) => {
    const parameters = type.split(';').map((part) => part.trim());
    return ['g=apidiscovery.k8s.io', 'v=v2', 'as=APIGroupDiscoveryList'].every((one) => parameters.includes(one));
  });
}

/** The media type of the answer. */
export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All groups, versions and resources in one document: of the core group at `/api`, of all others at `/apis`. */
export function aggregatedDiscovery(path: string, kinds: readonly Served[]): Json | undefined {
  const groups = path === '/api' ? [''] : path === '/apis' ? groupNames(kinds) : undefined;
  if (groups === undefined) return undefined;
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) =>
      groupOf(
        group,
        kinds.filter((kind) => kind.group === group),
      ),
    ),
  };
}

function groupOf(name: string, kinds: readonly Served[]): Json {
  const versions = versionsOf(kinds);
  return {
    metadata: name === '' ? {} : { name },
    versions: versions.map((version) => ({
      version,
      resources: kinds.filter((kind) => kind.version === version).map(resourceOf),
      freshness: 'Current',
    })),
  };
}

function resourceOf(kind: Served): Json {
  const { plural, singular, namespaced, shortNames, categories, verbs, subresources } = kind;
  return {
    resource: plural,
    responseKind: ownKind(kind),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources: subresources.map((name) => subresource(kind, name)) }),
  };
}

/** Only custom resources name their own group and version. */
function ownKind({ kind, group, version, custom }: Served): Json {
  return custom ? { group, version, kind } : { group: '', version: '', kind };
}

function subresource(kind: Served, name: string): Json {
  const { responseKind, verbs } = subresourceOf(kind, name);
  return { subresource: name, responseKind: responseKind ?? ownKind(kind), verbs };
}
