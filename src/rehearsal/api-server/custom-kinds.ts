import { isJson, type Json } from '../objects/json.ts';
import type { Objects, StoredObject } from '../objects/objects.ts';
import { customGroup, kind, type PrinterColumn } from './kinds/served-kind.ts';
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
          schema: jsonAt(jsonAt(version, 'schema'), 'openAPIV3Schema'),
          printerColumns: listAt(version, 'additionalPrinterColumns') as unknown as readonly PrinterColumn[],
        }),
      ]),
    );
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
