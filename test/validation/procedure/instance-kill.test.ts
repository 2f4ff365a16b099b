import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { instanceKill } from '../../../src/validation/scenarios/instance-kill.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('an instance is terminated, its node becomes NotReady and is replaced, and clients fail for less than 60 s', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, result, observed } = await scenarioRun(t, instanceKill, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.ok((row.downtime?.upperSeconds ?? 99) <= 60);
    assert.match(
      observed('node-not-ready'),
      /^seen after (4\d|5\d) s/,
      'a grace of 50 s since the last lease of at most 10 s',
    );
    assert.ok((row.nodeReplacementSeconds ?? 0) > 60 && (row.podReadySeconds ?? 0) > (row.nodeReplacementSeconds ?? 0));
    assert.deepEqual(
      result.replacements.map(({ cause, ours }) => [cause, ours]),
      [['this run ended its instance', true]],
    );
    assert.equal(result.undo.find(({ action }) => action === 'terminate-instance')?.state, 'irreversible');
  }
});

test('with both replicas on the victim clients wait for a new node: criterion 3 is not met', async (t) => {
  const { row, result } = await scenarioRun(t, instanceKill, { defect: 'replicas-on-one-node' });
  assert.equal(row.verdict, 'fail');
  assert.equal(result.criteria[2]?.outcome, 'not-met');
});

test('a machine that boots slowly makes only the replacement slower', async (t) => {
  const [usual, slow] = [
    await scenarioRun(t, instanceKill),
    await scenarioRun(t, instanceKill, { defect: 'slow-boot' }),
  ];
  assert.equal(slow.row.verdict, 'pass');
  assert.ok((slow.row.nodeReplacementSeconds ?? 0) > (usual.row.nodeReplacementSeconds ?? 0) + 150);
});

test('the maximum downtime of an instance crash is a setting', async (t) => {
  const { row, result } = await scenarioRun(t, instanceKill, { settings: { instanceKill: { maximumDowntime: 5 } } });
  assert.equal(row.verdict, 'fail');
  assert.match(result.criteria[2]?.because ?? '', /5 s are allowed by the settings/);
});

test('a signal at the moment of the termination leaves no action open, whether the instance was terminated or not', async (t) => {
  const { facts, result } = await scenarioRun(t, instanceKill, {
    onFact(fact, _rehearsal, send) {
      if (fact.type === 'action-intended' && fact.action === 'terminate-instance') send('SIGINT');
    },
  });
  assert.equal(exitCodeOf(facts, result), 130);
  assert.ok(facts.every((fact) => fact.type !== 'action-performed' || fact.id !== 'terminate-instance'));
});

test('a person is asked before the first action of an instance kill, and nothing is done if it is not allowed', async (t) => {
  const done: string[] = [];
  const { row, facts } = await scenarioRun(t, instanceKill, {
    onFact: ({ type }) => done.push(type),
    allows: async (_, { host }) => {
      done.push('asked');
      await host.clock.sleep(1200);
      return false;
    },
  });
  assert.ok(done.slice(done.indexOf('asked')).every((type) => !type.startsWith('action-') || type === 'action-undone'));
  assert.equal(facts.filter((fact) => fact.type === 'action-intended' && fact.action !== 'apply-object').length, 0);
  assert.equal(row.verdict, 'inconclusive');
});

test('a person who takes long is asked once, and the plan is made again', async (t) => {
  const asked: string[] = [];
  let answeredAt = 0;
  const { row, facts } = await scenarioRun(t, instanceKill, {
    allows: async ({ typed }, { host }) => {
      asked.push(typed);
      await host.clock.sleep(600);
      answeredAt = host.clock.wallAt();
      return true;
    },
  });
  assert.equal(asked.length, 1);
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
  const [opened, ...others] = facts.filter(({ type }) => type === 'round-opened');
  assert.deepEqual(others, []);
  assert.ok(Date.parse(opened?.at ?? '') - answeredAt >= 29_000, 'after 30 good samples');
});
