import { OperationError } from '../host/errors.ts';
import type { Kind, Kinds, Resource } from './kinds.ts';

/** What is done to Kubernetes, and no more. Every member is one request of the API, or a bounded number of them. */
export interface Cluster {
  get<K extends Kind>(kind: K, at: NamespacedName): Promise<Kinds[K] | undefined>;
  list<K extends Kind>(kind: K, where?: Selectors): Promise<readonly Kinds[K][]>;
  create<R extends Resource>(resource: R): Promise<R>;
  /** Server-side apply; a field that another manager owns is a 409 `ApiError` unless forced. */
  apply<R extends Resource>(resource: R, options: ApplyOptions): Promise<R>;
  patch<K extends Kind>(kind: K, at: NamespacedName, patch: Patch, options?: PatchOptions): Promise<Kinds[K]>;
  /** `gone` when there was nothing; a precondition that fails is a 409 `ApiError`. */
  delete(kind: Kind, at: NamespacedName, options?: DeleteOptions): Promise<'deleted' | 'gone'>;
  /** The Eviction subresource, policy/v1. */
  evict(pod: PodIdentity, options?: { readonly dryRun?: boolean }): Promise<Eviction>;
  /**
   * First every object as `added`, then `synced`, then changes for ever: relists by itself when the server forgets or falls silent. `lost`
   * hears since when (epoch milliseconds) nothing was told, once the server was silent for 35 seconds; `synced` comes again when it is over.
   */
  watch<K extends Kind>(
    kind: K,
    where: Selectors,
    signal: AbortSignal,
    lost?: (sinceAt: number) => void,
  ): AsyncIterable<Change<K>>;
}

export interface NamespacedName {
  readonly name: string;
  /** Absent for kinds that have none. */
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
  readonly op: 'test' | 'add' | 'replace' | 'remove';
  readonly path: string;
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
  /** What becomes of what it owns; `Background` when not said. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly dryRun?: boolean;
}
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}
/** `refused` is the server's 429 (a budget), 500 (two budgets) or 403 (the namespace is going), with its cause in its own words. */
export type Eviction =
  | { readonly outcome: 'evicted' | 'gone' }
  | { readonly outcome: 'refused'; readonly status: number; readonly cause: string };
export type Change<K extends Kind = Kind> = K extends Kind
  ?
      | { readonly type: 'added' | 'modified' | 'deleted'; readonly kind: K; readonly object: Kinds[K] }
      | { readonly type: 'synced'; readonly kind: K }
  : never;

/** The API server refused: the Status object's own words. */
export class ApiError extends OperationError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly reason: string;
  /** The Status object's `message` alone. */
  readonly answer: string;
  readonly details: StatusDetails | undefined;
  constructor(at: {
    readonly tried: string;
    readonly on: string;
    readonly status: number;
    readonly reason: string;
    readonly message: string;
    readonly details?: StatusDetails;
    readonly next?: string;
  }) {
    const { tried, on, next } = at;
    const reason = `${at.status} ${at.reason}: ${at.message}`;
    super({ tried, on, reason, ...(next === undefined ? {} : { next }) });
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

/** What a refused eviction means; throws again what is no answer about this pod. A pod of another uid is not the one that was meant. */
export function evictionRefused(error: unknown): Eviction {
  if (!(error instanceof ApiError)) throw error;
  const { status, reason, details, answer } = error;
  if (status === 404 || (status === 409 && anotherUid.test(answer))) return { outcome: 'gone' };
  const cause = details?.causes?.find(({ reason: of = '' }) => evictionCauses.has(of));
  const twoBudgets = status === 500 && reason !== 'InternalError';
  if (cause === undefined && !twoBudgets) throw error;
  return { outcome: 'refused', status, cause: cause?.message ?? answer };
}

/** As the eviction itself says it (registry/core/pod/storage/eviction.go, registry/rest/delete.go), and as the storage does below it. */
const anotherUid = /UID in (the )?precondition/;
/** kubectl asks again after both (facts 3.2). */
const evictionCauses = new Set(['DisruptionBudget', 'NamespaceTerminating']);
