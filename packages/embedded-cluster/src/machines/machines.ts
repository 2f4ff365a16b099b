import type { Container } from './containers.ts';
import { type CpuQueue, createCpuQueue } from './cpu-queue.ts';
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts';
import type { Instance } from './instances.ts';
import { createRuntime, type Runtime } from './runtime.ts';

/**
 * The state of the machines, as opposed to the API's objects: instances, containers, listening sockets. It is kept as
 * the instants at which things happen, so that no timer is needed. Only the kubelets copy between the two.
 */
export interface Machines extends Fleet, Runtime, CpuQueue {
  save(): SavedMachines;
}

/** A run folder has it as JSON: a key that is renamed is lost for runs of an older version. */
export interface SavedMachines {
  readonly instances: readonly Instance[];
  readonly containers: readonly Container[];
}

export function createMachines(options: FleetOptions, saved?: SavedMachines): Machines {
  const fleet = createFleet(options, saved?.instances);
  const runtime = createRuntime(fleet, options.now, saved?.containers);
  return {
    ...fleet,
    ...runtime,
    ...createCpuQueue(runtime, options.now),
    save: () => ({ instances: [...fleet.instances()], containers: [...runtime.containers()] }),
  };
}
