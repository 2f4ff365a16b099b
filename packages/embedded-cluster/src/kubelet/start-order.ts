import type { Pod } from '../kubernetes/resources.ts';
import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import type { Container } from '../machines/containers.ts';
import { isPassed } from './pod-containers.ts';

/**
 * The containers of the pod to start now: its init containers one after the other, each when the one before has
 * succeeded or, if that is a sidecar, has started; then all ordinary ones at once (kuberuntime_manager.go,
 * computeInitContainerActions). One that was started before is not among them.
 */
export function startsNow({ spec }: Pod, containers: readonly Container[], at: number): readonly ContainerSpec[] {
  const started = (wanted: ContainerSpec) => containers.find(({ name }) => name === wanted.name);
  if (spec.containers.some((one) => started(one) !== undefined)) return [];
  for (const init of spec.initContainers ?? []) {
    const container = started(init);
    if (container === undefined) return [init];
    if (!isPassed(init, container, at)) return [];
  }
  return spec.containers;
}
