import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checks } from '../../../src/validation/checks/index.ts';
import type { Finding } from '../../../src/validation/finding.ts';
import { preCheck } from '../../../src/validation/procedure/pre-check.ts';
import type { Fault } from '../../cluster/api-host.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { checkedRun } from '../../support/checked.ts';

/** The findings of the pre-check, and how many seconds it takes. */
async function preChecked(at: ApiSite) {
  const began = at.it.clock.monotonicSeconds();
  const found: Finding[] = [];
  const stopping = await preCheck(checkedRun(at), {
    record: (fact) => {
      if (fact.type === 'check-finished') found.push(fact.finding);
    },
  });
  return { found, stopping, seconds: at.it.clock.monotonicSeconds() - began };
}

test('if the API server cannot be reached the pre-check ends after one check and its four attempts', () =>
  apiSite(async (at) => {
    at.it.fault = () => ({ kind: 'refused' });
    const { found, stopping, seconds } = await preChecked(at);
    assert.deepEqual(
      found.map(({ id, subject, observed }) => [id, subject, observed]),
      [['api-server', 'API server https://api.example', 'connection refused']],
    );
    assert.match(found[0]?.advice ?? '', /^See that the API server runs and can be reached from here/);
    assert.deepEqual(stopping, found);
    assert.equal(at.it.requests.length, 4);
    assert.ok(seconds < 4, String(seconds));
  }));

/** Without that of HTTPRoutes, of which none leads to this application. */
const everyCheck = checks.filter(({ ofRoute, ofOwner }) => !ofRoute && !ofOwner).length;

test('if the API server answers once every check is made, whatever it answers later', async () => {
  const faults: readonly Fault[] = [{ kind: 'answer', status: 503 }, { kind: 'hang' }];
  for (const first of faults)
    await apiSite(async (at) => {
      at.it.fault = ({ url }) => (url.includes('/services/') ? first : undefined);
      assert.equal((await preChecked(at)).found.length, everyCheck, first.kind);
    });
  await apiSite(async (at) => {
    at.it.fault = ({ url }) => (url.includes('/services/') ? undefined : { kind: 'refused' });
    assert.equal((await preChecked(at)).found.length, everyCheck, 'it was there a moment ago');
  });
});
