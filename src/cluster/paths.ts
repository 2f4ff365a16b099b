import type { NamespacedName } from './cluster.ts';
import { type Kind, kindPlaces, type ObjectPlace } from './kinds.ts';

/** `/api/v1`, `/apis/apps/v1`: where the resources of a group and version are, and its discovery document. */
export const versionPath = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

/** `/api/v1/namespaces/default/pods`; without a namespace, of all namespaces. */
export function collectionPath(kind: Kind | ObjectPlace, namespace: string | undefined): string {
  const { apiVersion, plural, namespaced } = typeof kind === 'string' ? kindPlaces[kind] : kind;
  const within = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${versionPath(apiVersion)}${within}/${plural}`;
}

/** `/api/v1/nodes/ip-10-0-0-1`, `/apis/apps/v1/namespaces/default/deployments/nginx-test/scale`. */
export function objectPath(
  kind: Kind | ObjectPlace,
  { name, namespace }: NamespacedName,
  subresource?: string,
): string {
  const path = `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `Deployment default/nginx-test`: how failures name an object. */
export function objectName(kind: string, { name, namespace }: Partial<NamespacedName>): string {
  return [kind, [namespace, name].filter((part) => part !== undefined).join('/')]
    .filter((part) => part !== '')
    .join(' ');
}
