import type { Cluster } from '../../cluster/cluster.ts';
import type { SelfSubjectAccessReview } from '../../cluster/resources.ts';
import type { Permission } from './permissions.ts';

/**
 * The permissions that the caller does not have, in their order, by a SelfSubjectAccessReview for each. Changes nothing
 * in the cluster.
 */
export async function missingPermissions(
  cluster: Cluster,
  wanted: readonly Permission[],
): Promise<readonly Permission[]> {
  const missing: Permission[] = [];
  for (const permission of wanted) if (!(await isAllowed(cluster, permission))) missing.push(permission);
  return missing;
}

async function isAllowed(cluster: Cluster, { group, resource, verb, namespace }: Permission): Promise<boolean> {
  const [name = '', subresource] = resource.split('/');
  const review = await cluster.create<SelfSubjectAccessReview>({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    // The API requires an empty name.
    metadata: { name: '' },
    spec: {
      resourceAttributes: {
        group,
        resource: name,
        verb,
        ...(subresource === undefined ? {} : { subresource }),
        ...(namespace === undefined ? {} : { namespace }),
      },
    },
  });
  return review.status?.allowed === true;
}

/** `patch nodes in the cluster (node-drain, to undo)`. */
export function permissionText({ group, resource, verb, namespace, purpose, undoes }: Permission): string {
  const what = group === '' ? resource : `${resource}.${group}`;
  const where = namespace === undefined ? 'in the cluster' : `in namespace ${namespace}`;
  return `${verb} ${what} ${where} (${purpose}${undoes ? ', to undo' : ''})`;
}
