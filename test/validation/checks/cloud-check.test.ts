import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aws } from '../../../src/cloud/aws/aws.ts';
import type { Cloud } from '../../../src/cloud/cloud.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { Node } from '../../../src/cluster/resources.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { type Check, runCheck } from '../../../src/validation/checks/check.ts';
import { cloudInstances } from '../../../src/validation/checks/cloud-instances.ts';
import { cloudZone } from '../../../src/validation/checks/cloud-zone.ts';
import type { Finding } from '../../../src/validation/finding.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import type { Settings } from '../../../src/validation/settings.ts';
import { type CloudSite, cloudSite } from '../../support/cloud-site.ts';
import { settings } from '../../support/measured.ts';
import { poolNode } from '../../support/objects.ts';

interface Around {
  /** Null for none. */
  readonly cloud?: Cloud | null;
  readonly nodes?: readonly Node[];
  readonly over?: Partial<Settings>;
  readonly made?: readonly string[];
}

function look(check: Check, { host, ...at }: CloudSite, around: Around = {}): Promise<Finding> {
  const { cloud = at.cloud, nodes = [], over = {}, made = scenarios.map(({ name }) => name) } = around;
  const cluster = { list: async () => nodes } as unknown as Cluster;
  const site = { host, cluster, ...(cloud === null ? {} : { cloud }) } as never;
  const chosen = scenarios.filter(({ name }) => made.includes(name));
  const run = { site, settings: { ...settings, ...over }, scenarios: chosen, cleanup: false, holder: 'this run' };
  return runCheck(check, run);
}

/** The finding is as expected. */
async function fine(check: Check, at: CloudSite, observed: RegExp, around?: Around): Promise<void> {
  const finding = await look(check, at, around);
  assert.deepEqual([finding.severity, finding.advice], ['info', ''], finding.observed);
  assert.match(finding.observed, observed);
}

/** The finding is a warning that names the scenario. */
async function warned(check: Check, at: CloudSite, observed: RegExp, around?: Around): Promise<void> {
  assert.equal(check.mandatory, false);
  const finding = await look(check, at, around);
  assert.equal(finding.severity, 'warning', finding.observed);
  assert.match(finding.observed, observed);
  const scenario = check === cloudZone ? 'dns-failure' : 'instance-kill';
  assert.match(finding.advice, new RegExp(`\\w; else ${scenario} will be inconclusive$`));
}

const on = (name: string, providerID: string, pool?: string): Node => ({
  ...poolNode(name, pool),
  spec: { providerID },
});
const denied = () => ({ status: 403, body: '<Error><Code>AccessDenied</Code><Message>no</Message></Error>' });
const wish = { type: 'r8g.large', zone: 'us-east-1b', capacityType: 'on-demand', labels: {}, taints: [] } as const;

/** A cloud without credentials, as the AWS SDK reports them. */
const without = (host: CloudSite['host']): Cloud =>
  aws(host, { sign: () => Promise.reject(new Error('Could not load credentials from any providers')) });

test('EC2 is asked for the instance of a node of the pool, else of any node, and for none without one', () =>
  cloudSite(async (at) => {
    const own = on('own', `aws:///us-east-1b/${at.machines.launch({ ...wish, tags: {} }).id}`);
    const other = on('other', `aws:///us-east-1b/${at.machines.launch({ ...wish, tags: {} }).id}`, 'another');
    const away = on('away', 'aws:///us-east-1b/i-00000000000000000', 'another');
    const fargate = on('fargate', 'aws:///us-east-1b/fargate-ip-10-0-0-1');
    await at.clock.sleep(60);
    await fine(cloudInstances, at, /instance i-\w+ of Node own is running/, { nodes: [other, own] });
    await fine(cloudInstances, at, /of Node other is running/, { nodes: [fargate, other, away] });
    const asked = at.requests.length;
    await fine(cloudInstances, at, /not asked: no node is an instance of EC2 yet/, {
      nodes: [fargate, poolNode('new')],
    });
    assert.equal(at.requests.length, asked);
    await warned(cloudInstances, at, /this account has no instance of Node away/, { nodes: [away] });
    await warned(cloudInstances, at, /Could not load credentials/, { nodes: [own], cloud: without(at.host) });
    await warned(cloudInstances, at, /there is no access to the cloud/, { nodes: [own], cloud: null });
    at.fault = denied;
    await warned(cloudInstances, at, /DescribeInstances i-\w+: 403 AccessDenied/, { nodes: [own] });
  }));

test('the zone must belong to this account and contain the name', () =>
  cloudSite(async (at) => {
    await fine(cloudZone, at, /^app\.example\.com is in zone example\.com \(\w+\)$/);
    const [dns, url] = [{ ...settings.dns, zone: 'example.org' }, 'http://app.example.org/'];
    await warned(cloudZone, at, /this account has no public zone example\.org/, { over: { dns, url } });
    const asked = at.requests.length;
    await warned(cloudZone, at, /app\.example\.com is not in zone example\.org/, { over: { dns } });
    await warned(cloudZone, at, /example\.com is an apex/, { over: { url: 'http://example.com/' } });
    assert.equal(at.requests.length, asked, 'that needs no cloud');
    await warned(cloudZone, at, /Could not load credentials/, { cloud: without(at.host) });
    at.fault = denied;
    await warned(cloudZone, at, /ListHostedZonesByName example\.com: 403 AccessDenied/);
  }));

test('the cloud is asked only for what a scenario needs, and a program error is no finding', () =>
  cloudSite(async (at) => {
    const made = ['scale-up', 'load'];
    await fine(cloudInstances, at, /^not asked: no scenario of this run needs it$/, { made });
    await fine(cloudZone, at, /^not asked: no scenario of this run needs it$/, { made });
    assert.deepEqual(at.requests, []);
    const broken = { zone: () => Promise.reject(new RangeError('ours')) } as unknown as Cloud;
    await assert.rejects(look(cloudZone, at, { cloud: broken }), RangeError);
  }));

test('the advice of an error is the advice of the finding', () =>
  cloudSite(async (at) => {
    const failure = { tried: 'Asking', on: 'it', reason: 'nothing', next: 'ask another' };
    const cloud = { zone: () => Promise.reject(new OperationError(failure)) } as unknown as Cloud;
    assert.match((await look(cloudZone, at, { cloud })).advice, /^ask another; else dns-failure/);
  }));
