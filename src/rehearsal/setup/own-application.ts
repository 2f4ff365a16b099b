import type { Delay } from '../time/delays.ts';
import type { Setup } from './setup.ts';

/** What manifests do not say of an application; seconds. */
export interface OwnBehaviour {
  /** From the container's start to the listening socket. */
  readonly start: number;
  /** From SIGTERM to the exit. */
  readonly stop: number;
  /** The pull of its image on a new node. */
  readonly pull: number;
}

/** The setup in which the containers of somebody's own manifests behave so. */
export function withOwnApplication(setup: Setup, { start, stop, pull }: OwnBehaviour): Setup {
  return {
    ...setup,
    application: { ...setup.application, isOwn: true },
    delays: {
      ...setup.delays,
      applicationListens: exactly(start),
      applicationQuits: exactly(stop),
      imagePull: exactly(pull),
    },
  };
}

const exactly = (seconds: number): Delay => ({ seconds: [seconds, seconds], source: 'rehearse.application' });
