import type { Delay } from '../time/delays.ts';
import type { Setup } from './setup.ts';

/** What manifests do not say of an application; times in seconds. */
export interface OwnBehaviour {
  /** From the container's start to the listening socket. */
  readonly start: number;
  /** From SIGTERM to the exit. */
  readonly stop: number;
  /** The pull of its image on a new node. */
  readonly pull: number;
  /** Whether it ends on SIGTERM. */
  readonly sigterm: boolean;
  /** Whether it still answers between SIGTERM and its exit. */
  readonly answers: boolean;
}

/** The setup in which the containers of somebody's own manifests behave so. */
export function withOwnApplication(setup: Setup, { start, stop, pull, sigterm, answers }: OwnBehaviour): Setup {
  return {
    ...setup,
    application: {
      ...setup.application,
      isOwn: true,
      onSigterm: sigterm ? (answers ? 'answers' : 'closes') : 'ignores',
    },
    delays: {
      ...setup.delays,
      applicationListens: exactly(start),
      applicationQuits: exactly(stop),
      imagePull: exactly(pull),
    },
  };
}

const exactly = (seconds: number): Delay => ({ seconds: [seconds, seconds], source: 'rehearse.application' });
