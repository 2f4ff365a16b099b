import { applicationName, type Named } from '../applications.ts';
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
    const isOfAll = of.length === names.length;
    return isOfAll || of.every((each) => tells(one.finding, each))
      ? [one.finding]
      : [withNames(one.finding, of, names)];
  });
}

const namedIn = ({ application: { workload }, settings }: Audited): Named => ({
  kind: workload.kind,
  namespace: workload.metadata.namespace ?? settings.namespace,
  name: workload.metadata.name,
});

/** `Deployment default/shop`. */
const tells = ({ subject }: Finding, { name }: Named): boolean => subject.split(/[ /,:]/).includes(name);

const withNames = (finding: Finding, of: readonly Named[], among: readonly Named[]): Finding => ({
  ...finding,
  subject: `${of.map((one) => applicationName(one, among)).join(', ')}: ${finding.subject}`,
});
