import type { Pod } from '../kubernetes/resources.ts';
import type { Container } from '../machines/containers.ts';
import { sidecarsOf } from '../objects/pods.ts';

/**
 * The containers of a pod that ends, in groups of which each gets SIGTERM only when the ones before have ended: all but
 * the sidecars, then the sidecars, the last started first (kuberuntime_termination_order.go).
 */
export function stopOrder({ spec }: Pod, containers: readonly Container[]): readonly (readonly Container[])[] {
  const sidecars = sidecarsOf(spec).flatMap(({ name }) => containers.filter((one) => one.name === name));
  return [containers.filter((one) => !sidecars.includes(one)), ...sidecars.toReversed().map((one) => [one])];
}
