/** Everything outside the process. The product reaches the world through these members and nothing else. */
export interface Host {
  readonly clock: Clock;
  /** Random numbers in [0, 1) from a sub-stream of that name: one draw more in one stream changes no other. */
  readonly random: (stream: string) => () => number;
  readonly http: (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>;
  /** For protocols of one request and one answer on a connection of its own, such as FastCGI. */
  readonly exchange: (request: ExchangeRequest) => Promise<Uint8Array>;
  readonly probe: Probe;
  /** Rejects with the signal's reason when it is aborted first. */
  readonly load: (plan: LoadPlan, signal?: AbortSignal) => Promise<LoadResult>;
  readonly resolve: (query: DnsQuery) => Promise<DnsAnswer>;
  readonly run: (command: Command, options: RunOptions) => Promise<CommandResult>;
  readonly files: Files;
  /** Calls the listener at each of these signals, instead of the default action, until the returned function is called. */
  readonly onSignal: (names: readonly Signal[], listener: (name: Signal) => void) => () => void;
  /** What comes in from a person or a pipe. */
  readonly input: Input;
  /** Results. */
  readonly out: Output;
  /** Talk and progress. */
  readonly talk: Output;
}

export interface Clock {
  /** Wall-clock time, epoch milliseconds. A label, never a measure. */
  wallAt(): number;
  /** Monotonic time since an arbitrary origin. What intervals are measured with. */
  monotonicSeconds(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
  /** Real work under way (a file, a command): virtual time stands still until it ends. `what` names it in errors. */
  hold<T>(what: string, work: () => Promise<T>): Promise<T>;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Input {
  readonly isTTY: boolean;
  /** The next line without its end; undefined when there is none, or the signal came first. */
  line(signal?: AbortSignal): Promise<string | undefined>;
  /** Everything, piece by piece, until the end or the signal. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From start to the response's head; reading the body is bounded by the caller's signal. */
  readonly timeoutSeconds?: number;
  readonly tls?: TlsOptions;
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
  /** What `text` says as JSON, where it is at hand without a text. Nobody may write to it. */
  json?(): unknown;
  chunks(): AsyncIterable<Uint8Array>;
  /** Ends the connection without reading the body. */
  discard(): void;
}

export interface ExchangeRequest {
  /** A socket's path, or `host:port`. */
  readonly address: string;
  readonly bytes: Uint8Array;
  /** For the whole exchange. */
  readonly timeoutSeconds: number;
}

export type Probe = (target: Target, connection: ConnectionUse, timeoutSeconds: number) => Promise<Sample>;
export type ConnectionUse = 'new' | 'reused';
export interface Target {
  readonly url: string;
  /** The first line of the visible text has to begin with this; the sample says when it does not. */
  readonly body?: string;
}
export type ProbeError = 'dns' | 'refused' | 'connect' | 'reset' | 'tls' | 'timeout' | 'body';
/** One request of the downtime monitor. */
export interface Sample {
  /** When the request was started, wall clock, epoch milliseconds. */
  readonly at: number;
  /** 0 is curl's 000: no status. */
  readonly status: number;
  /** From start to the end of the body or to the failure. */
  readonly seconds: number;
  readonly connection: ConnectionUse;
  readonly error?: ProbeError;
  /** False when the target's `body` was asked for and not found. */
  readonly bodyMatched?: boolean;
  readonly phases: Phases;
}
/** Where the time went, in seconds; a phase that was not reached is absent. */
export interface Phases {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly firstByte?: number;
}

/** Many GETs: so many connections, each kept and with one request under way, until all are made (a closed loop). */
export interface LoadPlan {
  readonly url: string;
  readonly requests: number;
  readonly concurrency: number;
  /** For one request, the connection that it has to open included. */
  readonly timeoutSeconds: number;
}
/**
 * `closed`: a connection that was kept brought its end and no answer: the server had closed it, and the request met that on its way (RFC 9112,
 * section 9.5). `client`: this machine itself could not make the request (no port, no file descriptor). It says nothing of the target.
 */
export type LoadError = ProbeError | 'closed' | 'client';
/** Every request of the plan is counted once, under its status or its error: nothing is tried twice. */
export interface LoadResult {
  /** Wall clock, epoch milliseconds. */
  readonly startedAt: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: Readonly<Partial<Record<LoadError, number>>>;
  /** Of those with a status: how many took at most so long, and longer than the row before says. Opening a connection counts in its first. */
  readonly latency: readonly { readonly upToSeconds: number; readonly count: number }[];
  /** The longest time, of those with a status, that the slowest of this share of them took; all 0 when there is none. */
  readonly percentiles: Readonly<Record<'p50' | 'p90' | 'p99' | 'p999' | 'max', number>>;
}

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';
export interface DnsQuery {
  readonly name: string;
  readonly type: RecordType;
  /** `address` or `address:port` of the server to ask; the system's resolver without it. */
  readonly server?: string;
}
export interface DnsAnswer {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'NODATA' | 'SERVFAIL' | 'TIMEOUT';
  readonly records: readonly { readonly type: RecordType; readonly value: string; readonly ttlSeconds: number }[];
}

export type Command = readonly [program: string, ...args: string[]];
export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment of the child: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The child's file mode creation mask; ours without it. */
  readonly umask?: number;
  /** After it the whole process group is ended: SIGTERM, then SIGKILL. */
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
  /** Called once, when the child is running and before its end is awaited. */
  readonly started?: (child: { readonly pid: number }) => Promise<void>;
}
/** Expected trouble is a value: a program that is not there has `exitCode` 127, as in a shell. */
export interface CommandResult {
  /** 128 + n when the child was ended by signal n. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly timedOut: boolean;
}

export interface Files {
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /**
   * The file's bytes in large pieces, from that byte on; a piece is gone when the next one is asked for. A missing file is an
   * `OperationError`, and so is a device, a pipe or a socket.
   */
  chunks(path: string, fromByte?: number): AsyncIterable<Uint8Array>;
  /**
   * Opens for appending, making the file; a symbolic link in its place is refused. `synchronous` makes each write before the call returns and
   * syncs once, when the file is closed.
   */
  append(path: string, options?: { readonly mode?: number; readonly synchronous?: boolean }): Promise<Appender>;
  /** The whole file or nothing: written aside, synced, renamed, folder synced. A device, a pipe or a socket is refused, also behind a link. */
  replace(path: string, text: string, options?: { readonly mode?: number }): Promise<void>;
  /** Makes the file with this text, or says false when it is there already. Synced, folder too. */
  create(path: string, text: string, options?: { readonly mode?: number }): Promise<boolean>;
  makeFolder(path: string, options?: { readonly mode?: number }): Promise<void>;
  /** The names in the folder, sorted; a folder that is not there holds none. */
  list(path: string): Promise<readonly string[]>;
  /** Of the thing itself, not of what a symbolic link points to. Undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  realPath(path: string): Promise<string | undefined>;
  /** What a user without privileges may still use of the file system that holds the path; a system without a limit of files has an infinity of them. */
  freeSpace(path: string): Promise<FreeSpace>;
  /** Makes the path a symbolic link to the target: made aside and renamed, so that an old link is replaced in one step; folder synced. */
  link(path: string, target: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Renames it over what is there, as if it had just been written. Not synced: that is for whoever places many. */
  place(from: string, to: string): Promise<void>;
  /** A file, or a folder with all it holds; nothing there is fine. */
  remove(path: string): Promise<void>;
}
export interface Appender {
  /** One write of the whole text at the end of the file. */
  write(text: string): Promise<void>;
  /** Returns when what was written is on disk, and the folder's entry too. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
export interface FreeSpace {
  readonly bytes: number;
  readonly files: number;
}
export interface FileStat {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}
