import type { DataPlane } from '../data-plane/data-plane.ts';
import type { Clock } from '../outside/clock.ts';
import type { RandomStreams } from '../outside/random.ts';

/** A program that containers of the cluster really run; what all other containers hold is only modelled. */
export interface ContainerProgram {
  /** Whether the container of this specification holds it. */
  readonly isIn: (container: { readonly image: string; readonly args?: readonly string[] }) => boolean;
  /** Runs it, and resolves with its exit code. */
  readonly main: (process: ContainerProcess) => Promise<number>;
}

/** A process in a container: what it is started with, and what it has there. */
export interface ContainerProcess extends Pick<DataPlane, 'get' | 'resolve'> {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The zone of its node. */
  readonly zone: string;
  readonly clock: Clock;
  readonly random: RandomStreams;
  /** Aborted when the kubelet sends SIGTERM. */
  readonly stop: AbortSignal;
  /** Writes to the log of the container. */
  readonly write: (text: string) => void;
  /** The text of a file of a downward API volume, as the kubelet has written it last; undefined for any other path. */
  readonly volumeFile: (path: string) => string | undefined;
  /** Writes the container's termination message. */
  readonly endWith: (message: string) => void;
  /** False once the container has ended: nothing of the process may happen any more. */
  readonly isAlive: () => boolean;
}
