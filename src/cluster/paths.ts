import type { NamespacedName } from './cluster.ts';
import { type Kind, kindPlaces } from './kinds.ts';

/** `/api/v1/namespaces/default/pods`; without a namespace, of all namespaces. */
export function collectionPath(kind: Kind, namespace: string | undefined): string {
  const { apiVersion, plural, namespaced } = kindPlaces[kind];
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${within}/${plural}`;
}

/** `/api/v1/nodes/ip-10-0-0-1`, `/apis/apps/v1/namespaces/default/deployments/nginx-test/scale`. */
export function objectPath(kind: Kind, { name, namespace }: NamespacedName, subresource?: string): string {
  const path = `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `Deployment default/nginx-test`: how failures name an object. */
export function objectName(kind: Kind, { name, namespace }: Partial<NamespacedName>): string {
  return [kind, [namespace, name].filter((part) => part !== undefined).join('/')]
    .filter((part) => part !== '')
    .join(' ');
}
