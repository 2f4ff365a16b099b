import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cluster } from '../../src/kubernetes/cluster.ts';
import type { Pod, PodDisruptionBudget } from '../../src/kubernetes/resources.ts';
import { budget, inApi, pod, refused, request, runningPod } from './in-api.ts';

type Status = NonNullable<PodDisruptionBudget['status']>;

const identity = ({ metadata }: Pod) => ({ namespace: 'default', name: metadata.name, uid: metadata.uid ?? '' });

/** A budget that its controller has processed. */
async function budgetWith(
  cluster: Cluster,
  status: Partial<Status>,
  spec: Parameters<typeof budget>[0] = {},
): Promise<void> {
  const { metadata } = await cluster.create(budget(spec));
  const processed = {
    observedGeneration: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    expectedPods: 2,
    disruptionsAllowed: 1,
  };
  await cluster.patch(
    'PodDisruptionBudget',
    metadata,
    { type: 'merge', value: { status: { ...processed, ...status } } },
    { subresource: 'status' },
  );
}

const budgetNow = (cluster: Cluster) => cluster.get('PodDisruptionBudget', { namespace: 'default', name: 'nginx-pdb' });

test('an eviction decrements disruptionsAllowed before the pod is marked for deletion', () =>
  inApi(async ({ cluster, clock }) => {
    await budgetWith(cluster, {});
    const victim = await runningPod(cluster, 'a');
    await clock.sleep(3);
    assert.deepEqual(await cluster.evict(identity(victim)), { outcome: 'evicted' });
    const { status } = (await budgetNow(cluster)) ?? budget();
    assert.equal(status?.disruptionsAllowed, 0);
    assert.deepEqual(status?.disruptedPods, { a: '2026-11-20T10:00:03Z' });
    const conditions: unknown = Reflect.get(status ?? {}, 'conditions');
    assert.deepEqual(
      (conditions as { reason: string }[]).map(({ reason }) => reason),
      ['InsufficientPods'],
    );
    const going = await cluster.get('Pod', victim.metadata);
    assert.equal(going?.metadata.deletionGracePeriodSeconds, 30);
    const target = going?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.deepEqual([target?.status, target?.reason], ['True', 'EvictionByEvictionAPI']);
  }));

test('two evictions in the same instant do not exceed the budget', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, { currentHealthy: 3, desiredHealthy: 2, disruptionsAllowed: 1 });
    const pods = await Promise.all(['a', 'b', 'c'].map((name) => runningPod(cluster, name)));
    const outcomes = await Promise.all(pods.map((one) => cluster.evict(identity(one))));
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['evicted', 'refused', 'refused'],
    );
  }));

test('an eviction beyond the budget is refused with 429 and the message of the API server', () =>
  inApi(async ({ cluster, server }) => {
    await budgetWith(cluster, { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0 });
    const victim = await runningPod(cluster, 'a');
    const cause = 'The disruption budget nginx-pdb needs 1 healthy pods and has 1 currently';
    assert.deepEqual(await cluster.evict(identity(victim)), { outcome: 'refused', status: 429, cause });
    const { status, json, headers } = await request(server, 'POST', '/api/v1/namespaces/default/pods/a/eviction', {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'a', namespace: 'default' },
    });
    assert.equal(status, 429);
    assert.deepEqual(json, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      reason: 'TooManyRequests',
      details: { causes: [{ reason: 'DisruptionBudget', message: cause }] },
      code: 429,
    });
    assert.equal(headers['retry-after'], undefined, 'the server suggests no time here');
    assert.equal((await cluster.get('Pod', victim.metadata))?.metadata.deletionTimestamp, undefined);
  }));

test('an eviction is refused with Retry-After 10 while the controller has not processed the budget', () =>
  inApi(async ({ cluster, server }) => {
    await cluster.create(budget());
    const victim = await runningPod(cluster, 'a');
    const cause = 'The disruption budget nginx-pdb is still being processed by the server.';
    assert.deepEqual(await cluster.evict(identity(victim)), { outcome: 'refused', status: 429, cause });
    const { headers, json } = await request(server, 'POST', '/api/v1/namespaces/default/pods/a/eviction', {
      metadata: { name: 'a' },
    });
    assert.equal(headers['retry-after'], '10');
    assert.equal(json.details.retryAfterSeconds, 10);
  }));

test('an eviction of a pod with two budgets is refused with 500', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, {});
    const second = budget();
    await cluster.create({ ...second, metadata: { ...second.metadata, name: 'another' } });
    const outcome = await cluster.evict(identity(await runningPod(cluster, 'a')));
    assert.deepEqual(outcome, {
      outcome: 'refused',
      status: 500,
      cause: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    });
  }));

test('a budget with an empty selector, or of another namespace, protects nothing', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, { disruptionsAllowed: 0 }, { selector: {} });
    const elsewhere = budget();
    await cluster.create({ ...elsewhere, metadata: { name: 'b', namespace: 'kube-system' } });
    assert.deepEqual(await cluster.evict(identity(await runningPod(cluster, 'a'))), { outcome: 'evicted' });
  }));

test('a pod that is pending, has ended or is terminating can be evicted whatever the budget', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, { disruptionsAllowed: 0 });
    const pending = await cluster.create(pod('pending', { nodeName: 'node-a' }));
    const ended = await runningPod(cluster, 'ended');
    await cluster.patch(
      'Pod',
      ended.metadata,
      { type: 'merge', value: { status: { phase: 'Failed' } } },
      { subresource: 'status' },
    );
    const going = await runningPod(cluster, 'going');
    await cluster.delete('Pod', going.metadata);
    for (const one of [pending, ended, going])
      assert.deepEqual(await cluster.evict(identity(one)), { outcome: 'evicted' });
    assert.equal((await budgetNow(cluster))?.status?.disruptedPods, undefined);
  }));

test('a pod that is not ready can be evicted while enough others are healthy, and takes nothing from the budget', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0 });
    const unready = await runningPod(cluster, 'a', false);
    assert.deepEqual(await cluster.evict(identity(unready)), { outcome: 'evicted' });
    assert.equal((await budgetNow(cluster))?.status?.disruptionsAllowed, 0);
  }));

test('while too few pods are healthy, a pod that is not ready can be evicted only under AlwaysAllow', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, { currentHealthy: 0, desiredHealthy: 1, disruptionsAllowed: 0 });
    const unready = await runningPod(cluster, 'a', false);
    assert.equal((await cluster.evict(identity(unready))).outcome, 'refused');
    const { metadata } = (await budgetNow(cluster)) ?? budget();
    await cluster.patch('PodDisruptionBudget', metadata, {
      type: 'merge',
      value: { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    });
    assert.deepEqual(await cluster.evict(identity(unready)), { outcome: 'evicted' });
  }));

test('a dry run of an eviction checks the budget and takes nothing from it', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, {});
    const pods = [await runningPod(cluster, 'a'), await runningPod(cluster, 'b')];
    for (const one of pods)
      assert.deepEqual(await cluster.evict(identity(one), { dryRun: true }), { outcome: 'evicted' });
    assert.equal((await budgetNow(cluster))?.status?.disruptionsAllowed, 1);
    assert.equal(
      (await cluster.get('Pod', { namespace: 'default', name: 'a' }))?.metadata.deletionTimestamp,
      undefined,
    );
  }));

test('an eviction of a pod whose name now has another uid reports the pod as gone', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await runningPod(cluster, 'a');
    assert.deepEqual(await cluster.evict({ namespace: 'default', name: 'a', uid: 'another' }), { outcome: 'gone' });
    assert.equal((await cluster.get('Pod', metadata))?.metadata.deletionTimestamp, undefined);
    assert.deepEqual(await cluster.evict({ namespace: 'default', name: 'b', uid: 'x' }), { outcome: 'gone' });
  }));

test('a negative disruptionsAllowed, and too many unconfirmed evictions, are refused with 403', () =>
  inApi(async ({ cluster }) => {
    await budgetWith(cluster, { disruptionsAllowed: -1 });
    const victim = identity(await runningPod(cluster, 'a'));
    assert.match(
      (await refused(cluster.evict(victim), 403)).answer,
      /^poddisruptionbudgets.policy "nginx-pdb" is forbidden: pdb disruptions allowed is negative/,
    );
    const disruptedPods = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, '2026-11-20T10:00:00Z']));
    await cluster.patch(
      'PodDisruptionBudget',
      { namespace: 'default', name: 'nginx-pdb' },
      { type: 'merge', value: { status: { disruptionsAllowed: 1, disruptedPods } } },
      { subresource: 'status' },
    );
    assert.match((await refused(cluster.evict(victim), 403)).answer, /DisruptedPods map too big/);
  }));
