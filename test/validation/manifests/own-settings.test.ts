import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodePool } from '../../../src/cluster/autoscaler.ts';
import type { LabelSelector } from '../../../src/cluster/metadata.ts';
import type { PodSpec } from '../../../src/cluster/specs.ts';
import type { Workload } from '../../../src/cluster/workload.ts';
import { nodePool } from '../../../src/validation/manifests/manifests.ts';
import { ownApplications } from '../../../src/validation/manifests/own-applications.ts';
import { assumedPool, ownSettings } from '../../../src/validation/manifests/own-settings.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { deployment, ingress, objects, service } from '../../support/own-manifests.ts';

const usual = validationSchema.parse({});
const requirementsFor = (pods: Partial<PodSpec>) =>
  Object.fromEntries(
    assumedPool(usual, { containers: [], ...pods }).spec.template.spec.requirements.map(({ key, values }) => [
      key,
      values,
    ]),
  );

test('the settings of a rehearsal of one’s own manifests are those that the manifests say', () => {
  const [application] = ownApplications(objects(), 'default').applications;
  assert.ok(application);
  const settings = validationSchema.parse(ownSettings(application, undefined));
  assert.equal(settings.url, 'http://shop.example.com/');
  assert.equal(settings.application, 'shop-web');
  assert.equal(settings.applicationSelector, 'app.kubernetes.io/name=shop');
  assert.deepEqual([settings.service, settings.ingress, settings.disruptionBudget], ['shop', 'front', null]);
  assert.deepEqual([settings.manifests, settings.monitor.body], ['none', null]);
});

test('the zone is the one that the name is most often in: its parent, or the name itself under a top-level domain', () => {
  const [application] = ownApplications(objects(), 'default').applications;
  assert.ok(application);
  const zoneFor = (host: string) => validationSchema.parse(ownSettings({ ...application, host }, undefined)).dns.zone;
  assert.equal(zoneFor('shop.example.com'), 'example.com');
  assert.equal(zoneFor('sock.apps.example.org'), 'apps.example.org');
  assert.equal(zoneFor('shop.io'), 'shop.io');
});

test('the pool that is taken is the specification’s, with what the pods ask of their nodes in its place', () => {
  const plain = requirementsFor({});
  assert.deepEqual(plain['kubernetes.io/arch'], ['arm64']);
  const amd64 = requirementsFor({ nodeSelector: { 'kubernetes.io/arch': 'amd64' } });
  assert.deepEqual(amd64, { ...plain, 'kubernetes.io/arch': ['amd64'] });
  const sized = requirementsFor({ nodeSelector: { 'node.kubernetes.io/instance-type': 't4g.small' } });
  assert.deepEqual(sized['node.kubernetes.io/instance-type'], ['t4g.small']);
  assert.equal(sized['karpenter.k8s.aws/instance-category'], undefined);
});

test('a label under its former name is the one that it is called today', () => {
  const plain = requirementsFor({});
  const former = { 'beta.kubernetes.io/arch': 'amd64', 'failure-domain.beta.kubernetes.io/zone': 'us-east-1b' };
  const asked = { 'kubernetes.io/arch': ['amd64'], 'topology.kubernetes.io/zone': ['us-east-1b'] };
  assert.deepEqual(requirementsFor({ nodeSelector: former }), { ...plain, ...asked });
});

test('the nodes are judged by what the pods or the node pool of the manifests ask of them', () => {
  const [application] = ownApplications(objects(), 'default').applications;
  assert.ok(application);
  const { workload } = application;
  const requirementsBy = (nodeSelector: Record<string, string>, pool?: NodePool) => {
    const spec = { ...workload.spec.template.spec, nodeSelector };
    const asking = {
      ...workload,
      spec: { ...workload.spec, template: { ...workload.spec.template, spec } },
    } as Workload;
    return validationSchema.parse(ownSettings({ ...application, workload: asking }, pool)).nodePool.requirements;
  };
  assert.equal(requirementsBy({}), undefined);
  assert.deepEqual(
    requirementsBy({ 'kubernetes.io/arch': 'amd64' })?.find(({ key }) => key === 'kubernetes.io/arch')?.values,
    ['amd64'],
  );
  const own = nodePool(usual);
  assert.deepEqual(requirementsBy({}, own), own.spec.template.spec.requirements);
  const [first, ...rest] = own.spec.template.spec.requirements;
  const choosy = structuredClone(own) as unknown as { spec: { template: { spec: { requirements: unknown } } } };
  choosy.spec.template.spec.requirements = [{ ...first, minValues: 2 }, ...rest];
  assert.deepEqual(requirementsBy({}, choosy as never), own.spec.template.spec.requirements, 'minValues says no more');
});

test('a label of one’s own that the pods ask for is on the nodes', () => {
  const { metadata } = assumedPool(usual, { containers: [], nodeSelector: { tier: 'web' } }).spec.template;
  assert.equal(metadata?.labels?.tier, 'web');
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'team', operator: 'In' as const, values: ['a', 'b'] }] }],
    },
  };
  const affine = assumedPool(usual, { containers: [], affinity: { nodeAffinity } }).spec.template;
  assert.equal(affine.metadata?.labels?.team, 'a');
});

const label = 'app.kubernetes.io/name';

/** The setting for pods with the labels name and tier, under that selector. */
function selectorOf(selector: LabelSelector): string | undefined {
  const one = deployment() as unknown as { readonly spec: { readonly template: object } };
  const template = { ...one.spec.template, metadata: { labels: { [label]: 'shop', tier: 'web' } } };
  const workload = { ...one, spec: { ...one.spec, selector, template } } as never;
  const [application] = ownApplications([workload, service(), ingress()], 'default').applications;
  assert.ok(application);
  return validationSchema.parse(ownSettings(application, undefined)).applicationSelector;
}

test('the application’s pods are those that its selector asks for, by labels or by expressions', () => {
  assert.equal(selectorOf({ matchLabels: { [label]: 'shop' } }), `${label}=shop`);
  const expression = (operator: 'In' | 'Exists' | 'NotIn', key: string, values?: readonly string[]) => ({
    matchExpressions: [{ key, operator, ...(values && { values }) }],
  });
  assert.equal(selectorOf(expression('In', label, ['shop', 'cart'])), `${label}=shop`);
  assert.equal(selectorOf(expression('Exists', 'tier')), 'tier=web');
  assert.equal(selectorOf({ matchLabels: { tier: 'web' }, ...expression('Exists', label) }), `${label}=shop,tier=web`);
  assert.equal(selectorOf(expression('NotIn', 'canary', ['true'])), `${label}=shop,tier=web`);
});
