import type { OpenFile, UntrustedFile, UntrustedLimits } from './open-file.ts';
import type { Threads } from './thread.ts';

/** Everything outside the process. The product uses nothing else to reach it. */
export interface Host {
  readonly clock: Clock;
  /**
   * Random numbers in [0, 1) from the stream of that name. Each stream has its own sequence: drawing from one does not
   * change another.
   */
  readonly random: (stream: string) => () => number;
  readonly http: (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>;
  /** One request and one response on a connection of its own, as for FastCGI. */
  readonly exchange: (request: ExchangeRequest) => Promise<Uint8Array>;
  readonly probe: Probe;
  /**
   * Rejects with the signal's reason when it is aborted first. After `end` is aborted no request is made, and what was
   * counted until then is the result.
   */
  readonly load: (plan: LoadPlan, signal?: AbortSignal, end?: AbortSignal) => Promise<LoadTold>;
  readonly resolve: (query: DnsQuery) => Promise<DnsAnswer>;
  readonly run: (command: Command, options: RunOptions) => Promise<CommandResult>;
  readonly files: Files;
  /** Absent where all work is to be done in one thread. */
  readonly threads?: Threads;
  /** Calls the listener on these signals instead of the default action, until the returned function is called. */
  readonly onSignal: (names: readonly Signal[], listener: (name: Signal) => void) => () => void;
  /** Standard input: a person or a pipe. */
  readonly input: Input;
  /** Standard output: results. */
  readonly out: Output;
  /** Standard error: messages and progress. */
  readonly talk: Output;
}

export interface Clock {
  /** Wall-clock time, epoch milliseconds. For timestamps only: intervals are measured by the monotonic clock. */
  wallAt(): number;
  /** Seconds by which the machine's clock was set meanwhile. Absent where `wallAt` follows it. */
  setSeconds?(): number;
  /** Adopts the machine's clock as it is set now. Call between two runs. */
  followMachine?(): void;
  /** Monotonic time since an arbitrary origin, for measuring intervals. */
  monotonicSeconds(): number;
  /** For how long the machine has slept, while the monotonic clock stood still; absent if it never does. */
  asleepSeconds?(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
  /** Awaits real work (a file, a command), during which virtual time stands still. `what` names it in errors. */
  hold<T>(what: string, work: () => Promise<T>): Promise<T>;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Input {
  readonly isTTY: boolean;
  /** The next line without its end; undefined at the end of the input, or if the signal was aborted first. */
  line(signal?: AbortSignal): Promise<string | undefined>;
  /** The whole input, piece by piece, until its end or the signal. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface Output {
  /** Shows what would command a terminal too, but for colours. */
  write(text: string): void;
  /** As it is, to move the cursor: the texts in it were made visible before. */
  draw?(text: string): void;
  /** The same; rejects with an `OperationError` where it cannot be written, as when nobody reads it any more. */
  written?(text: string): Promise<void>;
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit from the start to the head of the response; the caller's signal bounds the reading of the body. */
  readonly timeoutSeconds?: number;
  readonly tls?: TlsOptions;
  /** The request is made as the probes make theirs, on a new connection, but with this method and these headers. */
  readonly asked?: Omit<Target, 'url'>;
  /** The forward proxy to go by; absent: the environment's, if it names one for this URL. */
  readonly proxy?: import('./environment-proxy.ts').ForwardProxy;
}
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}
/** Redirects are never followed. An answer of any status is a response; no answer is an `OperationError`. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  text(): Promise<string>;
  /** The body as a JSON value, present if it is known without parsing. It must not be changed. */
  json?(): unknown;
  chunks(): AsyncIterable<Uint8Array>;
  /** Ends the connection without reading the body. */
  discard(): void;
}

export interface ExchangeRequest {
  /** A socket's path, or `host:port`. */
  readonly address: string;
  readonly bytes: Uint8Array;
  /** Limit for the whole exchange. */
  readonly timeoutSeconds: number;
  /** Whether what was received is the whole response; absent: the other side's close is its end. */
  readonly isComplete?: (received: Uint8Array) => boolean;
  /** Ends the exchange when it is aborted, as its limit does. */
  readonly signal?: AbortSignal;
}

export type Probe = (target: Target, connection: ConnectionUse, timeoutSeconds: number) => Promise<Sample>;
export type ConnectionUse = 'new' | 'reused';
export type Target = import('./probe/target.ts').Target;
export type ProbeError = typeof import('./probe/probe-errors.ts').probeErrors[number];
/** One request of the downtime monitor. */
export interface Sample {
  /** When the request was started, wall clock, epoch milliseconds. */
  readonly at: number;
  /** 0 without a status, as curl's 000. */
  readonly status: number;
  /** From start to the end of the body or to the failure. */
  readonly seconds: number;
  readonly connection: ConnectionUse;
  readonly error?: ProbeError;
  /** With the error `tls` why the handshake failed, with `dns` the RCODE, `NODATA` or `timeout`. */
  readonly reason?: string;
  /** When the first certificate of chain and redirects ends, epoch ms; of a new connection by TLS. */
  readonly certificateEndsAt?: number;
  /** Whose that is, where it is not the server's own. */
  readonly certificateOf?: string;
  /** Absent if the target says nothing of the body; false if the response had another one. */
  readonly bodyMatched?: boolean;
  /** Of a body of more than 1 MiB the rest was not read. */
  readonly unread?: true;
  readonly phases: Phases;
}
/** Where the time went, in seconds; a phase that was not reached is absent. */
export interface Phases {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly firstByte?: number;
}

export type LoadPlan = import('./load/load-plan.ts').LoadPlan;
export type LoadError = import('./load/load-plan.ts').LoadError;
export type LoadResult = import('./load/load-plan.ts').LoadResult;
export type LoadCounted = import('./load/load-plan.ts').LoadCounted;
export type LoadTold = import('./load/load-plan.ts').LoadTold;

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';
export interface DnsQuery {
  readonly name: string;
  readonly type: RecordType;
  /** `address` or `address:port` of the server to ask; absent: the system's resolver. */
  readonly server?: string;
}
export interface DnsAnswer {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'NODATA' | 'SERVFAIL' | 'TIMEOUT';
  readonly records: readonly { readonly type: RecordType; readonly value: string; readonly ttlSeconds: number }[];
}

export type Command = import('./run-options.ts').Command;
export type RunOptions = import('./run-options.ts').RunOptions;
export type CommandResult = import('./run-options.ts').CommandResult;

export interface Files {
  /** Undefined if there is none. Only regular files of up to 256 MiB; what a person names may be a pipe of a shell. */
  read(path: string, options?: { readonly mayBePipe?: boolean }): Promise<string | undefined>;
  /** For a file that somebody else may have made. Undefined if there is none. */
  readUntrusted(path: string, limits: UntrustedLimits): Promise<UntrustedFile | undefined>;
  /**
   * The file's bytes from `fromByte` on, in large pieces; a piece is overwritten when the next one is read. A missing
   * file is an `OperationError`, and so is a device, a pipe or a socket.
   */
  chunks(path: string, fromByte?: number): AsyncIterable<Uint8Array>;
  /**
   * Opens the file for reading parts of it, in any order. A missing file is an `OperationError`, and so is a device, a
   * pipe or a socket.
   */
  open(path: string): Promise<OpenFile>;
  /**
   * Opens the file for appending, and creates it if it is missing; a symbolic link is refused. With `synchronous` each
   * write is made before the call returns, and the file is synced once, when it is closed.
   */
  append(path: string, options?: { readonly mode?: number; readonly synchronous?: boolean }): Promise<Appender>;
  /** Replaces the file atomically and durably. A device, a pipe or a socket is refused, also through a link. */
  replace(path: string, text: string, options?: NewFileOptions): Promise<void>;
  replaceBytes(path: string, bytes: Uint8Array, options?: NewFileOptions): Promise<void>;
  /** Creates the file with this text; false if it already exists. File and folder are synced. */
  create(path: string, text: string, options?: NewFileOptions): Promise<boolean>;
  makeFolder(path: string, options?: { readonly mode?: number }): Promise<void>;
  /** The names in the folder, sorted; empty for a missing folder. */
  list(path: string): Promise<readonly string[]>;
  /** As lstat(2): a symbolic link is not followed. Undefined if there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  realPath(path: string): Promise<string | undefined>;
  /** What an unprivileged user may still use in the path's file system; Infinity for files without a limit. */
  freeSpace(path: string): Promise<FreeSpace>;
  /** Makes the path a symbolic link to the target, atomically and durably; replaces an old link. */
  link(path: string, target: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /**
   * Renames the file over the target with the current time as its mtime. Not synced: the caller syncs once for many
   * files.
   */
  place(from: string, to: string): Promise<void>;
  setModifiedAt(path: string, at: number): Promise<void>;
  /** As chmod(2), but a symbolic link is refused. */
  setMode(path: string, mode: number): Promise<void>;
  truncate(path: string, bytes: number): Promise<void>;
  /** Removes a file, or a folder with everything in it; a missing one is no error. */
  remove(path: string): Promise<void>;
}
export interface NewFileOptions {
  /** Less what the umask takes away. */
  readonly mode?: number;
  /** Its time of modification, epoch milliseconds; absent: now. */
  readonly modifiedAt?: number;
}
export interface Appender {
  /** Appends the whole text with one write(2). */
  write(text: string): Promise<void>;
  /** Resolves when everything written is on disk, and the folder's entry too. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
export interface FreeSpace {
  readonly bytes: number;
  readonly files: number;
}
export interface FileStat {
  /** Of the file whatever its name; absent where nothing else can take its name. */
  readonly id?: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}
