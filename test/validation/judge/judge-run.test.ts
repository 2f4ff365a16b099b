import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRun } from '../../../src/validation/judge/judge-run.ts';
import type { LogView } from '../../../src/validation/judge/log-view.ts';
import type { RunResult } from '../../../src/validation/judge/run-result.ts';
import { watchedKinds } from '../../../src/validation/record/digest.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { change, claim, pod, stamp } from '../../support/changes.ts';
import { fact, finished, logWith, outage, runOf, scenarioFacts, started, verified } from '../../support/run-facts.ts';

function judged(facts: readonly ValidationFact[], log: LogView = logWith()): RunResult {
  const result = judgeRun(facts, log);
  assert.ok(result);
  return result;
}
const outcome = (result: RunResult, number: number) => result.criteria[number - 1]?.outcome;
const because = (result: RunResult, number: number) => result.criteria[number - 1]?.because ?? '';
const idsOf = ({ findings }: RunResult) => findings.map(({ id }) => id);
const row = ({ scenarios }: RunResult, name: string) => scenarios.find((one) => one.name === name);

const gone = (seconds: number, over = {}): readonly ValidationFact[] => [
  change(seconds, 'NodeClaim', 'claim-b', claim('b', { deletingAt: stamp(seconds), ...over })),
  change(seconds + 5, 'NodeClaim', 'claim-b', claim('b', { deletingAt: stamp(seconds), ...over }), 'deleted'),
];

test('a journal without run-started is no run', () => {
  assert.equal(judgeRun([verified, finished(10)], logWith()), undefined);
});

test('a node that is removed before the application was verified is no surprise, one after it is', () => {
  assert.equal(outcome(judged(runOf(gone(-100))), 6), 'not-tested');
  assert.equal(outcome(judged(runOf(gone(100))), 6), 'not-met');
});

test('an empty node that is removed in the window of consolidation is ours, in another window it is a surprise', () => {
  const empty = { disruptionReason: 'Empty' };
  const moved = change(50, 'Pod', 'pod-b', { ...podB, node: 'node-a' });
  const within = (name: string) => judged(runOf([moved], scenarioFacts({ name, from: 100 }), gone(110, empty)));
  assert.equal(outcome(within('consolidation'), 6), 'not-tested');
  assert.equal(outcome(within('disruption-budget'), 6), 'not-met');
});
const podB = { uid: 'b', createdAt: stamp(-100), ready: true, readyAt: stamp(-90), restarts: 0 };

test('ready endpoints below minAvailable are expected in single-replica, but not in node-drain or outside scenarios', () => {
  const none = change(110, 'EndpointSlice', 'slice', { ready: 0, terminating: 0 });
  const again = change(112, 'EndpointSlice', 'slice', { ready: 1, terminating: 0 });
  const within = (name: string) => judged(runOf(scenarioFacts({ name, from: 100 }), [none, again]));
  assert.equal(outcome(within('single-replica'), 4), 'not-tested');
  assert.equal(outcome(within('node-drain'), 4), 'not-met');
  assert.match(because(judged(runOf([none, again])), 4), /0 ready endpoints where the disruption budget wants 1/);
});

test('a kind that was not watched makes the whole run inconclusive', () => {
  for (const kind of watchedKinds) {
    const facts = runOf().filter((one) => !(one.type === 'cluster-watched' && one.kind === kind));
    const expected = kind === 'IngressPod' ? 'not-tested' : 'inconclusive';
    assert.deepEqual([outcome(judged(facts), 4), outcome(judged(facts), 6)], [expected, expected], kind);
  }
});

test('an outage outside all windows is a finding that makes the run inconclusive, but not before the application was verified', () => {
  const facts = runOf(scenarioFacts({ name: 'single-replica', from: 100 }));
  const seen = (from: number) => {
    const result = judged(facts, logWith([outage(from, 3)]));
    return [idsOf(result).includes('background-outage'), result.outages[0]?.scenario];
  };
  assert.deepEqual(seen(-1), [false, null]);
  assert.deepEqual(seen(0), [true, null]);
  assert.deepEqual(seen(99.999), [true, null]);
  assert.deepEqual(seen(100), [false, 'single-replica']);
  assert.deepEqual(seen(159.999), [false, 'single-replica']);
  assert.deepEqual(seen(160), [true, null]);
  const drain = runOf(scenarioFacts({ name: 'node-drain', from: 100 }));
  const verdicts = [[], [outage(0, 3)]].map((outages) => judged(drain, logWith(outages)).verdict);
  assert.deepEqual(verdicts, ['pass', 'inconclusive']);
});

test('an open window of a killed run lasts to the end of the log, and another open window to the end of its scenario', () => {
  const closes = (type: ValidationFact['type']) => type === 'window-closed' || type === 'scenario-finished';
  const whole = runOf(scenarioFacts({ name: 'single-replica', from: 100 }));
  const killed = whole.filter(({ type }) => !closes(type) && type !== 'run-finished');
  const left = whole.filter(({ type }) => type !== 'window-closed');
  const scenarioAt = (facts: readonly ValidationFact[], seconds: number) =>
    judged(facts, logWith([outage(seconds, 3)])).outages[0]?.scenario;
  assert.deepEqual(
    [scenarioAt(killed, 99), scenarioAt(killed, 100), scenarioAt(killed, 500)],
    [null, 'single-replica', 'single-replica'],
  );
  assert.deepEqual([scenarioAt(left, 110), scenarioAt(left, 500)], ['single-replica', null]);
  assert.equal(row(judged(killed), 'single-replica')?.verdict, 'inconclusive');
});

test('a run that is stopped during its undo makes its scenario inconclusive, because it did not wait for the result', () => {
  const missing = change(118, 'Pod', 'pod-b', podB, 'deleted');
  const drained = (...more: readonly ValidationFact[]) => {
    const { verdict, findings } =
      row(judged(runOf(scenarioFacts({ name: 'node-drain', from: 100 }), more)), 'node-drain') ?? {};
    return [verdict, findings?.filter(({ severity }) => severity === 'warning').map(({ observed }) => observed)];
  };
  assert.deepEqual(drained(missing), ['fail', []]);
  const because = 'the run ended before this scenario did';
  for (const type of ['run-interrupted', 'run-aborted']) {
    const stopped = fact(125, { type, signal: 'SIGINT', because: '9 s of downtime' });
    assert.deepEqual(drained(stopped), ['inconclusive', [because]]);
    assert.deepEqual(drained(stopped, missing), ['inconclusive', [because, '1 pods ready']]);
    const said = fact(126, {
      type: 'scenario-inconclusive',
      scenario: 'node-drain',
      because: 'stopped',
      brokenOff: true,
    });
    assert.deepEqual(drained(stopped, said), ['inconclusive', ['stopped']], 'once is enough');
  }
});

test('the limit for an instance crash comes from the settings of the run', () => {
  const { settings } = started() as Extract<ValidationFact, { type: 'run-started' }>;
  const own = started({ settings: { ...settings, instanceKill: { maximumDowntime: 30 } } });
  const [, ...rest] = runOf(scenarioFacts({ name: 'instance-kill', from: 100 }));
  const log = logWith([], { bad: 40, seconds: 40, lowerSeconds: 39, upperSeconds: 41 });
  assert.equal(outcome(judged([own, ...rest], log), 3), 'not-met');
  assert.notEqual(outcome(judged([started(), ...rest], log), 3), 'not-met');
});

test('an action without action-undone is not undone, and the run’s verdict is error', () => {
  const facts = runOf(scenarioFacts({ name: 'single-replica', from: 100 }));
  assert.deepEqual(judged(facts).undo, [
    { action: 'delete-pod', target: 'Pod a', state: 'not-needed', because: 'it is as before' },
  ]);
  const open = judged(facts.filter(({ type }) => type !== 'action-undone'));
  assert.deepEqual([open.undo[0]?.state, open.undo[0]?.because], ['failed', 'the run ended before it was undone']);
  assert.equal(open.verdict, 'error');
});

test('a damaged line makes its scenario and later changes of the cluster inconclusive; earlier scenarios keep their verdict', () => {
  const facts = runOf(scenarioFacts({ name: 'node-drain', from: 100 }), gone(3000));
  assert.deepEqual([judged(facts).verdict, idsOf(judged(facts)).includes('damaged-journal')], ['fail', false]);
  const drainAt = (type: ValidationFact['type']) => {
    const index = facts.findIndex((one) => one.type === type);
    const result = judged(facts.with(index, { at: facts[index - 1]?.at ?? '', type: 'line-damaged' }));
    return [row(result, 'node-drain')?.verdict, outcome(result, 6), result.verdict];
  };
  const openFromThere = ['inconclusive', 'inconclusive', 'inconclusive'];
  for (const type of ['cluster-watched', 'window-opened', 'scenario-settled', 'scenario-finished'] as const)
    assert.deepEqual(drainAt(type), openFromThere, type);
  assert.deepEqual(drainAt('scenario-started'), ['not-tested', 'inconclusive', 'inconclusive']);
  assert.deepEqual(drainAt('run-finished'), ['pass', 'inconclusive', 'inconclusive']);
  const settled = facts.findIndex(({ type }) => type === 'scenario-settled');
  const half = facts.with(settled, { at: facts[settled - 1]?.at ?? '', type: 'line-damaged' });
  const harmed = judged(half, logWith([], { bad: 2, seconds: 2 }));
  assert.deepEqual([row(harmed, 'node-drain')?.verdict, outcome(harmed, 2)], ['inconclusive', 'not-met']);
  assert.match(JSON.stringify(row(harmed, 'node-drain')?.findings), /a line of its journal is damaged/);
  const said = judged(facts.with(-1, { at: facts.at(-2)?.at ?? '', type: 'line-damaged' })).findings;
  assert.match(
    said.find(({ id }) => id === 'damaged-journal')?.observed ?? '',
    /^1 cannot, the first of them after 2026/,
  );
});

test('a window without samples has no downtime in its scenario and in the table', () => {
  const facts = runOf(scenarioFacts({ name: 'node-drain', from: 100 }));
  const figures = (samples: number) => {
    const result = judged(facts, logWith([], { samples }));
    const inTable = result.resultTable.find(({ scenario }) => scenario === 'Node drain')?.downtimeSeconds;
    return [row(result, 'node-drain')?.downtime?.seconds ?? null, inTable, result.verdict];
  };
  assert.deepEqual(
    [figures(1), figures(0)],
    [
      [0, 0, 'pass'],
      [null, null, 'inconclusive'],
    ],
  );
});

test('a run that was interrupted, aborted, failed or killed has a finding that says so', () => {
  const without = runOf().filter(({ type }) => type !== 'run-finished');
  assert.deepEqual(
    idsOf(judged(runOf())).filter((id) => id === 'unfinished'),
    [],
  );
  assert.ok(idsOf(judged(without)).includes('unfinished'));
  assert.ok(idsOf(judged(runOf([fact(50, { type: 'run-interrupted', signal: 'SIGTERM' })]))).includes('interrupted'));
  assert.ok(idsOf(judged(runOf([fact(50, { type: 'run-aborted', because: 'x' })]))).includes('aborted'));
  assert.ok(idsOf(judged(runOf([fact(50, { type: 'run-failed', because: 'x' })]))).includes('failed'));
});

test('the findings include those of phases 1 and 3, node requirements and unexplained nodes', () => {
  const check = { id: 'clocks', severity: 'info', subject: 'clock', expected: '', observed: '', advice: '' };
  const came = change(3000, 'NodeClaim', 'claim-c', claim('c'), 'added');
  const labels = { 'karpenter.sh/nodepool': 'pool', 'kubernetes.io/arch': 'amd64' };
  const wrong = change(3000, 'Node', 'node-c', { ...nodeB, uid: 'c', labels }, 'added');
  const expectations = [{ id: 'welcome-page', expected: 'x', outcome: 'met', observed: 'y' }];
  const [first, ...rest] = runOf([came, wrong]).filter((one) => one !== verified);
  assert.ok(first);
  const finding = fact(-295, { type: 'check-finished', mandatory: true, finding: check });
  const result = judged([first, finding, fact(0, { type: 'application-verified', expectations }), ...rest]);
  assert.deepEqual(
    ['clocks', 'welcome-page', 'node-arrival', 'node-requirements'].filter((id) => !idsOf(result).includes(id)),
    [],
  );
});

test('a scenario that was not started is not tested, and one that did not finish is inconclusive', () => {
  const facts = runOf(scenarioFacts({ name: 'node-drain', from: 100 }));
  const result = judged(facts);
  assert.equal(row(result, 'load')?.verdict, 'not-tested');
  assert.deepEqual([row(result, 'node-drain')?.verdict, row(result, 'node-drain')?.downtime?.samples], ['pass', 300]);
  const torn = judged(facts.filter(({ type }) => type !== 'scenario-finished' && type !== 'run-finished'));
  assert.equal(row(torn, 'node-drain')?.verdict, 'inconclusive');
  assert.match(JSON.stringify(row(torn, 'node-drain')?.findings), /the run ended before this scenario did/);
  const open = judged(facts.filter(({ type }) => type !== 'window-closed'));
  assert.deepEqual([row(open, 'node-drain')?.verdict, row(open, 'node-drain')?.downtime], ['inconclusive', null]);
});

test('a scenario’s doubts, notes and verified actions count', () => {
  const scenario = 'node-drain';
  const made = (more: object) => judged(runOf(scenarioFacts({ name: scenario, from: 100, more: [fact(105, more)] })));
  const expectation = (verdict: string) => ({ id: 'x', expected: 'e', outcome: verdict, observed: 'o' });
  const doubt = made({ type: 'scenario-inconclusive', scenario, because: 'unknown' });
  assert.equal(row(doubt, scenario)?.verdict, 'inconclusive');
  const verdicts = (['met', 'noted', 'not-met', 'inconclusive'] as const).map((one) => [
    row(made({ type: 'scenario-noted', scenario, expectation: expectation(one) }), scenario)?.verdict,
    row(made({ type: 'action-verified', id: 'y', expectation: expectation(one) }), scenario)?.verdict,
  ]);
  assert.deepEqual(verdicts, [
    ['pass', 'pass'],
    ['pass', 'pass'],
    ['fail', 'fail'],
    ['inconclusive', 'inconclusive'],
  ]);
});

test('a time of the API that contradicts the watch is a warning of its scenario, and changes no verdict', () => {
  const came = (readyAt: number) =>
    change(106, 'Pod', 'new', pod('new', { createdAt: stamp(103), readyAt: stamp(readyAt), ready: true }));
  const findings = (readyAt: number) => {
    const result = row(judged(runOf(scenarioFacts({ name: 'node-drain', from: 100 }), [came(readyAt)])), 'node-drain');
    const found = result?.findings.filter(({ id }) => id === 'witnesses') ?? [];
    return [result?.verdict, ...found.map(({ severity, observed }) => `${severity}: ${observed}`)];
  };
  const [verdict, ...none] = findings(105);
  assert.deepEqual(none, []);
  assert.deepEqual(findings(150), [
    verdict,
    `warning: new: the API says ${stamp(150)}, 43.0 s apart from what this machine saw`,
  ]);
});

test('a scenario is measured by the nodes that it removed itself, and by the outages in its own window', () => {
  const killed = { action: 'terminate-instance', node: 'node-b' };
  const notReady = change(110, 'Node', 'node-b', { ...nodeB, ready: false });
  const kill = scenarioFacts({ name: 'instance-kill', from: 100, intended: killed });
  const earlier = scenarioFacts({ name: 'node-drain', from: -200, intended: { action: 'drain-node', node: 'node-a' } });
  const { findings = [] } = row(judged(runOf(earlier, kill, [notReady])), 'instance-kill') ?? {};
  assert.match(findings.find(({ id }) => id === 'node-not-ready')?.observed ?? '', /^seen after 9 s/);
  const name = (seconds: number, code: string, by = 'authority') =>
    fact(seconds, { type: 'name-seen', by, code, values: ['x'], ttlSeconds: 60 });
  const more = [name(100, 'NOERROR'), name(103, 'NXDOMAIN'), name(110, 'NOERROR')];
  const dns = runOf(scenarioFacts({ name: 'dns-failure', from: 100, more }));
  const tail = (from: number) => row(judged(dns, logWith([outage(from, 30)])), 'dns-failure')?.dns?.clientTailSeconds;
  assert.deepEqual([tail(99), tail(105), tail(160)], [null, 25, null]);
});
const nodeB = { uid: 'b', createdAt: stamp(-600), ready: true, cordoned: false, disrupted: false, labels: {} };

test('the expectations of a scenario that was broken off are inconclusive, but its downtime counts', () => {
  const scenario = 'scale-up';
  const because = 'the API server was away';
  const expectation = { id: 'x', expected: 'e', outcome: 'inconclusive', observed: 'o' };
  const podsReady = (facts: readonly ValidationFact[]) =>
    row(judged(facts), scenario)?.findings.find(({ id }) => id === 'pods-ready')?.severity;
  const broken = (...more: object[]) =>
    runOf(scenarioFacts({ name: scenario, from: 100, more: more.map((one) => fact(103, one)) }));
  assert.equal(podsReady(broken()), 'error');
  assert.equal(podsReady(broken({ type: 'scenario-inconclusive', scenario, because: 'it did not settle' })), 'error');
  const ends = [
    { type: 'action-failed', id: 'scale-up 1', because },
    { type: 'action-verified', id: 'scale-up 1', expectation },
    { type: 'scenario-inconclusive', scenario, because, brokenOff: true },
  ];
  const cut = broken().filter(({ type }) => type !== 'scenario-finished' && type !== 'run-finished');
  for (const facts of [cut, ...ends.map((end) => broken(end))]) {
    assert.equal(podsReady(facts), 'warning');
    assert.notEqual(row(judged(facts), scenario)?.verdict, 'fail');
    const harmed = judged(facts, logWith([], { bad: 3, seconds: 3, lowerSeconds: 2, upperSeconds: 4 }));
    assert.equal(outcome(harmed, 1), 'not-met');
  }
});

test('a window without an action is not judged', () => {
  const facts = runOf(scenarioFacts({ name: 'node-drain', from: 100 }));
  const idle = judged(facts.filter(({ type }) => type !== 'action-intended'));
  assert.deepEqual([row(idle, 'node-drain')?.verdict, row(idle, 'node-drain')?.downtime], ['inconclusive', null]);
});

test('a kind without any object was not watched, except PodDisruptionBudget, which may be absent', () => {
  const silent = (kind: string) =>
    judged(runOf().filter((one) => !(one.type === 'cluster-changed' && one.kind === kind)));
  assert.equal(outcome(silent('NodeClaim'), 6), 'inconclusive');
  assert.equal(outcome(silent('PodDisruptionBudget'), 4), 'not-tested');
});

test('a scenario without scenario-finished ends where the next one starts', () => {
  const first = scenarioFacts({ name: 'node-drain', from: 100 });
  const doubt = fact(320, { type: 'scenario-inconclusive', scenario: 'load', because: 'no load' });
  const facts = runOf(first, scenarioFacts({ name: 'load', from: 300, more: [doubt] }));
  const result = judged(facts.filter((one) => !(one.type === 'scenario-finished' && one.scenario === 'node-drain')));
  assert.deepEqual([row(result, 'node-drain')?.verdict, row(result, 'load')?.verdict], ['pass', 'inconclusive']);
});
