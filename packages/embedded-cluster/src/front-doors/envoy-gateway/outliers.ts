import type { Address } from '../../data-plane/endpoint-propagation.ts';
import type { DoorPolicy } from '../policy.ts';

/** What one Envoy counts of the answers of an endpoint (Envoy, "Outlier detection"). */
interface Health {
  failures: number;
  ejections: number;
  /** Epoch milliseconds. */
  ejectedUntil: number;
}

export type Outliers = Map<string, Health>;

/** Of Envoy Gateway, where a policy asks for passive health checks (api/v1alpha1/healthcheck_types.go). */
const usual = { ejectionSeconds: 30, mostPercent: 10 };

/** The endpoints that may be asked: all of them where fewer than half are left (`healthy_panic_threshold`). */
export function notEjected(outliers: Outliers, addresses: readonly Address[], at: number): readonly Address[] {
  const left = addresses.filter(({ address }) => at >= (outliers.get(address)?.ejectedUntil ?? 0));
  return 2 * left.length < addresses.length ? addresses : left;
}

/**
 * Counts an answer. An endpoint is taken out only where that keeps within the share of them that may be out, so that
 * with the default of 10 % none of fewer than ten ever is (Envoy, `max_ejection_percent`).
 */
export function count(
  outliers: Outliers,
  { consecutiveErrors, ejectionSeconds = usual.ejectionSeconds, mostEjectedPercent = usual.mostPercent }: DoorPolicy,
  { address, isFailure, of, at }: { readonly address: string; isFailure: boolean; of: number; at: number },
): void {
  if (consecutiveErrors === undefined) return;
  const health = outliers.get(address) ?? { failures: 0, ejections: 0, ejectedUntil: 0 };
  outliers.set(address, health);
  health.failures = isFailure ? health.failures + 1 : 0;
  if (health.failures < consecutiveErrors || at < health.ejectedUntil) return;
  const out = [...outliers.values()].filter(({ ejectedUntil }) => at < ejectedUntil).length;
  if ((100 * (out + 1)) / of > mostEjectedPercent) return;
  health.failures = 0;
  health.ejections += 1;
  health.ejectedUntil = at + 1000 * ejectionSeconds * health.ejections;
}
