import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { together } from '../../../src/validation/plan/together.ts';
import { type Settings, validationSchema } from '../../../src/validation/settings.ts';

/** An application that has everything for itself, but for what is given. */
const app = (application: string, over: object = {}): Settings =>
  validationSchema.parse({
    application,
    namespace: application,
    url: `http://${application}.example.com/`,
    nodePool: { name: `pool-${application}` },
    ingressController: { namespace: `ingress-${application}` },
    dnsAutomation: { namespace: `dns-${application}` },
    disruptionBudget: application,
    ...over,
  });

const sharesOf = (one: object, other: object) => together([app('a', one), app('b', other)]).pairs[0]?.shares ?? [];

test('applications of one pool share its drains, those of separate pools do not', () => {
  const pool = { nodePool: { name: 'arm' } };
  assert.deepEqual(sharesOf(pool, pool), [
    {
      what: 'the pool arm',
      scenarios: ['scale-up', 'node-drain', 'instance-kill', 'disruption-budget', 'consolidation'],
    },
  ]);
  assert.deepEqual(sharesOf({}, {}), []);
});

test('without Karpenter the pool is the labels of the nodes, whatever their order', () => {
  const nodes = (selector: string) => ({ autoscaler: { kind: 'none' }, nodePool: { selector } });
  assert.deepEqual(
    sharesOf(nodes('a=1,b=2'), nodes('b=2,a=1')).map(({ what }) => what),
    ['the nodes with a=1,b=2'],
  );
  assert.deepEqual(sharesOf(nodes('a=1'), nodes('a=2')), []);
});

test('one ingress controller, one DNS automation, one name and one budget are shared too', () => {
  const shared = {
    ingressController: { namespace: 'ingress' },
    dnsAutomation: { namespace: 'dns' },
    url: 'http://shop.example.com/a',
    namespace: 'shop',
    disruptionBudget: 'web',
  };
  assert.deepEqual(
    sharesOf(shared, { ...shared, url: 'http://shop.example.com/b' }).map(({ what }) => what),
    [
      'the ingress controller in ingress',
      'the DNS automation in dns, which the scenario pauses',
      'the name shop.example.com',
      'the budget shop/web, which counts the pods of both',
    ],
  );
  assert.deepEqual(
    sharesOf({ disruptionBudget: null, namespace: 'x' }, { disruptionBudget: null, namespace: 'x' }),
    [],
  );
  const direct = { manifests: 'none', ingress: null, ingressController: { namespace: 'ingress' } };
  assert.deepEqual(sharesOf(direct, direct), [], 'visitors come through load balancers of their own');
});

test('the steps hold every application once, and none beside one with which it shares something', () => {
  const pools = fc.array(fc.record({ pool: fc.nat(3), ingress: fc.nat(3) }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(pools, (given) => {
      const all = given.map(({ pool, ingress }, index) =>
        app(`app-${index}`, { nodePool: { name: `p${pool}` }, ingressController: { namespace: `i${ingress}` } }),
      );
      const { pairs, steps } = together(all);
      assert.deepEqual(
        steps.flat().toSorted(),
        all.map(({ application }) => `${application}/${application}`).toSorted(),
      );
      for (const {
        applications: [a, b],
        shares,
      } of pairs)
        if (shares.length > 0) assert.ok(!steps.some((step) => step.includes(a) && step.includes(b)));
      assert.equal(pairs.length, (all.length * (all.length - 1)) / 2);
    }),
    { numRuns: 100 },
  );
});
