import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptance, type RunEvidence } from '../../../src/validation/judge/acceptance.ts';
import { downtime, notTestedResult, scenarioResult, tenScenarios } from '../../support/results.ts';

const good: RunEvidence = {
  scenarios: tenScenarios(),
  replacements: [],
  massEvictions: [],
  clusterWatched: true,
  ended: true,
  maximumDowntimeSeconds: 60,
};

function outcome(number: number, over: Partial<RunEvidence>): string | undefined {
  return acceptance({ ...good, ...over })[number - 1]?.outcome;
}
const otherwise = (...results: ReturnType<typeof scenarioResult>[]) => ({
  scenarios: tenScenarios(Object.fromEntries(results.map((result) => [result.name, result]))),
});
const deciding = [
  [1, 'scale-up'],
  [2, 'node-drain'],
  [3, 'instance-kill'],
  [5, 'disruption-budget'],
] as const;
const bad = downtime({ bad: 3, seconds: 3, lowerSeconds: 2, upperSeconds: 4 });
const unseen = downtime({ unknown: 4, unknownSeconds: 4 });

test('ten good scenarios meet the six criteria', () => {
  assert.deepEqual(
    acceptance(good).map((criterion) => criterion.outcome),
    Array(6).fill('met'),
  );
});

test('a scenario that has nothing to disturb is not missed', () => {
  const row = { ...notTestedResult('ingress-controller-failure'), notApplicable: 'no Ingress' };
  assert.equal(outcome(4, otherwise(row)), 'met');
  assert.equal(outcome(6, otherwise(row)), 'met');
  assert.equal(outcome(6, otherwise(notTestedResult('ingress-controller-failure'))), 'not-tested');
});

test('a criterion none of whose scenarios has anything to disturb says so; with one of them it is decided by the others', () => {
  const needless = (name: string) => ({ ...notTestedResult(name), notApplicable: 'no replicas' });
  const [none] = acceptance({ ...good, ...otherwise(needless('scale-up'), needless('scale-down')) });
  const because = 'nothing to test it: no replicas';
  assert.deepEqual([none?.outcome, none?.because, none?.notApplicable], ['not-tested', because, because]);
  const [one] = acceptance({ ...good, ...otherwise(needless('scale-up')) });
  assert.deepEqual([one?.outcome, one?.notApplicable], ['met', undefined]);
});

test('one bad sample in scale-up or scale-down: no downtime during scaling is not met', () => {
  assert.equal(outcome(1, otherwise(scenarioResult('scale-up', { downtime: bad }))), 'not-met');
  assert.equal(outcome(1, otherwise(scenarioResult('scale-down', { downtime: bad }))), 'not-met');
  assert.equal(outcome(2, otherwise(scenarioResult('scale-down', { downtime: bad }))), 'met');
});

test('a single bad sample decides, even if other scenarios were not tested', () => {
  const once = scenarioResult('scale-up', { downtime: downtime({ bad: 1, seconds: 1 }) });
  assert.equal(outcome(1, otherwise(once)), 'not-met');
  assert.equal(outcome(1, otherwise(once, notTestedResult('scale-down'))), 'not-met');
});

test('a scenario that was started and has no result makes its criterion inconclusive, with the reason', () => {
  const warning = {
    id: 'x',
    severity: 'warning',
    subject: '',
    expected: 'a victim',
    observed: 'none',
    advice: '',
  } as const;
  const begun = (name: string, findings: readonly (typeof warning)[] = []) =>
    scenarioResult(name, { ...notTestedResult(name), verdict: 'inconclusive', nodesReplaced: null, findings });
  for (const [number, name] of deciding) {
    assert.equal(outcome(number, otherwise(begun(name))), 'inconclusive', name);
    const { because } = acceptance({ ...good, ...otherwise(begun(name, [warning])) })[number - 1] ?? { because: '' };
    assert.match(because, /a victim: none/);
  }
});

test('unknown samples make the first two criteria inconclusive', () => {
  assert.equal(outcome(1, otherwise(scenarioResult('scale-up', { downtime: unseen }))), 'inconclusive');
  assert.equal(outcome(2, otherwise(scenarioResult('node-drain', { downtime: unseen }))), 'inconclusive');
  assert.equal(
    outcome(2, otherwise(scenarioResult('node-drain', { downtime: downtime({ samples: 0 }) }))),
    'inconclusive',
  );
});

test('an inconclusive scenario meets no criterion', () => {
  for (const [number, name] of deciding)
    assert.equal(outcome(number, otherwise(scenarioResult(name, { verdict: 'inconclusive' }))), 'inconclusive');
});

test('witnesses that contradict each other are a warning, and decide no criterion', () => {
  const apart = { id: 'witnesses', severity: 'warning' as const, subject: '', expected: '', observed: '', advice: '' };
  const other = { ...apart, id: 'settled' };
  const decided = (finding: typeof apart) =>
    outcome(2, otherwise(scenarioResult('node-drain', { findings: [finding] })));
  assert.deepEqual([decided(apart), decided(other)], ['met', 'inconclusive']);
});

test('a scenario that failed because it did not settle meets no criterion, even without downtime', () => {
  const severe = (severity: 'warning' | 'error') =>
    ({ id: 'x', severity, subject: '', expected: '5 pods ready', observed: '2', advice: '' }) as const;
  for (const [number, name] of deciding) {
    const failed = (...findings: readonly ReturnType<typeof severe>[]) =>
      otherwise(scenarioResult(name, { verdict: 'fail', findings }));
    assert.equal(outcome(number, failed(severe('error'), severe('warning'))), 'inconclusive', name);
    assert.equal(outcome(number, failed(severe('error'))), 'met', name);
  }
});

test('downtime in node-drain: no downtime during node drain is not met', () => {
  assert.equal(outcome(2, otherwise(scenarioResult('node-drain', { downtime: bad }))), 'not-met');
});

test('what a criterion says of a downtime is the figure of all outputs, and not zero if that is not', () => {
  const because = (number: number, name: string, over: Parameters<typeof downtime>[0]) =>
    acceptance({ ...good, ...otherwise(scenarioResult(name, { downtime: downtime({ bad: 1, ...over }) })) })[number - 1]
      ?.because;
  const short = { seconds: 0.02, upperSeconds: 0.04 };
  assert.equal(because(2, 'node-drain', short), 'node-drain: < 0.1 s of downtime');
  const slow = { seconds: 3, lowerSeconds: 2, upperSeconds: 4, slowSeconds: 1 };
  assert.equal(because(2, 'node-drain', slow), 'node-drain: 2.0–4.0 s of downtime');
  assert.equal(because(3, 'instance-kill', slow), 'instance-kill: 2.0–4.0 s of downtime');
  const partial = {
    spanSeconds: 47.4,
    lowerSeconds: 47.2,
    upperSeconds: 49.532,
    share: 0.46,
    shareLower: 0.4,
    shareUpper: 0.52,
  };
  const half = { seconds: 21.68, lowerSeconds: 7.2, upperSeconds: 49.532, slowSeconds: 10.1, partial };
  assert.equal(because(3, 'instance-kill', half), 'instance-kill: 47.4 s of downtime, 46 % of requests');
  const near = { seconds: 59.8, lowerSeconds: 58.9, upperSeconds: 61.2 };
  assert.match(because(3, 'instance-kill', near) ?? '', /^instance-kill: 59\.8 s of downtime \(58\.9–61\.2 s\); /);
});

test('at most 60 seconds is met by the upper bound and not met by the lower', () => {
  const crash = (lowerSeconds: number, upperSeconds: number) =>
    outcome(
      3,
      otherwise(scenarioResult('instance-kill', { downtime: downtime({ bad: 1, lowerSeconds, upperSeconds }) })),
    );
  assert.equal(crash(58, 60), 'met');
  assert.equal(crash(59, 61), 'inconclusive');
  assert.equal(crash(60.001, 62.001), 'not-met');
});

test('the limit for an instance crash is a setting, and the criterion’s reason names it', () => {
  const crash = scenarioResult('instance-kill', { downtime: downtime({ bad: 1, lowerSeconds: 80, upperSeconds: 82 }) });
  const decided = (maximumDowntimeSeconds: number) =>
    acceptance({ ...good, ...otherwise(crash), maximumDowntimeSeconds })[2];
  assert.equal(decided(60)?.outcome, 'not-met');
  assert.equal(decided(120)?.outcome, 'met');
  assert.match(decided(120)?.because ?? '', /120 s are allowed by the settings/);
});

test('unknown seconds of a crash may have been downtime', () => {
  const crash = (unknownSeconds: number) =>
    outcome(
      3,
      otherwise(scenarioResult('instance-kill', { downtime: downtime({ bad: 1, upperSeconds: 50, unknownSeconds }) })),
    );
  assert.deepEqual([crash(10), crash(11)], ['met', 'inconclusive']);
});

test('one mass eviction is enough for not met, whatever was not tested', () => {
  const massEvictions = ['2 nodes disrupted at once where the budget allows 1'];
  assert.equal(outcome(4, { massEvictions }), 'not-met');
  assert.equal(outcome(4, { massEvictions, ...otherwise(notTestedResult('load')) }), 'not-met');
});

test('only one node replaced: with two it is not met, with none inconclusive', () => {
  const replaced = (nodesReplaced: number, maxConcurrentDisruptions: number) =>
    outcome(5, otherwise(scenarioResult('disruption-budget', { nodesReplaced, maxConcurrentDisruptions })));
  assert.equal(replaced(1, 1), 'met');
  assert.equal(replaced(2, 1), 'not-met');
  assert.equal(replaced(1, 2), 'not-met');
  assert.equal(replaced(0, 0), 'inconclusive');
});

test('a replacement that this run did not cause is a surprise, and named', () => {
  const gone = { nodeClaim: 'general-purpose-arm-x', node: null, cause: 'expiration', at: '2026-11-20T10:00:00.000Z' };
  const [, , , , , criterion] = acceptance({ ...good, replacements: [{ ...gone, ours: false }] });
  assert.equal(criterion?.outcome, 'not-met');
  assert.match(criterion?.because ?? '', /general-purpose-arm-x: expiration/);
  assert.equal(outcome(6, { replacements: [{ ...gone, ours: true }] }), 'met');
});

test('a cluster that was not watched makes criteria 4 and 6 inconclusive', () => {
  assert.equal(outcome(4, { clusterWatched: false }), 'inconclusive');
  assert.equal(outcome(6, { clusterWatched: false }), 'inconclusive');
});

test('a run that tested nothing meets no criterion, whether the cluster was watched or not', () => {
  const scenarios = good.scenarios.map(({ name }) => notTestedResult(name));
  const reasons = (clusterWatched: boolean) =>
    acceptance({ ...good, scenarios, clusterWatched }).map(({ because }) => because);
  assert.deepEqual([reasons(true)[3], reasons(true)[5]], ['no scenario was tested', 'no scenario was tested']);
  for (const because of [...reasons(true), ...reasons(false)])
    assert.match(because, /\bwas not |^no scenario was tested$/);
});

test('a scenario that was started and has no window makes criteria 4 and 6 inconclusive', () => {
  const scenarios = good.scenarios.map((one, index) => (index === 3 ? { ...one, window: null } : one));
  assert.deepEqual([outcome(4, { scenarios }), outcome(6, { scenarios })], ['inconclusive', 'inconclusive']);
});

test('a run that was killed makes criteria 4 and 6 inconclusive, even in its last scenario', () => {
  assert.deepEqual([outcome(4, { ended: false }), outcome(6, { ended: false })], ['inconclusive', 'inconclusive']);
  assert.equal(outcome(1, { ended: false }), 'met', 'a scenario that finished keeps its result');
});

test('a criterion whose scenario was not tested is not tested, never met', () => {
  const scenarios = good.scenarios.map(({ name }) => notTestedResult(name));
  assert.deepEqual(
    acceptance({ ...good, scenarios }).map((criterion) => criterion.outcome),
    Array(6).fill('not-tested'),
  );
  assert.equal(outcome(1, otherwise(notTestedResult('scale-down'))), 'not-tested');
  assert.equal(outcome(4, otherwise(notTestedResult('dns-failure'))), 'not-tested');
});
