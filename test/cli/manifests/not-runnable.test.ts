import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { nodePool } from '../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { container, deployment, ingress, service } from '../../support/own-manifests.ts';
import { ownMistakes } from '../../support/read-own-manifests.ts';

const mistakesOf = (...objects: readonly object[]): Promise<readonly string[]> =>
  ownMistakes(objects.map((one) => stringify(one)).join('---\n'));

const web = (spec: object, podSpec: object = {}) => {
  const one = deployment('shop-web', 'shop', podSpec) as unknown as { readonly spec: object };
  return [{ ...one, spec: { ...one.spec, ...spec } }, service(), ingress()];
};
const asking = (requests: object, limits: object = {}) => ({
  containers: [container, { ...container, name: 'more', resources: { requests, limits } }],
});
const oneGpu = { 'nvidia.com/gpu': '1' };

test('a workload of 0 replicas is reported before it is rehearsed, at its line', async () => {
  assert.deepEqual(await mistakesOf(...web({ replicas: 0 })), [
    'own.yaml:6: spec.replicas: 0 pods answer no visitor: write 2 or more to rehearse it.',
  ]);
});

test('a container that asks for more than the largest node has is named, with the node', async () => {
  const field = 'spec.template.spec.containers[1].resources.requests';
  const [cpu, ...none] = await mistakesOf(...web({}, asking({ cpu: '900', memory: '64Mi' })));
  assert.deepEqual(none, []);
  assert.match(cpu ?? '', /^own\.yaml:\d+: /);
  assert.equal(
    cpu?.replace(/^own\.yaml:\d+: /, ''),
    `${field}.cpu: 900: no node holds such a pod: the largest has 63940m for all containers of its pods: ask for less.`,
  );
  const [gpu] = await mistakesOf(...web({}, asking(oneGpu, oneGpu)));
  assert.equal(
    gpu?.replace(/^own\.yaml:\d+: /, ''),
    `${field}[nvidia.com/gpu]: 1: no node of its node pools has any of it: leave it out, or add the NodePool that has.`,
  );
  assert.deepEqual(await mistakesOf(...web({}, asking({ cpu: '15', memory: '64Gi' }))), []);
});

const poolOf = (...requirements: readonly object[]) => {
  const one = nodePool(validationSchema.parse({}));
  const { template } = one.spec;
  return { ...one, spec: { ...one.spec, template: { ...template, spec: { ...template.spec, requirements } } } };
};
const family = (...values: readonly string[]) => ({
  key: 'karpenter.k8s.aws/instance-family',
  operator: 'In',
  values,
});

test('the nodes are those of the node pools of the manifests, with GPUs if they have them', async () => {
  const gpu = web({}, asking(oneGpu, oneGpu));
  assert.deepEqual(await mistakesOf(...gpu, poolOf(family('g5'))), []);
  assert.match((await mistakesOf(...gpu, poolOf(family('m7g')))).join(), /no node of its node pools has any of it/);
  const large = web({}, asking({ cpu: '40', memory: '64Mi' }));
  assert.match((await mistakesOf(...large, poolOf(family('t4g')))).join(), /the largest has 7940m/);
});

test('a node pool that no instance type meets is reported at its requirements', async () => {
  const [none, ...more] = await mistakesOf(...web({}), poolOf(family('m7g'), family('c7g')));
  assert.deepEqual(more, []);
  assert.match(
    none ?? '',
    /^own\.yaml:\d+: spec\.template\.spec\.requirements: no instance type of EC2 is all of it: karpenter\.k8s\.aws\/instance-family In m7g; /,
  );
});

test('1,000 pods are rehearsed; more are refused at the object that has most of them', async () => {
  assert.deepEqual(await mistakesOf(...web({ replicas: 1000 })), []);
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'seed' },
    spec: { parallelism: 800, template: { spec: { containers: [container], restartPolicy: 'Never' } } },
  };
  assert.deepEqual(await mistakesOf(...web({ replicas: 100_000 })), [
    'own.yaml:6: spec.replicas: 100000 pods are too many to rehearse: write at most 1000 in all.',
  ]);
  assert.match(
    (await mistakesOf(job, ...web({ replicas: 300 }))).join(),
    /^own\.yaml:6: spec\.parallelism: 1100 pods, /,
  );
});

test('an object of a version that Kubernetes serves no longer is reported, with the one to write', async () => {
  const [old, ...rest] = web({});
  const removed = 'Kubernetes has had no';
  assert.deepEqual(
    await mistakesOf({ ...old, apiVersion: 'extensions/v1beta1' }, ...rest, {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
    }),
    [
      `own.yaml:1: apiVersion: ${removed} Deployment of extensions/v1beta1 since 1.16: write it for apps/v1.`,
      `own.yaml:60: apiVersion: ${removed} HorizontalPodAutoscaler of autoscaling/v2beta2 since 1.26: write it for autoscaling/v2.`,
    ],
  );
});

test('a Service of type ExternalName, which has no ports, stands beside the application', async () => {
  const spec = { type: 'ExternalName', externalName: 'db.example.com' };
  assert.deepEqual(await mistakesOf(...web({}), { ...service('db'), spec }), []);
});
