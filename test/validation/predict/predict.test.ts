import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Deployment, Pod } from '../../../src/cluster/resources.ts';
import type { ScenarioResult } from '../../../src/validation/judge/run-result.ts';
import { withPrediction } from '../../../src/validation/judge/with-prediction.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import type { Before } from '../../../src/validation/observe/snapshot.ts';
import { type Circumstances, circumstancesOf } from '../../../src/validation/predict/circumstances.ts';
import { predict, runSeconds } from '../../../src/validation/predict/predict.ts';
import { clocksText, predictedText } from '../../../src/validation/predict/predicted-text.ts';
import { readNameRecord } from '../../../src/validation/predict/read-circumstances.ts';
import { newNodesOf, runCost } from '../../../src/validation/predict/run-cost.ts';
import type { Prediction } from '../../../src/validation/record/prediction.ts';
import { allScenarios, scenarios } from '../../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../../src/validation/scenarios/scenario.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { cloudSite } from '../../support/cloud-site.ts';
import { claimOf, podOn, poolNode } from '../../support/objects.ts';
import { rehearse } from '../../support/rehearse.ts';

const settings = validationSchema.parse({});
const deploymentOf = (profile: 'plain' | 'hardened') =>
  manifests({ ...settings, manifests: profile }).find((one): one is Deployment => one.kind === 'Deployment');

function circumstances(
  over: Partial<Before> = {},
  autoscaler: readonly Pod[] = [],
  kubelet = 'v1.34.1',
): Circumstances {
  const nodes = ['a', 'b'].map((name) => ({
    ...poolNode(name),
    status: { nodeInfo: { architecture: 'arm64', operatingSystem: 'linux', kubeletVersion: kubelet } },
  }));
  const before: Before = {
    workload: deploymentOf('hardened'),
    pods: [podOn('a'), podOn('b')],
    nodes,
    claims: [],
    slices: [],
    budgets: [],
    pool: undefined,
    poolPods: [],
    ingressPods: [podOn('c'), podOn('d')],
    components: [],
    ...over,
  } as Before;
  return circumstancesOf({ before, autoscaler });
}
const of = (name: string, now: Circumstances): Prediction => {
  const scenario = allScenarios.find((one) => one.name === name);
  assert.ok(scenario, name);
  return predict(scenario, now, settings);
};
const karpenter = (env: readonly object[], args: readonly string[] = []): Pod =>
  ({ ...podOn('c'), spec: { containers: [{ name: 'controller', image: 'x', env, args }] } }) as unknown as Pod;

test('no downtime is predicted for hardened manifests where it is for plain ones', () => {
  const [hard, plain] = [circumstances(), circumstances({ workload: deploymentOf('plain') })];
  for (const name of ['scale-up', 'scale-down', 'node-drain', 'disruption-budget', 'consolidation']) {
    assert.equal(of(name, hard).downtimeSeconds.most, 0, name);
    assert.ok(of(name, plain).downtimeSeconds.most > 0, name);
  }
  assert.match(predictedText(of('scale-up', plain)), /there is no readiness probe/);
  assert.match(predictedText(of('scale-down', plain)), /preStop is 0 s, and ingress-nginx needs up to 5 s/);
});

test('the downtime of an instance kill is its detection: 50 s from Kubernetes 1.32 on, 40 s before, seconds with a queue', () => {
  const traffic = (now: Circumstances) => of('instance-kill', now).downtimeSeconds.most;
  assert.equal(traffic(circumstances()), 60);
  assert.equal(traffic(circumstances({}, [], 'v1.31.9-eks-1')), 50);
  assert.match(
    predictedText(of('instance-kill', circumstances())),
    /node-monitor-grace-period 50 s; whether there is an interruption queue is not known/,
  );
  for (const pod of [
    karpenter([{ name: 'INTERRUPTION_QUEUE', value: 'q' }]),
    karpenter([], ['--interruption-queue=q']),
  ])
    assert.ok(traffic(circumstances({}, [pod])) <= 30);
  assert.match(
    predictedText(of('instance-kill', circumstances({}, [karpenter([])]))),
    /there is no interruption queue/,
  );
});

test('with all replicas on the victim traffic waits for the new pod', () => {
  const together = circumstances({ pods: [podOn('a', { name: '1' }), podOn('a', { name: '2' })] });
  const { downtimeSeconds, podReadySeconds } = of('instance-kill', together);
  assert.ok(downtimeSeconds.most >= (podReadySeconds?.most ?? 0));
  assert.match(predictedText(of('instance-kill', together)), /all replicas are on the victim/);
});

test('one ingress controller replica is an outage until the new one is ready', () => {
  const alone = circumstances({ ingressPods: [podOn('c')] });
  assert.ok(of('ingress-controller-failure', alone).downtimeSeconds.least > 0);
  assert.equal(of('ingress-controller-failure', circumstances()).downtimeSeconds.most, 0);
});

test('clients keep the record for the TTL that it has in the zone: an alias has 60 s, whatever the settings say', () => {
  const because = (record: Circumstances['record']) => of('dns-failure', { ...circumstances(), record }).steps[0];
  assert.match(because(undefined)?.because ?? '', /for its TTL of 300 s$/);
  const alias = because({ types: ['A', 'AAAA'], isAlias: true, ttlSeconds: 60 });
  assert.deepEqual(alias?.afterSeconds, { least: 0, most: 60 });
  assert.match(alias?.because ?? '', /for its TTL of 60 s, that of an alias \(A, AAAA\)$/);
});

test('the record is read from the zone; what the cloud does not tell is not known', () =>
  cloudSite(async (at) => {
    const aliases = (['A', 'AAAA'] as const).map((type) => ({
      name: 'app.example.com',
      type,
      ttlSeconds: null,
      values: ['lb.example.org'],
      alias: { zoneId: 'Z2', name: 'lb.example.org.', evaluatesTargetHealth: true },
    }));
    assert.equal(await readNameRecord(at.cloud, settings), undefined);
    at.put(...aliases);
    assert.deepEqual(await readNameRecord(at.cloud, settings), { types: ['A', 'AAAA'], isAlias: true, ttlSeconds: 60 });
    at.fault = () => ({ status: 403, body: '' });
    assert.equal(await readNameRecord(at.cloud, settings), undefined);
  }));

test('every scenario has a prediction whose steps say why, and a run lasts as long as its scenarios', () => {
  const now = circumstances();
  for (const { name } of scenarios) {
    const { steps, durationSeconds } = of(name, now);
    assert.ok(steps.length > 0 && steps.every(({ because, what }) => because !== '' && what !== ''), name);
    assert.ok(durationSeconds.least >= 70 && durationSeconds.most >= durationSeconds.least, name);
  }
  const all = runSeconds(scenarios, now, settings);
  const sum = scenarios.reduce((total, one) => total + predict(one, now, settings).durationSeconds.most, 0);
  assert.ok(all.most > sum && all.most < sum + 400);
  const cost = runCost(scenarios, now, settings);
  assert.ok(cost.requests.least > settings.load.requests);
  assert.ok(cost.newNodes > 0);
  const once = predict(singleReplica, now, settings);
  const twice = predict({ ...singleReplica, rounds: 2 }, now, settings);
  assert.equal(twice.downtimeSeconds.most, 2 * once.downtimeSeconds.most);
});

const partsOf = (now: Circumstances, chosen: readonly Scenario[] = scenarios, phase3 = 0) =>
  Object.fromEntries(newNodesOf(chosen, now, phase3).map(({ of: part, nodes }) => [part, nodes]));
const named = (name: string) => scenarios.filter((one) => one.name === name);
const claims = (count: number) => Array.from({ length: count }, (_, index) => claimOf(`n${index}`));

test('the new nodes of a run follow from the spread of the replicas, their number and the pool', () => {
  const hard = circumstances({ claims: claims(2) });
  const plain = circumstances({ claims: claims(1), pods: [podOn('a'), podOn('a')], workload: deploymentOf('plain') });
  const replaced = { 'instance-kill': 1, 'disruption-budget': 1 };
  assert.deepEqual(partsOf(hard, scenarios, 2), { 'phase 3': 2, 'scale-up': 3, ...replaced, consolidation: 1 });
  assert.deepEqual(partsOf(plain, scenarios, 1), { 'phase 3': 1, 'scale-up': 1, ...replaced });
  assert.deepEqual(partsOf(hard, named('node-drain')), { 'node-drain': 1 }, 'no node is left for a second replica');
  assert.deepEqual(partsOf(circumstances({ claims: claims(3) }), named('node-drain')), {});
  const forgetful = { ...hard, keepsEmptyNodes: false };
  assert.equal(partsOf(forgetful)['node-drain'], 1, 'the nodes of scale-up may be gone by then');
});

for (const profile of ['hardened', 'plain'] as const)
  test(`a run with ${profile} manifests makes at most the new nodes that are predicted, and no more than one less`, async (t) => {
    const { facts } = await rehearse(t, { settings: { manifests: profile } });
    const names = facts.flatMap((fact) =>
      fact.type === 'cluster-changed' && fact.kind === 'NodeClaim' && fact.change === 'added' ? [fact.name] : [],
    );
    const made = new Set(names).size;
    const [pods, nodes] = profile === 'hardened' ? [[podOn('a'), podOn('b')], 2] : [[podOn('a'), podOn('a')], 1];
    const now = circumstances({ workload: deploymentOf(profile), pods, claims: claims(nodes) });
    const { newNodes } = runCost(scenarios, now, settings, nodes);
    assert.ok(made <= newNodes && made >= newNodes - 1, `${made} were made, at most ${newNodes} predicted`);
  });

test('in no cluster is the least of a range more than its most', () => {
  const any = fc.record({
    hasReadinessProbe: fc.boolean(),
    preStopSeconds: fc.nat(60),
    graceSeconds: fc.nat(120),
    applicationNodes: fc.nat(5),
    poolNodes: fc.nat(50),
    ingressReplicas: fc.nat(3),
    hasInterruptionQueue: fc.option(fc.boolean(), { nil: undefined }),
  });
  fc.assert(
    fc.property(any, (over) => {
      const now = { ...circumstances(), ...over, graceSeconds: over.preStopSeconds + over.graceSeconds };
      for (const { name } of allScenarios) {
        const { durationSeconds, downtimeSeconds, nodeReadySeconds, podReadySeconds, steps } = of(name, now);
        const ranges = [
          durationSeconds,
          downtimeSeconds,
          nodeReadySeconds,
          podReadySeconds,
          ...steps.map((step) => step.afterSeconds),
        ];
        for (const range of ranges) assert.ok(range === null || (range.least >= 0 && range.most >= range.least), name);
      }
    }),
  );
});

test('a prediction is one sentence that begins with the three clocks', () => {
  const text = clocksText(of('instance-kill', circumstances()));
  assert.equal(text, 'traffic ≤ 60 s, node ready 85 to 240 s, pod ready 86 to 272 s');
  assert.ok(predictedText(of('instance-kill', circumstances())).startsWith(`${text}: `));
});

test('each step is compared with what was seen of it, and of what was not seen nothing is said', () => {
  const facts = [
    { type: 'scenario-predicted', at: '', scenario: 'consolidation', prediction: of('consolidation', circumstances()) },
  ];
  const row = {
    ...{ name: 'consolidation', title: 'Consolidation', expected: '', verdict: 'pass', findings: [], predicted: null },
    ...{
      window: { from: '', to: '' },
      downtime: { span: { seconds: 0, lowerSeconds: 0, upperSeconds: 0 } },
      nodeReadySeconds: null,
      podReadySeconds: null,
    },
  } as unknown as ScenarioResult;
  const told = (steps: ScenarioResult['steps'] & object) =>
    withPrediction({ ...row, steps }, facts as never).findings.find(({ id }) => id === 'prediction')?.observed;
  assert.equal(
    told({ 'node-empty': 11, 'node-tainted': 20.1 }),
    'traffic 0.0 s, as predicted; a node without pods 11.0 s, as predicted; it is tainted 20.1 s, 114.9 s less than predicted; not compared: it is gone',
  );
});

test('a prediction is compared with the measurement, clock by clock', () => {
  const prediction = of('instance-kill', circumstances());
  const row = (seconds: number, node: number | null): ScenarioResult =>
    ({
      name: 'instance-kill',
      title: 'Instance hard kill',
      downtime: { span: { seconds, lowerSeconds: seconds, upperSeconds: seconds } },
      nodeReadySeconds: node,
      podReadySeconds: null,
      predicted: null,
      findings: [],
    }) as unknown as ScenarioResult;
  const facts = [{ type: 'scenario-predicted', at: '', scenario: 'instance-kill', prediction }] as const;
  const told = (one: ScenarioResult) =>
    (withPrediction(one, facts).findings[0]?.observed ?? '').split('; not compared: ');
  const compared = (seconds: number, node: number | null) => told(row(seconds, node))[0];
  assert.match(told(row(47, 100))[1] ?? '', /a replacement is asked for, the new pod is ready$/);
  assert.equal(compared(47, 100), 'traffic 47.0 s, as predicted; node ready 100.0 s, as predicted');
  assert.equal(compared(75, null), 'traffic 75.0 s, 15.0 s more than predicted');
  assert.equal(compared(0, 20), 'traffic 0.0 s, as predicted; node ready 20.0 s, 65.0 s less than predicted');
  const unseen = { ...row(0, 20), downtime: null };
  assert.equal(told(unseen)[0], 'node ready 20.0 s, 65.0 s less than predicted');
  assert.deepEqual(withPrediction({ ...unseen, window: null }, facts).findings, [], 'not measured, not compared');
  const other = withPrediction(row(1, 1), []);
  assert.deepEqual([other.predicted, other.findings], [null, []], 'nothing predicted, nothing compared');
  assert.match(withPrediction(row(1, 1), facts).predicted ?? '', /^traffic ≤ 60 s/);
});
