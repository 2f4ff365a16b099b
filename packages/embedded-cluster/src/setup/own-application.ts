import { everyInstanceType } from '../machines/instance-types.ts';
import type { OwnBehaviours } from '../machines/own-behaviours.ts';
import type { Delay } from '../time/delays.ts';
import type { Setup } from './setup.ts';

/** The setup in which the containers of the manifests behave as given. */
export function withOwnApplication(setup: Setup, own: OwnBehaviours): Setup {
  const { start, stop, pull } = own.every;
  return {
    ...setup,
    application: { ...setup.application, own },
    // Their node pool may name any type of EC2.
    autoscaler: { ...setup.autoscaler, catalogue: everyInstanceType(), capacityTypes: ['spot', 'on-demand'] },
    delays: {
      ...setup.delays,
      applicationListens: exactly(start),
      applicationQuits: exactly(stop),
      imagePull: exactly(pull),
    },
  };
}

const exactly = (seconds: number): Delay => ({ seconds: [seconds, seconds], source: 'given' });
