import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/kubernetes/cluster.ts';
import type { Namespace, SelfSubjectAccessReview } from '../../src/kubernetes/resources.ts';
import { deployment, inApi, pod, refused, request, runningPod } from './in-api.ts';

const at = { name: 'nginx-test', namespace: 'default' };
const merge = (value: unknown) => ({ type: 'merge', value }) as const;

test('a created object has a uid, a whole-second timestamp, generation 1 and a resource version', () =>
  inApi(async ({ cluster, clock }) => {
    await clock.sleep(1.75);
    const { metadata } = await cluster.create(deployment());
    assert.match(metadata.uid ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(metadata.creationTimestamp, '2026-11-20T10:00:01Z');
    assert.equal(metadata.generation, 1);
    assert.equal(
      (await refused(cluster.create(deployment()), 409)).answer,
      'deployments.apps "nginx-test" already exists',
    );
  }));

test('the same seed gives the same uids, and a loaded server does not repeat those drawn before', () =>
  inApi(async ({ server, cluster }) => {
    const first = await cluster.create(pod('a'));
    await inApi(async (other) => {
      const namespaces = await other.cluster.list('Namespace');
      assert.deepEqual(
        namespaces.map(({ metadata }) => metadata.uid),
        (await cluster.list('Namespace')).map(({ metadata }) => metadata.uid),
      );
      other.server.load(JSON.parse(JSON.stringify(server.save())));
      assert.deepEqual(await other.cluster.list('Pod'), [first]);
      const { metadata } = await other.cluster.create(pod('b'));
      assert.notEqual(metadata.uid, first.metadata.uid);
      assert.ok(Number(metadata.resourceVersion) > Number(first.metadata.resourceVersion));
    });
  }));

test('every object with generateName gets another name', () =>
  inApi(async ({ cluster }) => {
    const named = () => ({ ...pod(''), metadata: { name: '', generateName: 'nginx-test-', namespace: 'default' } });
    const names = [await cluster.create(named()), await cluster.create(named())].map(({ metadata }) => metadata.name);
    for (const name of names) assert.match(name, /^nginx-test-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    assert.notEqual(names[0], names[1]);
  }));

test('nothing can be created in a namespace that does not exist', () =>
  inApi(async ({ cluster }) => {
    const elsewhere = { ...deployment(), metadata: { name: 'a', namespace: 'shop' } };
    assert.equal((await refused(cluster.create(elsewhere), 404)).answer, 'namespaces "shop" not found');
    await refused(cluster.apply(elsewhere, { fieldManager: 'holdfast' }), 404);
    const shop: Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    const { metadata } = await cluster.create(shop);
    assert.deepEqual(metadata.labels, { 'kubernetes.io/metadata.name': 'shop' });
    await cluster.create(elsewhere);
  }));

test('a patch that changes nothing makes no new version and no event', () =>
  inApi(async ({ cluster, clock }) => {
    const before = await cluster.create(deployment());
    const events: string[] = [];
    const controller = new AbortController();
    const watching = (async () => {
      for await (const { type } of cluster.watch('Deployment', {}, controller.signal)) events.push(type);
    })();
    const same = await cluster.patch(
      'Deployment',
      at,
      merge({ spec: { replicas: 2, template: before.spec.template } }),
    );
    assert.equal(same, before);
    await clock.sleep(1);
    controller.abort();
    await watching;
    assert.deepEqual(events, ['added', 'synced']);
  }));

test('a change of the spec increases the generation, and of a Deployment one of its annotations', () =>
  inApi(async ({ cluster }) => {
    await cluster.create(deployment());
    const generation = async (value: unknown, subresource?: 'status') =>
      (await cluster.patch('Deployment', at, merge(value), subresource && { subresource })).metadata.generation;
    assert.equal(await generation({ metadata: { labels: { a: 'b' } } }), 1);
    assert.equal(await generation({ status: { unavailableReplicas: 1 } }, 'status'), 1);
    assert.equal(await generation({ spec: { replicas: 3 } }), 2);
    assert.equal(await generation({ metadata: { annotations: { a: 'b' } } }), 3);
    assert.equal(await generation({ metadata: { annotations: { a: 'c' } } }, 'status'), 3);
    assert.equal((await cluster.get('Deployment', at))?.metadata.annotations?.a, 'c');
  }));

test('a status has no counts that are 0 where Go leaves them out', () =>
  inApi(async ({ cluster }) => {
    await cluster.create(deployment());
    const write = async (value: object) =>
      (await cluster.patch('Deployment', at, merge({ status: value }), { subresource: 'status' })).status;
    assert.deepEqual(await write({ replicas: 2, readyReplicas: 1 }), { replicas: 2, readyReplicas: 1 });
    assert.deepEqual(await write({ replicas: 2, readyReplicas: 0, unavailableReplicas: 0 }), { replicas: 2 });
  }));

test('only the status subresource writes the status, and neither spec nor labels', () =>
  inApi(async ({ cluster }) => {
    await cluster.create(deployment());
    const ignored = await cluster.patch('Deployment', at, merge({ status: { unavailableReplicas: 1 } }));
    assert.deepEqual(ignored.status, {});
    const both = merge({ status: { unavailableReplicas: 1 }, spec: { replicas: 9 }, metadata: { labels: { a: 'b' } } });
    const { status, spec, metadata } = await cluster.patch('Deployment', at, both, { subresource: 'status' });
    assert.deepEqual([status?.unavailableReplicas, spec.replicas, metadata.labels], [1, 2, undefined]);
  }));

test('a patch with an older resource version is refused with 409, one with another uid with 422, one with another name with 400', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await cluster.create(deployment());
    await cluster.patch('Deployment', at, merge({ spec: { replicas: 3 } }));
    const stale = merge({ metadata: { resourceVersion: metadata.resourceVersion }, spec: { replicas: 4 } });
    const error = await refused(cluster.patch('Deployment', at, stale), 409);
    assert.equal(error.reason, 'Conflict');
    assert.match(
      error.answer,
      /^Operation cannot be fulfilled on deployments.apps "nginx-test": the object has been modified/,
    );
    for (const [value, status] of [
      [{ uid: 'x' }, 422],
      [{ name: 'other' }, 400],
    ] as const) {
      await refused(cluster.patch('Deployment', at, merge({ metadata: value, spec: { replicas: 4 } })), status);
      await refused(cluster.patch('Deployment', at, merge({ metadata: value })), status);
    }
    assert.equal((await cluster.get('Deployment', at))?.spec.replicas, 3);
  }));

test('a client cannot set the fields of the server', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await cluster.create(deployment());
    const tried = { creationTimestamp: '2000-01-01T00:00:00Z', generation: 99 };
    const after = await cluster.patch('Deployment', at, merge({ metadata: tried }));
    assert.deepEqual(after.metadata, metadata);
    const deleted = { deletionTimestamp: '2000-01-01T00:00:00Z' };
    const error = await refused(cluster.patch('Deployment', at, merge({ metadata: deleted })), 422);
    assert.match(error.message, /metadata\.deletionTimestamp: Invalid value: .*: field is immutable/);
  }));

test('an object that was read and is created again gets a new uid, generation and status', () =>
  inApi(async ({ cluster }) => {
    await runningPod(cluster, 'a');
    await cluster.delete('Pod', { namespace: 'default', name: 'a' });
    const marked = await cluster.get('Pod', { namespace: 'default', name: 'a' });
    assert.ok(marked?.metadata.deletionTimestamp);
    await cluster.delete('Pod', marked.metadata, { gracePeriodSeconds: 0 });
    const { metadata, status } = await cluster.create(marked);
    assert.deepEqual([metadata.deletionTimestamp, metadata.generation, status?.phase], [undefined, 1, 'Pending']);
    assert.notEqual(metadata.uid, marked.metadata.uid);
    assert.deepEqual(
      metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource]),
      [['tester', undefined]],
    );
  }));

test('a JSON patch whose test fails is refused with 422 and changes nothing', () =>
  inApi(async ({ cluster }) => {
    await cluster.create(deployment());
    const patch = (value: number) =>
      cluster.patch('Deployment', at, {
        type: 'json',
        value: [
          { op: 'test', path: '/spec/replicas', value },
          { op: 'replace', path: '/spec/replicas', value: 5 },
        ],
      });
    assert.equal(
      (await refused(patch(3), 422)).answer,
      'the server rejected our request due to an error in our request',
    );
    assert.equal((await patch(2)).spec.replicas, 5);
  }));

test('a field that a JSON patch sets to null is removed', () =>
  inApi(async ({ cluster }) => {
    await cluster.create(deployment());
    const metadata = { creationTimestamp: null, labels: { app: 'nginx-test' } };
    const value = [{ op: 'replace', path: '/spec/template/metadata', value: metadata }] as const;
    const { spec } = await cluster.patch('Deployment', at, { type: 'json', value });
    assert.deepEqual(spec.template.metadata, { labels: { app: 'nginx-test' } });
  }));

test('a strategic merge patch of a custom resource is refused with 415', () =>
  inApi(async ({ cluster }) => {
    const reference = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
    const spec = { nodeClassRef: reference, requirements: [] };
    await cluster.create({ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name: 'a' }, spec });
    const labels = { metadata: { labels: { a: 'b' } } };
    await refused(cluster.patch('NodeClaim', { name: 'a' }, { type: 'strategic', value: labels }), 415);
    assert.deepEqual((await cluster.patch('NodeClaim', { name: 'a' }, merge(labels))).metadata.labels, { a: 'b' });
  }));

test('the scale subresource changes the replicas and returns a Scale', () =>
  inApi(async ({ cluster }) => {
    await cluster.create(deployment());
    const scale = (replicas: number) =>
      cluster.patch('Deployment', at, merge({ spec: { replicas, paused: true } }), { subresource: 'scale' });
    const answer: object = await scale(5);
    assert.equal(Reflect.get(answer, 'kind'), 'Scale');
    assert.deepEqual(Reflect.get(answer, 'spec'), { replicas: 5 });
    assert.deepEqual(Reflect.get(answer, 'status'), { replicas: 0, selector: 'app=nginx-test' });
    const { spec } = (await cluster.get('Deployment', at)) ?? deployment();
    assert.deepEqual([spec.replicas, Reflect.get(spec, 'paused')], [5, undefined]);
    await refused(scale(-1), 422);
  }));

test('a deleted pod with a node is marked for deletion, and removed when the kubelet deletes it with grace period 0', () =>
  inApi(async ({ cluster, clock }) => {
    const { metadata } = await runningPod(cluster, 'a');
    const at = { namespace: 'default', name: 'a' };
    const uid = metadata.uid ?? '';
    assert.equal(await cluster.delete('Pod', at), 'deleted');
    const marked = (await cluster.get('Pod', at))?.metadata;
    assert.equal(marked?.deletionTimestamp, '2026-11-20T10:00:30Z');
    assert.equal(marked?.deletionGracePeriodSeconds, 30);
    await clock.sleep(5);
    await cluster.delete('Pod', at, { gracePeriodSeconds: 60 });
    assert.deepEqual((await cluster.get('Pod', at))?.metadata, marked, 'a longer grace changes nothing');
    await cluster.delete('Pod', at, { gracePeriodSeconds: 10 });
    assert.equal((await cluster.get('Pod', at))?.metadata.deletionTimestamp, '2026-11-20T10:00:10Z');
    assert.match(
      (await refused(cluster.delete('Pod', at, { uid: 'another', gracePeriodSeconds: 0 }), 409)).answer,
      /the UID in the precondition \(another\) does not match the UID in record/,
    );
    assert.equal(await cluster.delete('Pod', at, { uid, gracePeriodSeconds: 0 }), 'deleted');
    assert.equal(await cluster.get('Pod', at), undefined);
    assert.equal(await cluster.delete('Pod', at), 'gone');
  }));

test('a pod without a node, or one that has ended, is removed at once', () =>
  inApi(async ({ cluster }) => {
    await cluster.create(pod('waiting'));
    await cluster.delete('Pod', { namespace: 'default', name: 'waiting' });
    const { metadata } = await runningPod(cluster, 'ended');
    await cluster.patch('Pod', metadata, merge({ status: { phase: 'Succeeded' } }), { subresource: 'status' });
    await cluster.delete('Pod', metadata);
    assert.deepEqual(await cluster.list('Pod'), []);
  }));

test('a deleted pod gets the grace period of its spec', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await cluster.create(pod('a', { nodeName: 'n', terminationGracePeriodSeconds: 45 }));
    await cluster.delete('Pod', metadata);
    assert.equal((await cluster.get('Pod', metadata))?.metadata.deletionTimestamp, '2026-11-20T10:00:45Z');
  }));

test('a deleted object stays until its last finalizer is removed, and takes no new one', () =>
  inApi(async ({ cluster }) => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'a', finalizers: ['karpenter.sh/termination'] },
    } as const;
    await cluster.create(node);
    await cluster.delete('Node', { name: 'a' });
    assert.equal((await cluster.get('Node', { name: 'a' }))?.metadata.deletionTimestamp, '2026-11-20T10:00:00Z');
    const finalizers = (list: string[]) =>
      cluster.patch('Node', { name: 'a' }, merge({ metadata: { finalizers: list } }));
    assert.match(
      (await refused(finalizers(['karpenter.sh/termination', 'new']), 422)).answer,
      /no new finalizers can be added/,
    );
    await finalizers([]);
    assert.equal(await cluster.get('Node', { name: 'a' }), undefined);
  }));

test('a watch with selectors gets ADDED for an object that begins to match and DELETED for one that no longer matches', () =>
  inApi(async ({ cluster, clock }) => {
    const controller = new AbortController();
    const events: Change<'Pod'>[] = [];
    const watching = (async () => {
      for await (const change of cluster.watch(
        'Pod',
        { namespace: 'default', fieldSelector: 'spec.nodeName=node-a', labelSelector: 'app=nginx-test' },
        controller.signal,
      ))
        events.push(change);
    })();
    const { metadata } = await cluster.create(pod('a'));
    await clock.sleep(1);
    await cluster.patch('Pod', metadata, merge({ spec: { nodeName: 'node-a' } }));
    await cluster.patch('Pod', metadata, merge({ metadata: { annotations: { a: 'b' } } }));
    const { metadata: last } = await cluster.patch('Pod', metadata, merge({ metadata: { labels: { app: 'other' } } }));
    await clock.sleep(1);
    controller.abort();
    await watching;
    assert.deepEqual(
      events.map(({ type }) => type),
      ['synced', 'added', 'modified', 'deleted'],
    );
    const gone = events.at(-1);
    assert.ok(gone?.type === 'deleted');
    assert.equal(gone.object.metadata.labels?.app, 'nginx-test', 'as it last matched');
    assert.equal(gone.object.metadata.resourceVersion, last.resourceVersion, 'at the revision of the change');
  }));

test('a controller without permission is refused with 403 and the message of RBAC', () =>
  inApi(
    async ({ cluster }) => {
      const error = await refused(cluster.delete('Pod', { namespace: 'default', name: 'a' }), 403);
      assert.equal(
        error.answer,
        'pods "a" is forbidden: User "tester" cannot delete resource "pods" in API group "" in the namespace "default"',
      );
      const review = async (verb: string) => {
        const resourceAttributes = { verb, resource: 'pods', namespace: 'default' };
        const review: SelfSubjectAccessReview = {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          metadata: { name: '' },
          spec: { resourceAttributes },
        };
        return (await cluster.create(review)).status?.allowed;
      };
      assert.deepEqual([await review('delete'), await review('get')], [false, true]);
    },
    { allows: (_, { verb, resource }) => verb !== 'delete' || resource !== 'pods' },
  ));

test('the initial namespaces cannot be deleted', () =>
  inApi(async ({ cluster }) => {
    const { message } = await refused(cluster.delete('Namespace', { name: 'default' }), 403);
    assert.match(message, /this namespace may not be deleted/);
  }));

test('a background deletion removes the finalizer of an earlier foreground deletion', () =>
  inApi(async ({ cluster }) => {
    const at = { name: 'nginx-test', namespace: 'default' };
    await cluster.create(deployment());
    await cluster.delete('Deployment', at, { propagationPolicy: 'Foreground' });
    assert.deepEqual((await cluster.get('Deployment', at))?.metadata.finalizers, ['foregroundDeletion']);
    await cluster.delete('Deployment', at, { propagationPolicy: 'Background' });
    assert.equal(await cluster.get('Deployment', at), undefined);
  }));

test('a namespace ends when its controller finalizes it, with a spec or without', () =>
  inApi(async ({ server }) => {
    for (const spec of [{ finalizers: [] }, {}, undefined]) {
      const path = '/api/v1/namespaces/brief';
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'brief' } };
      await request(server, 'POST', '/api/v1/namespaces', body);
      assert.equal(
        (await request(server, 'PUT', `${path}/finalize`, { ...body, spec: { finalizers: ['a.b/c'] } })).status,
        200,
      );
      await request(server, 'DELETE', path);
      assert.deepEqual((await request(server, 'GET', path)).json.spec.finalizers, ['a.b/c']);
      assert.equal((await request(server, 'PUT', `${path}/finalize`, { ...body, spec })).status, 200);
      assert.equal((await request(server, 'GET', path)).status, 404);
    }
  }));
