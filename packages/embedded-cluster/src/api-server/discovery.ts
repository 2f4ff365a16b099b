import type { Json } from '../objects/json.ts';
import { subresourceOf } from './kinds/subresources.ts';
import { versionsOf } from './kinds/versions.ts';
import type { Served } from './served.ts';

/** The discovery documents: `/version`, `/api`, `/apis`, `/api/v1`, `/apis/<group>`, `/apis/<group>/<version>`. */
export function discovery(path: string, kinds: readonly Served[]): Json | undefined {
  const [root, ...parts] = path.split('/').filter((part) => part !== '');
  if (root === 'version') return parts.length === 0 ? serverVersion : undefined;
  if (root === 'api') return coreDocument(parts, kinds);
  return root === 'apis' ? groupDocument(parts, kinds) : undefined;
}

function coreDocument(parts: readonly string[], kinds: readonly Served[]): Json | undefined {
  if (parts.length > 1) return undefined;
  return parts[0] === undefined ? coreVersions : resourceList(parts[0], kinds);
}

function groupDocument([group, ...versions]: readonly string[], kinds: readonly Served[]): Json | undefined {
  const groups = groupNames(kinds);
  if (group === undefined)
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((name) => groupOf(name, kinds)) };
  if (versions.length > 0) return resourceList([group, ...versions].join('/'), kinds);
  return groups.includes(group) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, kinds) } : undefined;
}

/** The names of all groups but the core group, each once, in the order of the kinds. */
export function groupNames(kinds: readonly Served[]): readonly string[] {
  return [...new Set(kinds.map(({ group }) => group))].filter((group) => group !== '');
}

/** The address at which pods reach the server: the Service `kubernetes` has the first one of the range. */
const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.100.0.1:443' }];
const coreVersions: Json = { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };

/** The version of Kubernetes whose rules this server follows. */
export const gitVersion = 'v1.34.4';

const serverVersion: Json = {
  major: '1',
  minor: '34',
  emulationMajor: '1',
  emulationMinor: '34',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '33',
  gitVersion,
  gitTreeState: 'clean',
  platform: 'linux/arm64',
};

/** Only the lists of groups say their own version: that of the core group comes from an older type of the server. */
function resourceList(apiVersion: string, all: readonly Served[]): Json | undefined {
  const kinds = all.filter((kind) => kind.apiVersion === apiVersion);
  if (kinds.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(apiVersion !== 'v1' && { apiVersion: 'v1' }),
    groupVersion: apiVersion,
    resources: kinds.flatMap(resourcesOf),
  };
}

function groupOf(group: string, kinds: readonly Served[]): Json {
  const names = versionsOf(kinds.filter((kind) => kind.group === group));
  const versions = names.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function resourcesOf(kind: Served): readonly Json[] {
  const { plural, singular, namespaced, shortNames, categories, verbs, storageVersionHash } = kind;
  const whole = {
    name: plural,
    singularName: singular,
    namespaced,
    kind: kind.kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
  };
  const subresources = kind.subresources.map((name) => {
    const { responseKind, verbs } = subresourceOf(kind, name);
    const { group = '', version = '' } = responseKind ?? {};
    return {
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      ...(group !== '' && { group, version }),
      kind: responseKind?.kind ?? kind.kind,
      verbs,
    };
  });
  return [whole, ...subresources];
}
