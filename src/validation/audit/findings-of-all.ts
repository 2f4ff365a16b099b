import { findingOfSome, type Named } from '../applications.ts';
import type { Finding } from '../finding.ts';
import type { AuditResult } from './audit.ts';
import type { Audited } from './audited.ts';

/**
 * The findings of several audits. Each finding names its application, unless its subject does. A finding that is the
 * same for all, such as one about their ingress controller, is listed once.
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
