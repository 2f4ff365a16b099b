import type { Host } from '../../host/host.ts';

/** What every command is given: the outside, the environment's variables, and the flags that all commands share. */
export interface Context {
  readonly host: Host;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly flags: GlobalFlags;
}
export interface GlobalFlags {
  readonly config?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}
