import type { Container } from './containers.ts';
import { createFleet, type Fleet, type FleetOptions } from './fleet.ts';
import type { Instance } from './instances.ts';
import { createRuntime, type Runtime } from './runtime.ts';

/**
 * What is really there: instances, containers, listening sockets. Facts are instants, so that any moment can be asked
 * about and nothing has to happen for time to pass. The kubelet alone carries news between this and the API's objects.
 */
export interface Machines extends Fleet, Runtime {
  save(): SavedMachines;
}

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
    save: () => ({ instances: [...fleet.instances()], containers: [...runtime.containers()] }),
  };
}
