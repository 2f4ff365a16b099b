import { findingOfSome, type Named } from '../applications.ts';
import type { Finding } from '../finding.ts';
import type { AuditResult } from './audit.ts';
import type { Audited } from './audited.ts';

/**
 * What the audits of several applications found: each finding says whose it is, unless its subject does, and one that is the same for all of them, as
 * of the ingress controller before them, is said once.
 */
export function findingsOfAll(audited: readonly Audited[], results: readonly AuditResult[]): readonly Finding[] {
  const names = audited.map(namedIn);
  const found = results.flatMap(({ findings }, index) =>
    findings.map((finding) => ({ finding, of: names[index] as Named })),
  );
  const alike = [...Map.groupBy(found, ({ finding }) => JSON.stringify(finding)).values()];
  return alike.flatMap((those) => {
    const [one] = those;
    if (one === undefined) return [];
    const of = [...new Set(those.map((each) => each.of))];
    return [of.length === names.length ? one.finding : findingOfSome(one.finding, of, names)];
  });
}

const namedIn = ({ application: { workload }, settings }: Audited): Named => ({
  kind: workload.kind,
  namespace: workload.metadata.namespace ?? settings.namespace,
  name: workload.metadata.name,
});
