import assert from 'node:assert/strict';
import { type Check, type CheckedRun, runCheck } from '../../src/validation/checks/check.ts';
import type { Finding } from '../../src/validation/finding.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import type { Settings } from '../../src/validation/settings.ts';
import type { ApiSite } from './api-site.ts';
import { settings } from './measured.ts';

/** A run of all ten scenarios. */
export const checkedRun = ({ site }: ApiSite, over: Partial<Settings> = {}): CheckedRun => ({
  site,
  settings: { ...settings, ...over },
  scenarios,
  cleanup: false,
  holder: 'this run',
});

export const findingOf = (check: Check, at: ApiSite, over: Partial<Settings> = {}): Promise<Finding> =>
  runCheck(check, checkedRun(at, over));

/** The check is met. */
export async function fine(check: Check, at: ApiSite, observed: RegExp, over: Partial<Settings> = {}): Promise<void> {
  const finding = await findingOf(check, at, over);
  assert.equal(finding.severity, 'info', finding.observed);
  assert.match(finding.observed, observed);
  assert.equal(finding.advice, '');
}

/** The check is not met: the finding names the object, what was observed, and what to do. */
export async function wrong(
  check: Check,
  at: ApiSite,
  subject: RegExp,
  observed: RegExp,
  over: Partial<Settings> = {},
): Promise<void> {
  const finding = await findingOf(check, at, over);
  assert.equal(finding.severity, 'error', `${finding.subject}: ${finding.observed}`);
  assert.match(`${finding.subject}: ${finding.observed}`, subject);
  assert.match(finding.observed, observed);
  assert.ok(finding.expected.length > 0 && finding.advice.length > 0);
}
