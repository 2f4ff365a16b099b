import type { KubernetesObject } from './metadata.ts';

/** v1 ResourceQuota, with the fields that are read. */
export interface ResourceQuota extends KubernetesObject<'ResourceQuota', 'v1'> {
  readonly spec?: { readonly hard?: Readonly<Record<string, string>> };
}
