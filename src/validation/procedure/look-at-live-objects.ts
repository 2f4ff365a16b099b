import { audit } from '../audit/audit.ts';
import { readAudited } from '../audit/read-audited.ts';
import type { Finding } from '../finding.ts';
import { livePoolFindings } from '../manifests/pool-conformance.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import type { Run } from './run.ts';

/** What phase 3 left, against the specification: the pool field by field, and the application by the requirements of 4.2. Journaled. */
export async function lookAtLiveObjects({ site, settings, journal }: Run): Promise<void> {
  const { pool, claims } = await readSnapshot(site.cluster, settings);
  const audited = await readAudited(site.cluster, settings);
  const findings = [
    ...(pool === undefined ? [] : livePoolFindings(pool, settings, claims.length)),
    ...(audited === undefined ? [] : asSeen(audit(audited).findings)),
    ...probeTimeout(settings),
  ];
  for (const finding of findings) journal.record({ type: 'check-finished', mandatory: false, finding });
}

/** Here nothing stops: a requirement that is missed is why a criterion may be missed. What is as it should be is said once, by count. */
function asSeen(findings: readonly Finding[]): readonly Finding[] {
  const met = findings.filter(({ severity }) => severity === 'info');
  const others = findings.filter(({ id, severity }) => severity !== 'info' && !beside.has(id));
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

/** True of every such cluster, and no reason for anything that a run may see. */
const beside: ReadonlySet<string> = new Set(['ingress-retired']);

/** ingress-nginx gives up a dead pod after 5 s and asks another (facts S12): a probe that gives up sooner calls every such request lost. */
const upstreamTimeoutSeconds = 5;

function probeTimeout({ monitor }: Settings): readonly Finding[] {
  if (monitor.timeout > upstreamTimeoutSeconds) return [];
  return [
    {
      id: 'probe-timeout',
      severity: 'warning',
      subject: 'downtime monitor',
      expected: `a timeout of more than ${upstreamTimeoutSeconds} s, ingress-nginx’ proxy-connect-timeout`,
      observed: `${monitor.timeout} s`,
      advice: 'set validation.monitor.timeout to 10s: requests that the ingress controller saves are counted as failed',
    },
  ];
}
