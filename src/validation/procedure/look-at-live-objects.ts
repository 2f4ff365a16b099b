import type { Journal } from '../../journal/journal.ts';
import { audit } from '../audit/audit.ts';
import { readAudited } from '../audit/read-audited.ts';
import { lookAtCertificate } from '../checks/certificate.ts';
import type { Finding } from '../finding.ts';
import { poolConformance } from '../manifests/pool-conformance.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import type { ValidationFact } from '../record/events.ts';
import { appliesApplication, type Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/**
 * Records how the live objects compare with the specification after phase 3: the node pool field by field (2.1, 2.2),
 * the application by the requirements of 4.2, and the certificate that it shows. These findings stop nothing.
 */
export async function lookAtLiveObjects(
  site: Site,
  settings: Settings,
  journal: Pick<Journal<ValidationFact>, 'record'>,
): Promise<void> {
  const { cluster } = site;
  const { pool, claims } = await readSnapshot(cluster, settings);
  const audited = await readAudited(cluster, settings);
  const findings = [
    ...(pool === undefined ? [] : poolConformance(pool, settings, claims.length)),
    ...(audited === undefined ? [] : withoutErrors(audit(audited).findings)),
    ...probeTimeout(settings),
    ...(await endingCertificate(site, settings)),
  ];
  for (const finding of findings) journal.record({ type: 'check-finished', mandatory: false, finding });
}

/**
 * Looks at the certificate of an application that phase 3 applied; the pre-check has looked at one that existed before.
 */
async function endingCertificate(site: Site, settings: Settings): Promise<readonly Finding[]> {
  if (!appliesApplication(settings)) return [];
  const finding = await lookAtCertificate({ site, settings });
  return finding.severity === 'warning' ? [finding] : [];
}

/**
 * A missed requirement is a warning here, because it explains why a criterion may be missed; the met ones become one
 * finding.
 */
function withoutErrors(findings: readonly Finding[]): readonly Finding[] {
  const met = findings.filter(({ severity }) => severity === 'info');
  const others = findings.filter(({ id, severity }) => severity !== 'info' && !irrelevant.has(id));
  const summary: Finding = {
    id: 'audit',
    severity: 'info',
    subject: 'application and ingress controller',
    expected: 'the requirements for real zero downtime (4.2)',
    observed: `met: ${met.map(({ id }) => id).join(', ')}`,
    advice: '',
  };
  return [summary, ...others.map((finding) => ({ ...finding, severity: 'warning' as const }))];
}

/** Rules that explain no result of a run: the retirement of ingress-nginx is the same for every cluster that has it. */
const irrelevant: ReadonlySet<string> = new Set(['ingress-retired']);

/**
 * ingress-nginx tries another pod after `proxy-connect-timeout` (docs/facts/ingress-nginx.md, "Tries and time limits").
 */
const connectTimeoutSeconds = 5;

function probeTimeout({ monitor }: Settings): readonly Finding[] {
  if (monitor.timeout > connectTimeoutSeconds) return [];
  return [
    {
      id: 'probe-timeout',
      severity: 'warning',
      subject: 'downtime monitor',
      expected: `a timeout of more than ${connectTimeoutSeconds} s, ingress-nginx’ proxy-connect-timeout`,
      observed: `${monitor.timeout} s`,
      advice: 'set validation.monitor.timeout to 10s: requests that the ingress controller saves are counted as failed',
    },
  ];
}
