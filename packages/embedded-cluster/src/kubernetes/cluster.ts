import type { Kind, Kinds, Resource } from './kinds.ts';

/** The requests of a client to Kubernetes. Each member is one request, or a bounded number of them. */
export interface Cluster {
  get<K extends Kind>(kind: K, at: NamespacedName): Promise<Kinds[K] | undefined>;
  list<K extends Kind>(kind: K, where?: Selectors): Promise<readonly Kinds[K][]>;
  create<R extends Resource>(resource: R): Promise<R>;
  /** Server-side apply; a field of another manager is a 409 `ApiError` unless forced. */
  apply<R extends Resource>(resource: R, options: ApplyOptions): Promise<R>;
  patch<K extends Kind>(kind: K, at: NamespacedName, patch: Patch, options?: PatchOptions): Promise<Kinds[K]>;
  /** `gone` if there was no such object; a failed precondition is a 409 `ApiError`. */
  delete(kind: Kind, at: NamespacedName, options?: DeleteOptions): Promise<'deleted' | 'gone'>;
  /** The Eviction subresource, policy/v1. */
  evict(pod: PodIdentity, options?: { readonly dryRun?: boolean }): Promise<Eviction>;
  /**
   * Every object as `added`, then `synced`, then every change until the signal is aborted; lists again by itself where
   * it must. Once the server was silent for 35 seconds `onGap` is called with the time (epoch milliseconds) up to which
   * the changes are complete; `synced` is emitted again when the server answers.
   */
  watch<K extends Kind>(
    kind: K,
    where: Selectors,
    signal: AbortSignal,
    onGap?: (sinceAt: number) => void,
  ): AsyncIterable<Change<K>>;
}

export interface NamespacedName {
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
}
export interface Selectors {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** `app=nginx-test,role=web`. */
  readonly labelSelector?: string;
  /** `spec.nodeName=ip-10-0-0-1`, `metadata.name=x`. */
  readonly fieldSelector?: string;
}
export interface ApplyOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}
export type Patch =
  | { readonly type: 'merge' | 'strategic'; readonly value: unknown }
  | { readonly type: 'json'; readonly value: readonly JsonPatchOperation[] };
/** RFC 6902. */
export interface JsonPatchOperation {
  readonly op: 'test' | 'add' | 'replace' | 'remove' | 'copy' | 'move';
  readonly path: string;
  /** Of `copy` and `move`. */
  readonly from?: string;
  readonly value?: unknown;
}
export interface PatchOptions {
  readonly subresource?: 'status' | 'scale';
  readonly dryRun?: boolean;
}
export interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly gracePeriodSeconds?: number;
  /** What happens to its dependents; `Background` if absent. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly dryRun?: boolean;
}
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}
/**
 * `refused` is a 429 (a budget), a 500 (two budgets) or a 403 (the namespace terminates); `cause` is the server's own
 * text.
 */
export type Eviction =
  | { readonly outcome: 'evicted' | 'gone' }
  | { readonly outcome: 'refused'; readonly status: number; readonly cause: string };
export type Change<K extends Kind = Kind> = K extends Kind
  ?
      | { readonly type: 'added' | 'modified' | 'deleted'; readonly kind: K; readonly object: Kinds[K] }
      | { readonly type: 'synced'; readonly kind: K }
  : never;

/** The API server refuses a request, with the parts of its Status object. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly reason: string;
  /** The Status object's `message`. */
  readonly answer: string;
  readonly details: StatusDetails | undefined;
  constructor(at: {
    readonly tried: string;
    readonly on: string;
    readonly status: number;
    readonly reason: string;
    readonly message: string;
    readonly details?: StatusDetails;
  }) {
    super(`${at.tried} ${at.on}: ${at.status} ${at.reason}: ${at.message}`);
    this.status = at.status;
    this.reason = at.reason;
    this.answer = at.message;
    this.details = at.details;
  }
}
/** meta/v1 StatusDetails. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/**
 * The outcome of an eviction that failed; throws the error again if it says nothing about this pod. A pod with another
 * uid counts as gone.
 */
export function evictionRefused(error: unknown): Eviction {
  if (!(error instanceof ApiError)) throw error;
  const { status, reason, details, answer } = error;
  if (status === 404 || (status === 409 && anotherUid.test(answer))) return { outcome: 'gone' };
  const cause = details?.causes?.find(({ reason: of = '' }) => evictionCauses.has(of));
  const twoBudgets = status === 500 && reason !== 'InternalError';
  if (cause === undefined && !twoBudgets) throw error;
  return { outcome: 'refused', status, cause: cause?.message ?? answer };
}

/**
 * The message of a failed uid precondition: by the eviction (kubernetes: registry/core/pod/storage/eviction.go,
 * registry/rest/delete.go) and by the storage.
 */
const anotherUid = /UID in (the )?precondition/;
/** kubectl drain retries after both (docs/facts/kubernetes.md). */
const evictionCauses = new Set(['DisruptionBudget', 'NamespaceTerminating']);
