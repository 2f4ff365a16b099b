import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult } from '../../../src/validation/judge/run-result.ts';
import { withApplications } from '../../../src/validation/judge/with-applications.ts';
import type { ApplicationRehearsed } from '../../../src/validation/record/application-rehearsed.ts';

const application = (name: string) => ({
  kind: 'Deployment',
  namespace: 'shop',
  name,
  host: `${name}.test`,
  path: '/',
});
const downtime = (upperSeconds: number) => ({ seconds: upperSeconds, lowerSeconds: 0, upperSeconds });
const finding = (id: string, subject: string) => ({ id, subject, observed: 'none', severity: 'warning' });
const ofDeployment = (name: string) => ({
  ...finding('budget', `Deployment shop/${name}`),
  object: { kind: 'Deployment', namespace: 'shop', name },
});

const result = (verdict: string, upperSeconds: number, outcome: string, ...findings: readonly object[]) => ({
  verdict,
  scenarios: [{ name: 'node-drain', verdict, downtime: downtime(upperSeconds), findings }],
  criteria: [{ number: 2, text: 'No downtime during node drain', outcome, because: `${upperSeconds} s` }],
  findings,
});
const first = (...given: Parameters<typeof result>) => result(...given) as unknown as RunResult;
const other = (name: string, ...given: Parameters<typeof result>) =>
  ({
    type: 'application-rehearsed',
    application: application(name),
    ...result(...given),
  }) as unknown as ApplicationRehearsed;
const two = [application('web'), application('api')];

test('the worst application decides verdict, criterion, scenario and result table', () => {
  const both = withApplications(first('pass', 0, 'met'), two, [other('api', 'fail', 7, 'not-met')]);
  assert.equal(both.verdict, 'fail');
  assert.deepEqual(
    both.criteria.map(({ outcome, because }) => [outcome, because]),
    [['not-met', 'Deployment/api: 7 s']],
  );
  assert.deepEqual(
    both.scenarios.map((one) => [one.verdict, one.downtime?.upperSeconds, one.targets?.length]),
    [['fail', 7, 2]],
  );
  assert.equal(both.resultTable.find(({ scenario }) => scenario === 'Node drain')?.downtimeSeconds, 7);
});

test('an application whose rehearsal did not come makes the run inconclusive, and hides no failure', () => {
  assert.equal(withApplications(first('pass', 0, 'met'), two, []).verdict, 'inconclusive');
  assert.equal(withApplications(first('fail', 9, 'not-met'), two, []).verdict, 'fail');
});

test('an application for which a scenario has nothing to disturb decides neither it nor its criterion', () => {
  const needless = { verdict: 'not-tested', notApplicable: 'no replicas' };
  const without = (one: object) => {
    const { scenarios, criteria } = one as ReturnType<typeof result>;
    const [scenario, criterion] = [{ ...scenarios[0], ...needless, downtime: null }, criteria[0]];
    const undecided = { ...criterion, outcome: 'not-tested', notApplicable: 'no replicas' };
    return { ...one, scenarios: [scenario], criteria: [undecided] };
  };
  const daemons = without(first('pass', 0, 'met')) as unknown as RunResult;
  const decided = ({ scenarios: [scenario], criteria: [criterion] }: RunResult) => [
    scenario?.verdict,
    scenario?.notApplicable,
    criterion?.outcome,
    criterion?.notApplicable,
  ];
  const both = withApplications(daemons, two, [other('api', 'pass', 0, 'met')]);
  assert.deepEqual(decided(both), ['pass', undefined, 'met', undefined]);
  const neither = without(other('api', 'pass', 0, 'met')) as unknown as ApplicationRehearsed;
  assert.deepEqual(decided(withApplications(daemons, two, [neither])), [
    'not-tested',
    'no replicas',
    'not-tested',
    'no replicas',
  ]);
});

test('a finding that both have is reported once, and one of the other application alone names it', () => {
  const shared = finding('ingress', 'Ingress');
  const both = withApplications(first('pass', 0, 'met', shared), two, [
    other('api', 'pass', 0, 'met', shared, finding('drain', 'a drain'), ofDeployment('api')),
  ]);
  const told = ['Ingress', 'Deployment/api: a drain', 'Deployment shop/api'];
  assert.deepEqual(
    both.findings.map(({ subject }) => subject),
    told,
  );
  assert.deepEqual(
    both.scenarios[0]?.findings.map(({ subject }) => subject),
    told,
  );
  assert.deepEqual(
    both.findings.map(({ of }) => of),
    [undefined, ['Deployment/api'], ['Deployment/api']],
  );
});

test('a scenario that is made for one application after the other lasts from the first to the last', () => {
  const during = (from: number, to: number) => {
    const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    return (one: object) => {
      const { scenarios } = one as ReturnType<typeof result>;
      return { ...one, scenarios: scenarios.map((scenario) => ({ ...scenario, window })) };
    };
  };
  const [web, api] = [first('pass', 0, 'met'), other('api', 'fail', 7, 'not-met')];
  const windowOf = (one: object, another: object) =>
    withApplications(one as RunResult, two, [another as ApplicationRehearsed]).scenarios[0]?.window;
  const both = { from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:00:09.000Z' };
  assert.deepEqual(windowOf(during(1000, 4000)(web), during(5000, 9000)(api)), both);
  // Those of separate rehearsals have clocks of their own, and tell no window.
  assert.deepEqual(windowOf(during(1000, 9000)(web), api), both);
});

test('a finding of the first application alone names it too, and one of some names those, in the run and in its scenarios', () => {
  const three = [...two, application('job')];
  const all = withApplications(
    first('fail', 0, 'met', finding('no-downtime', 'Scale down'), finding('x', 'a drain')),
    three,
    [other('api', 'pass', 0, 'met', finding('x', 'a drain')), other('job', 'pass', 0, 'met', ofDeployment('job'))],
  );
  const told = ['Deployment/web: Scale down', 'Deployment/web, Deployment/api: a drain', 'Deployment shop/job'];
  for (const { findings } of [all, ...all.scenarios])
    assert.deepEqual(
      findings.map(({ subject }) => subject),
      told,
    );
});

test('one application alone changes nothing', () => {
  const alone = first('pass', 3, 'met');
  const { applications, scenarios, ...rest } = withApplications(alone, [application('web')], []);
  assert.deepEqual(
    applications?.map(({ verdict }) => verdict),
    ['pass'],
  );
  assert.deepEqual(scenarios[0]?.targets, [{ application: 'Deployment/web', downtime: downtime(3) }]);
  assert.deepEqual([rest.criteria, rest.findings], [alone.criteria, alone.findings]);
});
