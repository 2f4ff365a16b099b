import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { appliedFields, compare } from '../../../src/api-server/managed-fields/compare.ts';
import { difference, type Fields, intersection, paths, union } from '../../../src/api-server/managed-fields/fields.ts';
import { served } from '../../../src/api-server/served.ts';
import { shapeOf } from '../../../src/api-server/shapes.ts';
import type { ManagedFields } from '../../../src/kubernetes/metadata.ts';
import type { Deployment } from '../../../src/kubernetes/resources.ts';
import { deployment, inApi, refused } from '../in-api.ts';

const holdfast = { fieldManager: 'holdfast' };
const at = { name: 'nginx-test', namespace: 'default' };
const owned = (object: Deployment, manager: string): readonly string[] =>
  (object.metadata.managedFields ?? [])
    .filter((entry: ManagedFields) => entry.manager === manager)
    .flatMap(({ fieldsV1 }) => paths(fieldsV1 as Fields));

test('a manager owns exactly the fields that it applied, items of lists by their keys', () =>
  inApi(async ({ cluster }) => {
    const applied = await cluster.apply(deployment(), holdfast);
    const container = '.spec.template.spec.containers[name="nginx"]';
    assert.deepEqual(
      owned(applied, 'holdfast').toSorted(),
      [
        '.spec.replicas',
        '.spec.selector',
        container,
        `${container}.image`,
        `${container}.name`,
        `${container}.ports[containerPort=80,protocol="TCP"]`,
        `${container}.ports[containerPort=80,protocol="TCP"].containerPort`,
        '.spec.template.metadata.labels.app',
      ].toSorted(),
    );
    const [entry] = applied.metadata.managedFields ?? [];
    assert.deepEqual(
      { ...entry, fieldsV1: {} },
      {
        manager: 'holdfast',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: '2026-11-20T10:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {},
      },
    );
  }));

test('no manager owns the fields that the server sets', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await cluster.create(deployment());
    await cluster.patch('Deployment', at, { type: 'merge', value: { spec: { replicas: 3 } } });
    const read = await cluster.get('Deployment', at);
    assert.equal(read?.metadata.generation, 2);
    await cluster.delete('Deployment', at);
    const again = await cluster.create({
      ...read,
      metadata: { ...read.metadata, resourceVersion: metadata.resourceVersion ?? '' },
    });
    const { managedFields: _, ...unmanaged } = again.metadata;
    await cluster.apply({ ...deployment(), metadata: unmanaged }, { ...holdfast, force: true });
    for (const object of [read, again, await cluster.get('Deployment', at)])
      for (const manager of ['tester', 'holdfast'])
        assert.deepEqual(
          owned(object ?? deployment(), manager).filter((path) => path.startsWith('.metadata')),
          [],
        );
  }));

test('applying the same object again makes no event and no new resource version', () =>
  inApi(async ({ cluster, clock }) => {
    const first = await cluster.apply(deployment(), holdfast);
    await clock.sleep(60);
    assert.equal(await cluster.apply(deployment(), holdfast), first);
  }));

test('applying a field that another manager has changed is a conflict that names the manager and the field', () =>
  inApi(async ({ cluster, server, clock }) => {
    await cluster.apply(deployment(), holdfast);
    await clock.sleep(5);
    const scaled = { type: 'merge', value: { spec: { replicas: 5 } } } as const;
    await server.cluster('kubectl').patch('Deployment', at, scaled, { subresource: 'scale' });
    const error = await refused(cluster.apply(deployment(), holdfast), 409);
    const owner = '"kubectl" with subresource "scale" using apps/v1';
    assert.equal(error.answer, `Apply failed with 1 conflict: conflict with ${owner}: .spec.replicas`);
    assert.deepEqual(error.details?.causes, [
      { reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field: '.spec.replicas' },
    ]);
    assert.equal((await cluster.get('Deployment', at))?.spec.replicas, 5);
  }));

test('the message of several conflicts lists the fields by manager', () =>
  inApi(async ({ cluster, server }) => {
    await cluster.apply(deployment({ replicas: 3 }), { fieldManager: 'argocd' });
    await server
      .cluster('kubectl-edit')
      .patch('Deployment', at, { type: 'merge', value: { spec: { minReadySeconds: 5 } } });
    const error = await refused(cluster.apply(deployment({ minReadySeconds: 1 }), holdfast), 409);
    assert.equal(
      error.answer,
      'Apply failed with 2 conflicts: conflicts with "argocd":\n- .spec.replicas\nconflicts with "kubectl-edit" using apps/v1:\n- .spec.minReadySeconds',
    );
  }));

test('a forced apply takes the field from the other manager; with the same value both own it', () =>
  inApi(async ({ cluster }) => {
    await cluster.apply(deployment({ replicas: 3 }), { fieldManager: 'argocd' });
    const shared = await cluster.apply(deployment({ replicas: 3 }), holdfast);
    assert.ok(
      owned(shared, 'argocd').includes('.spec.replicas') && owned(shared, 'holdfast').includes('.spec.replicas'),
    );
    const forced = await cluster.apply(deployment({ replicas: 2 }), { ...holdfast, force: true });
    assert.equal(forced.spec.replicas, 2);
    assert.ok(
      !owned(forced, 'argocd').includes('.spec.replicas') && owned(forced, 'holdfast').includes('.spec.replicas'),
    );
  }));

test('a field that is no longer applied is removed, unless another manager owns it too', () =>
  inApi(async ({ cluster }) => {
    const both = { 'a/one': '1', 'a/two': '2' };
    const annotated = (annotations: Record<string, string>) => {
      const object = deployment();
      return { ...object, metadata: { ...object.metadata, annotations } };
    };
    await cluster.apply(annotated(both), holdfast);
    await cluster.apply(annotated({ 'a/two': '2' }), { fieldManager: 'argocd' });
    const { metadata } = await cluster.apply(annotated({}), holdfast);
    assert.deepEqual(metadata.annotations, { 'a/two': '2' });
  }));

test('a container that is no longer applied is removed as a whole; defaults of the others stay', () =>
  inApi(async ({ cluster }) => {
    const template = (names: readonly string[]) => {
      const object = deployment();
      const containers = names.map((name) => ({ name, image: 'nginx' }));
      return deployment({ template: { ...object.spec.template, spec: { containers } } });
    };
    await cluster.apply(template(['a', 'b']), holdfast);
    const { spec } = await cluster.apply(template(['b']), holdfast);
    assert.deepEqual(
      spec.template.spec.containers.map(({ name }) => name),
      ['b'],
    );
    assert.equal(spec.template.spec.terminationGracePeriodSeconds, 30);
    assert.equal(Reflect.get(spec.template.spec.containers[0] ?? {}, 'imagePullPolicy'), 'Always');
  }));

test('an item that is no longer applied stays if another manager owns a part of it', () =>
  inApi(async ({ cluster, server }) => {
    const object = deployment();
    const side = { name: 'side', image: 'side' };
    const containers = [...object.spec.template.spec.containers, side];
    await cluster.apply(deployment({ template: { ...object.spec.template, spec: { containers } } }), holdfast);
    await server.cluster('kubectl').patch('Deployment', at, {
      type: 'strategic',
      value: { spec: { template: { spec: { containers: [{ name: 'side', image: 'side:2' }] } } } },
    });
    const { spec } = await cluster.apply(object, holdfast);
    assert.deepEqual(
      spec.template.spec.containers.map(({ image }) => image),
      ['nginx', 'side:2'],
    );
  }));

test('a dry run is answered like a real apply and stores nothing', () =>
  inApi(async ({ cluster }) => {
    const would = await cluster.apply(deployment(), { ...holdfast, dryRun: true });
    assert.equal(would.spec.strategy?.type, 'RollingUpdate');
    assert.equal(await cluster.get('Deployment', at), undefined);
    const created = await cluster.apply(deployment(), holdfast);
    const changed = await cluster.apply(deployment({ replicas: 4 }), { ...holdfast, dryRun: true });
    assert.deepEqual([changed.spec.replicas, changed.metadata.generation], [4, 2]);
    assert.equal(await cluster.get('Deployment', at), created);
  }));

test('applying creates a missing object, without the applied status', () =>
  inApi(async ({ cluster }) => {
    const withStatus = { ...deployment(), status: { readyReplicas: 7 } };
    const created = await cluster.apply(withStatus, holdfast);
    assert.equal(created.status?.readyReplicas, undefined);
    assert.ok(!owned(created, 'holdfast').some((path) => path.startsWith('.status')));
  }));

test('a controller that writes the status owns it under the subresource status', () =>
  inApi(async ({ cluster, server }) => {
    await cluster.create(deployment());
    const controller = server.cluster('kube-controller-manager');
    const status = { type: 'merge', value: { status: { unavailableReplicas: 2 }, spec: { replicas: 9 } } } as const;
    const { spec, metadata } = await controller.patch('Deployment', at, status, { subresource: 'status' });
    assert.equal(spec.replicas, 2);
    const entry = metadata.managedFields?.find(({ manager }) => manager === 'kube-controller-manager');
    assert.deepEqual(
      [entry?.subresource, entry?.fieldsV1],
      ['status', { 'f:status': { 'f:unavailableReplicas': {} } }],
    );
  }));

test('a list of a custom resource is owned as one value', () => {
  const spec = { disruption: { budgets: [{ nodes: '10%' }] }, template: { spec: { requirements: [{ key: 'a' }] } } };
  assert.deepEqual(paths(appliedFields({ spec }, shapeOf(served.NodePool)) ?? {}), [
    '.spec.disruption.budgets',
    '.spec.template.spec.requirements',
  ]);
});

const leaves = fc.uniqueArray(
  fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"name":"c"}', '.'), { minLength: 1, maxLength: 3 }),
);
const tree = leaves.map((list) =>
  list.reduce<Fields>((fields, path) => union(fields, toFields(path)), toFields(['f:a'])),
);
function toFields([step, ...rest]: readonly string[]): Fields {
  if (step === undefined || step === '.') return {};
  return { [step]: toFields(rest) };
}
const members = (fields: Fields | undefined) => new Set(fields === undefined ? [] : paths(fields));

test('union, intersection and difference of field sets are those of their paths', () => {
  fc.assert(
    fc.property(tree, tree, (a, b) => {
      const [inA, inB] = [members(a), members(b)];
      assert.deepEqual(members(union(a, b)), inA.union(inB));
      assert.deepEqual(members(intersection(a, b)), inA.intersection(inB));
      assert.deepEqual(members(difference(a, b)), inA.difference(inB));
      assert.equal(union(a, a), a);
    }),
  );
});

test('applying a difference to the fields of one version gives the fields of the other', () => {
  const value = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(
      fc.integer({ min: 0, max: 2 }),
      fc.dictionary(fc.constantFrom('d', 'e'), fc.integer({ min: 0, max: 2 }), { minKeys: 1 }),
    ),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(value, value, (before, after) => {
      const { set, removed } = compare(before, after, undefined);
      const of = (one: object) => members(compare({}, one, undefined).set);
      const [old, now] = [of(before), of(after)];
      for (const path of now.difference(old)) assert.ok(members(set).has(path), `${path} was set`);
      for (const path of members(set)) assert.ok(now.has(path));
      for (const path of members(removed)) assert.ok(old.has(path));
    }),
  );
});

test('a patch may name the owners anew, as kubectl does before its first server-side apply', () =>
  inApi(async ({ cluster }) => {
    const { metadata } = await cluster.create(deployment());
    const [entry] = metadata.managedFields ?? [];
    const rename = (managedFields: readonly object[]) =>
      cluster.patch('Deployment', at, { type: 'merge', value: { metadata: { managedFields } } });
    await rename([{ ...entry, manager: 'holdfast', operation: 'Apply' }]);
    const applied = await cluster.apply(deployment({ replicas: 7 }), holdfast);
    assert.equal(applied.spec.replicas, 7, 'no conflict with who created it');
    const kept = await rename([{ manager: 'nobody' }]);
    assert.deepEqual(kept.metadata.managedFields, applied.metadata.managedFields);
  }));
