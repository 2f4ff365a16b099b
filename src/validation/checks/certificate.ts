import { endsSoon, endText, shortSeconds } from '../../host/probe/certificate-watch.ts';
import type { Finding } from '../finding.ts';
import { probedTarget } from '../observe/probed-target.ts';
import { asExpected, type Check, type CheckedRun, notAsExpected } from './check.ts';

/** Long enough for a handshake; the application may not be there yet. */
const timeoutSeconds = 10;
const days = shortSeconds / (24 * 3600);

/** The certificate that visitors are shown does not end soon: a run says nothing of the day after it. */
export const certificate: Check = { name: 'certificate', mandatory: false, look: lookAtCertificate };

/** The same at any later moment: before phase 3 nothing may answer there. */
export async function lookAtCertificate({ site, settings }: Pick<CheckedRun, 'site' | 'settings'>): Promise<Finding> {
  const assertion = {
    id: 'certificate',
    subject: settings.url,
    expected: `its certificate ends in ${days} days or later`,
  };
  if (!settings.url.startsWith('https:')) return asExpected(assertion, 'no certificate, because the URL is http');
  const { at, certificateEndsAt: endsAt } = await site.host.probe(
    await probedTarget(site.host, settings),
    'new',
    timeoutSeconds,
  );
  if (endsAt === undefined) return asExpected(assertion, 'none was shown: nothing answers there yet');
  const observed = `it ${endText(endsAt, at)}`;
  if (!endsSoon(endsAt, at)) return asExpected(assertion, observed);
  return notAsExpected(assertion, observed, 'renew it, and see why that was not done by itself', 'warning');
}
