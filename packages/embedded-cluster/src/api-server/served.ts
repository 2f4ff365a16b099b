import type { Kind } from '../kubernetes/kinds.ts';
import { coreKinds } from './kinds/core.ts';
import { groupKinds } from './kinds/groups.ts';
import { karpenterKinds } from './kinds/karpenter.ts';
import { metricsKinds } from './kinds/metrics.ts';
import type { Served } from './kinds/served-kind.ts';

export type { Served } from './kinds/served-kind.ts';

/** Every kind that is served without a CustomResourceDefinition in the cluster, in the order of discovery. */
export const builtIn: readonly Served[] = [...coreKinds, ...groupKinds, ...karpenterKinds, ...metricsKinds];

const byPath = new Map(builtIn.map((one) => [`${one.apiVersion}/${one.plural}`, one]));

/** The kinds that the controllers use. */
export const served = Object.fromEntries(
  builtIn.filter(({ kind, collection }) => kind === collection).map((one) => [one.kind, one]),
) as { readonly [K in Kind]: Served };

/** The kind served under an apiVersion and a plural name, such as `apps/v1` and `deployments`. */
export function servedAt(apiVersion: string, plural: string): Served | undefined {
  return byPath.get(`${apiVersion}/${plural}`);
}

/** The name of a resource in the server's messages: `deployments.apps`, `pods`. */
export function resourceName({ plural, group }: Pick<Served, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
