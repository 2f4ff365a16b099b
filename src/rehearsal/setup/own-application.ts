import type { OwnBehaviours } from '../machines/own-behaviours.ts';
import type { Delay } from '../time/delays.ts';
import type { Setup } from './setup.ts';

/** The setup in which the containers of somebody's own manifests behave so. */
export function withOwnApplication(setup: Setup, own: OwnBehaviours): Setup {
  const { start, stop, pull } = own.every;
  return {
    ...setup,
    application: { ...setup.application, own },
    delays: {
      ...setup.delays,
      applicationListens: exactly(start),
      applicationQuits: exactly(stop),
      imagePull: exactly(pull),
    },
  };
}

const exactly = (seconds: number): Delay => ({ seconds: [seconds, seconds], source: 'rehearse.application' });
