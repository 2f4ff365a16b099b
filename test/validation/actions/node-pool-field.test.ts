import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DisruptionBudget, NodePool } from '../../../src/cluster/autoscaler.ts';
import { setBudget, setConsolidateAfter } from '../../../src/validation/actions/node-pool-field.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';

const pool = manifests(validationSchema.parse({})).find(({ kind }) => kind === 'NodePool') as NodePool;
const name = pool.metadata.name;
const ours = [{ nodes: '1' }];
const never = new AbortController().signal;

const disruptionOf = async ({ cluster }: ApiSite) =>
  JSON.stringify((await cluster.get('NodePool', { name }))?.spec.disruption);
const setTo = ({ cluster }: ApiSite, disruption: object) =>
  cluster.patch('NodePool', { name }, { type: 'merge', value: { spec: { disruption } } });

test('the budgets are set, and restored to the byte', () =>
  apiSite(async (at) => {
    await at.put(pool);
    const before = await disruptionOf(at);
    const intent = await setBudget.prepare(at.site, { nodePool: name, value: ours });
    await setBudget.perform(at.site, intent, never);
    assert.equal((await setBudget.verify(at.site, intent)).outcome, 'met');
    assert.match((await disruptionOf(at)) ?? '', /"budgets":\[\{"nodes":"1"\}\]/);
    assert.equal((await setBudget.undo(at.site, intent)).state, 'undone');
    assert.equal(await disruptionOf(at), before);
    assert.equal((await setBudget.undo(at.site, intent)).state, 'not-needed', 'a second time');
  }));

test('any budgets, or none, are restored as they were', () =>
  fc.assert(
    fc.asyncProperty(
      fc.option(fc.array(budget, { minLength: 1, maxLength: 4 }), { nil: undefined }),
      async (budgets) => {
        await apiSite(async (at) => {
          const { budgets: _, ...rest } = pool.spec.disruption ?? {};
          const disruption = budgets === undefined ? rest : { budgets, ...rest };
          await at.put({ ...pool, spec: { ...pool.spec, disruption } });
          const before = await disruptionOf(at);
          const intent = JSON.parse(JSON.stringify(await setBudget.prepare(at.site, { nodePool: name, value: ours })));
          await setBudget.perform(at.site, intent, never);
          const { state } = await setBudget.undo(at.site, intent);
          assert.equal(state, before === JSON.stringify({ budgets: ours, ...rest }) ? 'not-needed' : 'undone');
          assert.deepEqual(JSON.parse((await disruptionOf(at)) ?? ''), JSON.parse(before ?? ''));
        });
      },
    ),
    { numRuns: 25 },
  ));

const budget: fc.Arbitrary<DisruptionBudget> = fc.record(
  {
    nodes: fc.oneof(
      fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`),
      fc.nat(50).map(String),
    ),
    reasons: fc.uniqueArray(fc.constantFrom('Underutilized', 'Empty', 'Drifted'), { minLength: 1 }),
  },
  { requiredKeys: ['nodes'] },
);

test('a change of somebody else is kept and reported, and never overwritten', () =>
  apiSite(async (at) => {
    await at.put(pool);
    const intent = await setBudget.prepare(at.site, { nodePool: name, value: ours });
    await setBudget.perform(at.site, intent, never);
    await setTo(at, { budgets: [{ nodes: '3' }] });
    const end = await setBudget.undo(at.site, intent);
    assert.equal(end.state, 'kept');
    assert.match(
      end.because,
      /somebody set budgets to \[\{"nodes":"3"\}\] meanwhile; before the run it was \[\{"nodes":"10%"\}\]/,
    );
    assert.match((await disruptionOf(at)) ?? '', /"nodes":"3"/);
  }));

test('after a change between reading and writing the server refuses the whole patch', () =>
  apiSite(async (at) => {
    await at.put(pool);
    const intent = await setBudget.prepare(at.site, { nodePool: name, value: ours });
    await setTo(at, { budgets: [{ nodes: '3' }] });
    await assert.rejects(setBudget.perform(at.site, intent, never), { name: 'ApiError' });
    assert.match((await disruptionOf(at)) ?? '', /"nodes":"3"/);
  }));

test('consolidateAfter is set in the same way, and the budgets stay', () =>
  apiSite(async (at) => {
    await at.put(pool);
    const before = await disruptionOf(at);
    const intent = await setConsolidateAfter.prepare(at.site, { nodePool: name, value: '2m' });
    await setConsolidateAfter.perform(at.site, intent, never);
    assert.equal(await disruptionOf(at), before?.replace('"1h"', '"2m"'));
    await setConsolidateAfter.undo(at.site, intent);
    assert.equal(await disruptionOf(at), before);
  }));

test('the undo by hand is the same patch', async () => {
  const intent = { nodePool: name, value: ours, original: [{ nodes: '10%' }] };
  assert.equal(
    setBudget.byHand(intent),
    `kubectl patch nodepool ${name} --type=json -p='[{"op":"test","path":"/spec/disruption/budgets","value":[{"nodes":"1"}]},{"op":"add","path":"/spec/disruption/budgets","value":[{"nodes":"10%"}]}]'`,
  );
});

test('a pool that is gone needs no undo', () =>
  apiSite(async (at) => {
    await at.put(pool);
    const intent = await setBudget.prepare(at.site, { nodePool: name, value: ours });
    await setBudget.perform(at.site, intent, never);
    await at.cluster.delete('NodePool', { name });
    assert.equal((await setBudget.undo(at.site, intent)).state, 'not-needed');
  }));

test('a missing pool is an error', () =>
  apiSite(async (at) => {
    await assert.rejects(
      setBudget.prepare(at.site, { nodePool: name, value: ours }),
      /NodePool general-purpose-arm: there is none/,
    );
  }));
