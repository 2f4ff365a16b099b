import { createHash } from 'node:crypto';
import { isJson, type Json } from '../objects/json.ts';
import type { Objects, StoredObject } from '../objects/objects.ts';
import { customGroup, kind, type PrinterColumn, type ScalePaths } from './kinds/served-kind.ts';
import { versionsOf } from './kinds/versions.ts';
import { builtIn, type Served, servedAt } from './served.ts';

/** Every kind that is served: the built-in ones, and those that the CustomResourceDefinitions of the cluster bring. */
export interface ServedKinds {
  /** The kind served under an apiVersion and a plural name, such as `apps/v1` and `deployments`. */
  at(apiVersion: string, plural: string): Served | undefined;
  all(): readonly Served[];
}

const definitions = 'CustomResourceDefinition.apiextensions.k8s.io';

/** The kinds of a server with these objects. */
export function servedKinds(objects: Objects): ServedKinds {
  const custom = (): readonly Served[] => objects.list(definitions).flatMap(kindsOf).filter(isNew);
  return {
    at: (apiVersion, plural) =>
      servedAt(apiVersion, plural) ?? custom().find((one) => one.apiVersion === apiVersion && one.plural === plural),
    all: () => [...builtIn, ...custom()],
  };
}

const isNew = ({ apiVersion, plural }: Served): boolean => servedAt(apiVersion, plural) === undefined;

/** The kinds of a CustomResourceDefinition: one for each version that it serves. */
function kindsOf({ spec = {} }: StoredObject): readonly Served[] {
  const names = jsonAt(spec, 'names');
  return listAt(spec, 'versions')
    .filter((version) => version.served === true)
    .flatMap((version) =>
      customGroup(`${spec.group}/${version.name}`, [
        kind(String(names.kind), String(names.plural), {
          singular: String(names.singular ?? String(names.kind).toLowerCase()),
          shortNames: textsAt(names, 'shortNames'),
          categories: textsAt(names, 'categories'),
          namespaced: spec.scope !== 'Cluster',
          subresources: ['status', 'scale'].filter((name) => isJson(jsonAt(version, 'subresources')[name])),
          generation: true,
          deprecation: deprecationOf(spec, version),
          storageVersionHash: storageHash(spec),
          scale: jsonAt(version, 'subresources').scale as ScalePaths | undefined,
          schema: jsonAt(jsonAt(version, 'schema'), 'openAPIV3Schema'),
          printerColumns: listAt(version, 'additionalPrinterColumns') as unknown as readonly PrinterColumn[],
        }),
      ]),
    );
}

/**
 * The warning of a version that is deprecated: its own words, or which version to use (apiextensions-apiserver,
 * pkg/apiserver).
 */
function deprecationOf(spec: Json, { name, deprecated, deprecationWarning }: Json): string | undefined {
  if (deprecated !== true) return undefined;
  if (typeof deprecationWarning === 'string') return deprecationWarning;
  const { kind: of } = jsonAt(spec, 'names');
  const others = listAt(spec, 'versions').filter((one) => one.served === true && one.deprecated !== true);
  const [newest] = versionsOf(others.map((one) => ({ version: String(one.name) })));
  const use = newest === undefined ? '' : `; use ${spec.group}/${newest} ${of}`;
  return `${spec.group}/${name} ${of} is deprecated${use}`;
}

/** Changes with the version in which objects are stored (apiserver, pkg/endpoints/discovery, StorageVersionHash). */
function storageHash(spec: Json): string {
  const stored = listAt(spec, 'versions').find(({ storage }) => storage === true);
  const name = `${spec.group}/${stored?.name}/${jsonAt(spec, 'names').kind}`;
  return createHash('sha256').update(name).digest().subarray(0, 8).toString('base64');
}

function jsonAt(object: Json, key: string): Json {
  const value = object[key];
  return isJson(value) ? value : {};
}

function listAt(object: Json, key: string): readonly Json[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isJson) : [];
}

function textsAt(object: Json, key: string): readonly string[] {
  const value = object[key];
  return Array.isArray(value) ? value.map(String) : [];
}
