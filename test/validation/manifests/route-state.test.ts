import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HttpRoute } from '../../../src/cluster/gateway-api.ts';
import { sharers, stateOf } from '../../../src/validation/manifests/route-state.ts';

const conditionOf = (type: string) => ({ type, status: 'True' as const, observedGeneration: 2 });
const [accepted, resolved] = [conditionOf('Accepted'), conditionOf('ResolvedRefs')];
const taken = [accepted, resolved];
const parent = (conditions: readonly object[] = taken) => ({ parentRef: { name: 'edge' }, conditions });
const route = (backendRefs: readonly object[], ...parents: readonly object[]): HttpRoute =>
  ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'front', namespace: 'shop', generation: 2 },
    spec: { rules: [{ backendRefs }] },
    status: { parents },
  }) as HttpRoute;
const web = { name: 'web', port: 80 };

test('a route is served when every parent has accepted it and found its backends', () => {
  assert.deepEqual(stateOf(route([web], parent()), 'web'), {
    isServed: true,
    observed: 'accepted by edge, its backends found',
  });
  const unserved: readonly (readonly [RegExp, readonly object[]])[] = [
    [/^no controller has taken it/, []],
    [/^edge says nothing of ResolvedRefs$/, [parent([accepted])]],
    [
      /^edge: Accepted is False \(NotAllowedByListeners\): another namespace$/,
      [
        parent([
          { ...accepted, status: 'False', reason: 'NotAllowedByListeners', message: 'another namespace' },
          resolved,
        ]),
      ],
    ],
    [
      /^edge: Accepted is of an older generation of the route$/,
      [parent([{ ...accepted, observedGeneration: 1 }, resolved])],
    ],
    [/^edge says nothing of Accepted/, [parent(), parent([resolved])]],
  ];
  for (const [said, parents] of unserved) {
    const { isServed, observed } = stateOf(route([web], ...parents), 'web');
    assert.equal(isServed, false, observed);
    assert.match(observed, said);
  }
  const { status: _, ...without } = route([web]);
  assert.equal(stateOf(without, 'web').isServed, false);
  const unnumbered = parent(taken.map(({ type, status }) => ({ type, status })));
  assert.equal(stateOf(route([web], unnumbered), 'web').isServed, true, 'not every controller says the generation');
});

test('a route that sends to another Service, to nobody, or with the weight 0 does not lead to the application', () => {
  const elsewhere: readonly (readonly [RegExp, readonly object[]])[] = [
    [/^it sends to nothing, and not to Service web$/, []],
    [/^it sends to api, and not to Service web$/, [{ name: 'api', port: 80 }]],
    [/^it sends to nothing/, [{ ...web, weight: 0 }]],
    [/^it sends to web, and not/, [{ ...web, namespace: 'other' }]],
    [/^it sends to web, and not/, [{ ...web, kind: 'ServiceImport' }]],
  ];
  for (const [said, backends] of elsewhere) {
    const { isServed, observed } = stateOf(route(backends, parent()), 'web');
    assert.equal(isServed, false);
    assert.match(observed, said);
  }
});

test('whoever gets a part of the requests is named, and nobody else', () => {
  const names = fc.constantFrom('web', 'api', 'canary', 'docs');
  const backend = fc.record({ name: names, port: fc.constant(80) }, { requiredKeys: ['name', 'port'] });
  const weighted = fc.tuple(backend, fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }));
  const rule = fc.array(weighted, { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 3 }), (rules) => {
      const spec = {
        rules: rules.map((backends) => ({
          backendRefs: backends.map(([one, weight]) => ({ ...one, ...(weight === undefined ? {} : { weight }) })),
        })),
      };
      const getting = rules.map((backends) => backends.filter(([, weight]) => weight !== 0).map(([{ name }]) => name));
      const expected = new Set(
        getting
          .filter((all) => all.includes('web'))
          .flat()
          .filter((name) => name !== 'web'),
      );
      assert.deepEqual(new Set(sharers({ ...route([]), spec }, 'web')), expected);
    }),
  );
});
