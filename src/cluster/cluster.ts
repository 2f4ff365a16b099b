import type { Eviction, StatusDetails } from '@holdfast/embedded-cluster';
import { OperationError } from '../host/errors.ts';
import { oneLine } from '../host/visible.ts';

export type {
  ApplyOptions,
  Change,
  Cluster,
  DeleteOptions,
  Eviction,
  JsonPatchOperation,
  NamespacedName,
  Patch,
  PatchOptions,
  PodIdentity,
  Selectors,
  StatusCause,
  StatusDetails,
} from '@holdfast/embedded-cluster';

/** The API server refused a request, with the parts of its Status object. */
export class ApiError extends OperationError {
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
    readonly next?: string;
  }) {
    const { tried, on, next } = at;
    const reason = oneLine(`${at.status} ${at.reason}: ${at.message}`);
    super({ tried, on, reason, ...(next === undefined ? {} : { next }) });
    this.status = at.status;
    this.reason = at.reason;
    this.answer = at.message;
    this.details = at.details;
  }
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
