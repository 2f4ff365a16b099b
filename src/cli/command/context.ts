import type { Host } from '../../host/host.ts';
import type { ValidationFact } from '../../validation/record/events.ts';

/** What every command is given: the host, the environment variables, and the global flags. */
export interface Context {
  readonly host: Host;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly flags: GlobalFlags;
  /** The two parts of `holdfast.yaml` from a caller in the same process, who has no such file. */
  readonly given?: { readonly validation?: object; readonly deployment?: object };
  /** Called with every fact of a run's journal as it is written. */
  readonly onFact?: (fact: ValidationFact) => void;
  /** Aborted by a caller in the same process: no further rehearsal begins. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Runs this program with other words on another host, as in a container of the embedded cluster; resolves with its
   * exit code.
   */
  readonly holdfast?: (host: Host, argv: readonly string[], environment: Context['environment']) => Promise<number>;
}
export interface GlobalFlags {
  readonly config?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Whether standard output, and standard error, get colours. */
  readonly color: boolean;
  readonly talkColor?: boolean;
}
