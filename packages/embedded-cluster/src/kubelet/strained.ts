import type { ContainerProbe, Container as ContainerSpec } from '../kubernetes/specs.ts';
import type { Container, InARow, Strain } from '../machines/containers.ts';
import { nthProbe, startedAt } from './probes.ts';

/**
 * What the probes up to an instant have found, and when the next one is due, epoch milliseconds; without `strain`
 * nothing is left of it.
 */
export interface Probed {
  readonly strain?: Strain;
  readonly isDead?: true;
  readonly nextAt?: number;
}

/** A container under strain, as its kubelet looks at it. */
interface Strained {
  readonly container: Container & { readonly strain: Strain };
  readonly spec: ContainerSpec;
  readonly at: number;
  /** How long a request would wait now. */
  readonly waitSeconds: number;
}

/**
 * A container whose requests wait answers its kubelet's requests as late: a probe by HTTP fails if it would wait longer
 * than `timeoutSeconds` (Kubernetes, "Configure Liveness, Readiness and Startup Probes").
 */
export function probedUnderStrain(one: Strained): Probed {
  const { container, spec, at, waitSeconds } = one;
  const { readinessProbe, livenessProbe } = spec;
  const readiness = counted(one, readinessProbe, container.strain.readiness);
  const liveness = counted(one, livenessProbe, container.strain.liveness);
  if (liveness.failures >= failureThreshold(livenessProbe)) return { isDead: true };
  const unreadySince = unready(one, readiness);
  const nextAt = Math.min(nextProbe(one, readinessProbe, at), nextProbe(one, livenessProbe, at));
  const isOver = waitSeconds === 0 && readiness.failures + liveness.failures === 0 && unreadySince === undefined;
  if (isOver || !Number.isFinite(nextAt)) return {};
  const strain = { countedUntil: at, readiness, liveness, ...(unreadySince === undefined ? {} : { unreadySince }) };
  return { strain, nextAt };
}

const failureThreshold = (probe: ContainerProbe | undefined): number => probe?.failureThreshold ?? 3;

/** Since when it is not ready because of its waiting requests. */
function unready({ container: { strain }, spec: { readinessProbe }, at }: Strained, found: InARow): number | undefined {
  if (strain.unreadySince === undefined) return found.failures >= failureThreshold(readinessProbe) ? at : undefined;
  return found.successes >= (readinessProbe?.successThreshold ?? 1) ? undefined : strain.unreadySince;
}

function counted(one: Strained, probe: ContainerProbe | undefined, before: InARow): InARow {
  const { container, at, waitSeconds } = one;
  if (nextProbe(one, probe, container.strain.countedUntil) > at) return before;
  const isLate = waitSeconds > (probe?.timeoutSeconds ?? 1);
  return isLate ? { failures: before.failures + 1, successes: 0 } : { failures: 0, successes: before.successes + 1 };
}

/** The first one after that instant; only a probe by HTTP waits for the program. */
function nextProbe({ container, spec }: Strained, probe: ContainerProbe | undefined, after: number): number {
  if (probe?.httpGet === undefined) return Number.POSITIVE_INFINITY;
  return nthProbe({ ...container, seenAt: startedAt(container, spec) }, probe, after + 1, 1);
}
