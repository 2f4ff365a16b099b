import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsFailure } from '../../../src/validation/scenarios/dns-failure.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { rehearse } from '../../support/rehearse.ts';

test('the embedded cluster has the parts under the names of the settings', async (t) => {
  const settings = validationSchema.parse({
    url: 'http://www.shop.acme.io/',
    namespace: 'web',
    application: 'shop',
    disruptionBudget: 'shop',
    nodePool: { name: 'arm', role: 'shop', nodeClass: { name: 'arm64' } },
    ingressController: { namespace: 'edge', selector: 'app=nginx, tier=edge', service: 'nginx' },
    dnsAutomation: { namespace: 'edge', selector: 'app=dns' },
    autoscaler: { namespace: 'karpenter', selector: 'app=karpenter' },
    loadBalancerDomain: 'elb.example',
    dns: { zone: 'acme.io', ttl: '60s' },
  });
  const { result } = await rehearse(t, { settings });
  const failed = result.findings.filter(({ severity }) => severity === 'error');
  assert.deepEqual(failed, []);
  assert.deepEqual(
    result.criteria.map(({ outcome }) => outcome),
    Array(6).fill('met'),
  );
  assert.equal(result.verdict, 'pass');
});

test('a name outside the zone of the settings resolves, but its record is not deleted', async (t) => {
  const settings = validationSchema.parse({ url: 'http://www.acme.io/' });
  const { result } = await rehearse(t, { settings, scenarios: [singleReplica, dnsFailure] });
  const verdictOf = (name: string) => result.scenarios.find((one) => one.name === name)?.verdict;
  assert.deepEqual([verdictOf('single-replica'), verdictOf('dns-failure')], ['pass', 'inconclusive']);
});
