export type Command = readonly [program: string, ...args: string[]];
export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The child's umask; absent: ours. */
  readonly umask?: number;
  /** After this time the whole process group gets SIGTERM, then SIGKILL. */
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
  /** The output is for a log: of more than 4 MiB only the beginning and the end are kept. */
  readonly isForLog?: true;
  /** Another limit of an answer than 256 MiB. */
  readonly mostAnswerBytes?: number;
  /** Called once, after the start of the child and before its end is awaited. */
  readonly started?: (child: { readonly pid: number }) => Promise<void>;
}
/** Failures are values: a missing program has `exitCode` 127, as in a shell. */
export interface CommandResult {
  /** 128 + n if signal n ended the child. */
  readonly exitCode: number;
  /**
   * Whole, unless it is for a log. A longer answer than the limit is no result but an `OperationError`: nobody goes on
   * with a part of a list.
   */
  readonly stdout: string;
  /** Of more than 4 MiB only the beginning and the end are kept. */
  readonly stderr: string;
  readonly seconds: number;
  readonly timedOut: boolean;
}
