import type { Permission } from './permissions.ts';

/** rbac.authorization.k8s.io/v1, as `kubectl apply` takes it. */
export interface Role {
  readonly apiVersion: 'rbac.authorization.k8s.io/v1';
  readonly kind: 'ClusterRole' | 'Role';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly PolicyRule[];
}
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const roleName = 'holdfast';

/** One ClusterRole, and a Role for each namespace. Resources that need the same verbs share a rule. */
export function rolesOf(permissions: readonly Permission[]): readonly Role[] {
  const namespaces = new Set(permissions.flatMap(({ namespace }) => namespace ?? []));
  return [undefined, ...[...namespaces].toSorted()].map((namespace) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: { name: roleName, ...(namespace === undefined ? {} : { namespace }) },
    rules: rulesOf(permissions.filter((permission) => permission.namespace === namespace)),
  }));
}

const verbOrder = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

function rulesOf(permissions: readonly Permission[]): readonly PolicyRule[] {
  const verbs = Map.groupBy(permissions, ({ group, resource }) => `${group} ${resource}`);
  const resources = [...verbs.values()].map((same) => ({
    group: same[0]?.group ?? '',
    resource: same[0]?.resource ?? '',
    verbs: [...new Set(same.map(({ verb }) => verb))].toSorted((a, b) => verbOrder.indexOf(a) - verbOrder.indexOf(b)),
  }));
  const rules = Map.groupBy(resources, ({ group, verbs: allowed }) => `${group} ${allowed.join(' ')}`);
  return [...rules.values()].map((same) => ({
    apiGroups: [same[0]?.group ?? ''],
    resources: same.map(({ resource }) => resource),
    verbs: same[0]?.verbs ?? [],
  }));
}
