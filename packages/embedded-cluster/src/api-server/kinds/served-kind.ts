import type { Json } from '../../objects/json.ts';
import { collectionOf } from '../../objects/objects.ts';

/** How the server serves a kind: its path, its names, and its properties. */
export interface Served {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** The names under which `kubectl get` finds it together with others, such as `all`. */
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  /** The verbs on the whole resource. */
  readonly verbs: readonly string[];
  /** Whether it is a custom resource: no strategic merge patch, atomic lists. */
  readonly custom: boolean;
  /** Whether objects have `metadata.generation`. */
  readonly generation: boolean;
  /** In discovery: changes when the version changes in which objects are stored. */
  readonly storageVersionHash?: string | undefined;
  /** The columns of `kubectl get` that a definition names. */
  readonly printerColumns?: readonly PrinterColumn[] | undefined;
  /** Where the definition of a custom resource has its replicas. */
  readonly scale?: ScalePaths | undefined;
  /** The warning for clients that use the version. */
  readonly deprecation?: string | undefined;
  /** The `openAPIV3Schema` of the definition of a custom resource. */
  readonly schema?: Json | undefined;
  /** Where the objects are stored. */
  readonly collection: string;
}

/** Where a kind has what a Scale says (apiextensions/v1, CustomResourceSubresourceScale). */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/** apiextensions/v1 CustomResourceColumnDefinition. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

type Properties = Partial<
  Pick<
    Served,
    | 'categories'
    | 'deprecation'
    | 'generation'
    | 'namespaced'
    | 'printerColumns'
    | 'scale'
    | 'schema'
    | 'shortNames'
    | 'singular'
    | 'storageVersionHash'
    | 'subresources'
    | 'verbs'
  >
>;

/** A kind of a group that is still to be named. */
export type KindRow = Omit<Served, 'group' | 'version' | 'apiVersion' | 'collection'>;

export const allVerbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** The order in which custom resources list their verbs. */
const customVerbs: readonly string[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

export function kind(name: string, plural: string, properties: Properties = {}): KindRow {
  return {
    kind: name,
    plural,
    singular: name.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    subresources: [],
    verbs: allVerbs,
    custom: false,
    generation: false,
    ...properties,
  };
}

/** The kinds of a group and a version, such as `apps/v1`. */
export function group(apiVersion: string, rows: readonly KindRow[]): readonly Served[] {
  const [name, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  return rows.map((row) => ({
    ...row,
    group: name,
    version,
    apiVersion,
    collection: collectionOf({ apiVersion, kind: row.kind }),
  }));
}

/** The kinds that a CustomResourceDefinition brings. */
export function customGroup(apiVersion: string, rows: readonly KindRow[]): readonly Served[] {
  return group(
    apiVersion,
    rows.map((row) => ({ ...row, custom: true, verbs: customVerbs })),
  );
}
