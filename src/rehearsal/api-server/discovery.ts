import type { Json } from '../objects/json.ts';
import { type Served, type Subresource, served } from './served.ts';

const all = Object.values(served);
const groups = [...new Set(all.map(({ group }) => group))].filter((group) => group !== '');
const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The discovery documents: `/version`, `/api`, `/apis`, `/api/v1`, `/apis/<group>`, `/apis/<group>/<version>`. */
export function discovery(path: string): Json | undefined {
  const [root, group, version, ...more] = path.split('/').filter((part) => part !== '');
  if (more.length > 0) return undefined;
  if (root === 'version') return serverVersion;
  if (root === 'api' && version === undefined) return group === undefined ? coreVersions : resourceList(group);
  if (root !== 'apis') return undefined;
  if (group === undefined) return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupOf) };
  if (version !== undefined) return resourceList(`${group}/${version}`);
  return groups.includes(group) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) } : undefined;
}

const coreVersions: Json = { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };

/** The version of Kubernetes whose rules this server follows. */
export const gitVersion = 'v1.34.0';

const serverVersion: Json = {
  major: '1',
  minor: '34',
  gitVersion,
  gitTreeState: 'clean',
  platform: 'linux/arm64',
};

function resourceList(apiVersion: string): Json | undefined {
  const kinds = all.filter((kind) => kind.apiVersion === apiVersion);
  if (kinds.length === 0) return undefined;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersion, resources: kinds.flatMap(resourcesOf) };
}

function groupOf(group: string): Json {
  const versions = [...new Set(all.filter((kind) => kind.group === group).map(({ version: one }) => one))].map(
    (one) => ({
      groupVersion: `${group}/${one}`,
      version: one,
    }),
  );
  return { name: group, versions, preferredVersion: versions[0] };
}

function resourcesOf(kind: Served): readonly Json[] {
  const { plural, singular, namespaced, shortNames } = kind;
  const verbs = kind.kind === 'SelfSubjectAccessReview' ? ['create'] : allVerbs;
  const names = shortNames.length > 0 && { shortNames };
  return [
    { name: plural, singularName: singular, namespaced, kind: kind.kind, verbs, ...names, ...categories(kind) },
    ...kind.subresources.map((subresource) => ({
      name: `${plural}/${subresource}`,
      singularName: '',
      namespaced,
      ...subresourceKind(kind, subresource),
    })),
  ];
}

function subresourceKind(kind: Served, subresource: Subresource): Json {
  if (subresource === 'eviction') return { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] };
  if (subresource === 'scale')
    return { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] };
  return { kind: kind.kind, verbs: ['get', 'patch', 'update'] };
}

/** The categories of a kind, which `kubectl get all` and `kubectl get karpenter` ask for. */
function categories({ kind }: Served): Json {
  const inAll = ['DaemonSet', 'Deployment', 'Pod', 'ReplicaSet', 'Service'].includes(kind);
  const karpenter = ['EC2NodeClass', 'NodeClaim', 'NodePool'].includes(kind);
  return inAll ? { categories: ['all'] } : karpenter ? { categories: ['karpenter'] } : {};
}
