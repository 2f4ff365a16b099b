import type { Host } from '../../../../src/host/host.ts';

/** A program that containers of the embedded cluster really run; what all other containers hold is only modelled. */
export interface EmbeddedProgram {
  /** Whether the container of this specification holds it. */
  readonly isIn: (container: { readonly image: string; readonly args?: readonly string[] }) => boolean;
  /** Runs it, and resolves with its exit code. */
  readonly main: (process: ContainerProcess) => Promise<number>;
}

export interface ContainerProcess {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The zone of its node. */
  readonly zone: string;
  /** Time, requests, files, signals and output of the container. */
  readonly host: Host;
}
