import { pictureSpans, type ReportedRun } from '../../src/report/reported-run.ts';
import { trafficIn } from '../../src/report/traffic.ts';
import type { Tick } from '../../src/validation/downtime/downtime-meter.ts';
import type { OutageKind } from '../../src/validation/downtime/outage-kind.ts';
import type { DowntimeLog } from '../../src/validation/downtime/read-downtime-log.ts';
import type { Finding } from '../../src/validation/finding.ts';
import { resultTable } from '../../src/validation/judge/result-table.ts';
import type { Criterion, RunResult, ScenarioResult } from '../../src/validation/judge/run-result.ts';
import type { ClusterChanged, ValidationFact } from '../../src/validation/record/events.ts';
import { validationSchema } from '../../src/validation/settings.ts';
import { at, claim, change as clusterChange, node, pod, stamp } from './changes.ts';
import { downtime, episodesOf, notTestedResult, scenarioResult } from './results.ts';

/**
 * A run of forty minutes with every kind of result: a spike, an outage, slow answers, unknown seconds, a surprise
 * replacement, an undo that failed, and one scenario left out. Written by hand, so that it does not depend on the texts
 * of other parts.
 */
export function richRun(): ReportedRun {
  const traffic = trafficIn(richLog, pictureSpans(richResult, richFacts));
  return { result: richResult, facts: richFacts, traffic };
}

const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

/** Seconds after the start of the run: [from, to) of each scenario's window. */
const windows = {
  'scale-up': [120, 230],
  'scale-down': [262, 340],
  'single-replica': [375, 460],
  'node-drain': [500, 640],
  'instance-kill': [680, 900],
  'disruption-budget': [940, 1260],
  consolidation: [1300, 1700],
  load: [1740, 1860],
  'ingress-controller-failure': [1900, 2000],
} as const;

function window(name: keyof typeof windows): { readonly from: string; readonly to: string } {
  const [from, to] = windows[name];
  return { from: iso(from), to: iso(to) };
}

/** The samples that are not good, by the second. */
const disturbances: readonly { readonly from: number; readonly to: number; readonly kind: OutageKind }[] = [
  { from: 390, to: 393, kind: '503' },
  { from: 531, to: 533, kind: 'slow' },
  { from: 700, to: 704, kind: '504' },
  { from: 704, to: 741, kind: 'timeout' },
];

/** One probe a second, with four unknown seconds. */
export const richLog: DowntimeLog = {
  settings: {
    format: 'holdfast',
    targets: ['http://app.example/'],
    intervalSeconds: 1,
    timeoutSeconds: 10,
    slowSeconds: 1,
    expect: 200,
    resolutionSeconds: 0,
  },
  ticks: Array.from({ length: 2055 }, (_, index) => index + 20).flatMap((second): readonly Tick[] => {
    const tick = { at: at(second + 0.203) };
    if (second === 1790) return [{ ...tick, unknownTicks: 4 }];
    if (second > 1790 && second < 1794) return [];
    const disturbance = disturbances.find(({ from, to }) => second >= from && second < to);
    return [disturbance === undefined ? tick : { ...tick, kind: disturbance.kind }];
  }),
  reused: [],
};

const finding = (over: Partial<Finding>): Finding => ({
  id: 'no-downtime',
  severity: 'info',
  subject: 'Scale up',
  expected: 'no downtime',
  observed: '0 s in 110 samples, 0 bad, 0 unknown',
  advice: '',
  ...over,
});

const scenarios: readonly ScenarioResult[] = [
  scenarioResult('scale-up', {
    title: 'Scale up',
    expected: 'pods increase; if capacity is lacking a new ARM node is provisioned; no downtime; log stays 200',
    window: window('scale-up'),
    downtime: downtime({ samples: 110 }),
    nodeReadySeconds: 52,
    podReadySeconds: 61.2,
    findings: [finding({}), finding({ id: 'pods-ready', expected: '5 pods ready', observed: '5 pods ready' })],
  }),
  scenarioResult('scale-down', {
    title: 'Scale down',
    expected: 'pods terminate gracefully; no downtime; extra nodes may remain',
    window: window('scale-down'),
    downtime: downtime({ samples: 78 }),
    podReadySeconds: null,
    findings: [finding({ subject: 'Scale down', observed: '0 s in 78 samples, 0 bad, 0 unknown' })],
  }),
  scenarioResult('single-replica', {
    title: 'Single replica',
    expected: 'a 503 spike of 1 to 5 seconds; pod recreated; shows production needs at least 2 replicas',
    window: window('single-replica'),
    downtime: downtime({ samples: 85, bad: 3, seconds: 3, lowerSeconds: 2, upperSeconds: 4 }),
    podReadySeconds: 4.8,
    findings: [
      finding({
        id: 'spike',
        subject: 'Single replica',
        expected: 'a 503 spike of 1 to 5 seconds',
        observed: '3 s, 2 to 4 s',
      }),
    ],
  }),
  scenarioResult('node-drain', {
    title: 'Manual node drain',
    expected: 'pods rescheduled; no downtime with at least 2 replicas',
    verdict: 'fail',
    window: window('node-drain'),
    downtime: downtime({ samples: 140, bad: 2, seconds: 2, lowerSeconds: 1, upperSeconds: 3, slowSeconds: 2 }),
    podReadySeconds: 9.4,
    findings: [
      finding({
        severity: 'error',
        subject: 'Manual node drain',
        observed: '2 s in 140 samples, 2 bad, 0 unknown',
        advice:
          'give the container a preStop sleep that is longer than the ingress controller needs to forget an endpoint',
      }),
      finding({ id: 'pods-ready', expected: '2 pods ready', observed: '2 pods ready' }),
    ],
  }),
  scenarioResult('instance-kill', {
    title: 'Instance hard kill',
    expected:
      'node NotReady; new ARM node provisioned; pods rescheduled; short recovery; target under 60 seconds total',
    window: window('instance-kill'),
    downtime: downtime({ samples: 220, bad: 41, seconds: 41, lowerSeconds: 40, upperSeconds: 42 }),
    nodeReplacementSeconds: 96,
    nodeReadySeconds: 96,
    podReadySeconds: 104,
    nodesReplaced: 1,
    findings: [
      finding({
        id: 'at-most-60',
        subject: 'Instance hard kill',
        expected: 'less than 60 s of downtime',
        observed: '40 to 42 s',
      }),
    ],
  }),
  scenarioResult('disruption-budget', {
    title: 'Disruption budget',
    expected: 'only one node replaced; no mass eviction; no downtime; revert afterwards',
    window: window('disruption-budget'),
    downtime: downtime({ samples: 320 }),
    nodeReplacementSeconds: 88,
    nodeReadySeconds: 74,
    podReadySeconds: 91,
    findings: [finding({ subject: 'Disruption budget', observed: '0 s in 320 samples, 0 bad, 0 unknown' })],
  }),
  scenarioResult('consolidation', {
    title: 'Consolidation',
    expected: 'empty node removed; running node untouched; no downtime',
    window: window('consolidation'),
    downtime: downtime({ samples: 400 }),
    podReadySeconds: null,
    nodesReplaced: 1,
    findings: [finding({ subject: 'Consolidation', observed: '0 s in 400 samples, 0 bad, 0 unknown' })],
  }),
  scenarioResult('load', {
    title: 'Load',
    expected: 'no 5xx; CPU stable; no pod crashes',
    verdict: 'inconclusive',
    window: window('load'),
    downtime: downtime({ samples: 116, unknown: 4, unknownSeconds: 5 }),
    podReadySeconds: null,
    findings: [
      finding({ id: 'no-5xx', subject: 'Load', expected: 'no 5xx', observed: '20000 requests, 0 with 5xx' }),
      finding({
        id: 'cpu-stable',
        severity: 'warning',
        subject: 'Load',
        expected: 'CPU stable',
        observed: 'the metrics API is not there',
        advice: 'install metrics-server, or look at the CPU by other means',
      }),
    ],
  }),
  scenarioResult('ingress-controller-failure', {
    title: 'Ingress controller failure',
    expected: 'no downtime (needs at least 2 controller replicas); downtime means an ingress HA defect',
    window: window('ingress-controller-failure'),
    downtime: downtime({ samples: 100 }),
    podReadySeconds: null,
    predicted: 'no downtime: 2 controller replicas on 2 nodes',
    findings: [finding({ subject: 'Ingress controller failure', observed: '0 s in 100 samples, 0 bad, 0 unknown' })],
  }),
  {
    ...notTestedResult('dns-failure'),
    title: 'DNS failure',
    expected: 'record how long clients fail and the TTL behavior',
  },
];

const criterion = (
  number: Criterion['number'],
  text: string,
  outcome: Criterion['outcome'],
  because: string,
): Criterion => ({ number, text, outcome, because });

const surprise = 'general-purpose-arm-x9v2k';

const richOutages: RunResult['outages'] = [
  {
    from: iso(390.203),
    to: iso(393.203),
    seconds: 3,
    lowerSeconds: 2,
    upperSeconds: 4,
    samples: 3,
    kinds: ['503'],
    scenario: 'single-replica',
  },
  {
    from: iso(531.203),
    to: iso(533.203),
    seconds: 2,
    lowerSeconds: 1,
    upperSeconds: 3,
    samples: 2,
    kinds: ['slow'],
    scenario: 'node-drain',
  },
  {
    from: iso(700.203),
    to: iso(741.203),
    seconds: 41,
    lowerSeconds: 40,
    upperSeconds: 42,
    samples: 41,
    kinds: ['504', 'timeout'],
    scenario: 'instance-kill',
  },
];

export const richResult: RunResult = {
  schemaVersion: 1,
  tool: { name: 'holdfast', version: '0.1.0' },
  run: {
    id: 'rehearsal-7-0c5f2b9e',
    kind: 'rehearsal',
    seed: 7,
    cluster: 'embedded cluster',
    startedAt: iso(0),
    finishedAt: iso(2080),
  },
  verdict: 'error',
  partial: false,
  criteria: [
    criterion(
      1,
      'No downtime during scaling.',
      'met',
      'scale-up: no bad sample of 110; scale-down: no bad sample of 78',
    ),
    criterion(2, 'No downtime during node drain.', 'not-met', 'node-drain: 2 s of downtime'),
    criterion(3, 'At most 60 seconds during an instance crash.', 'met', 'instance-kill: 40 to 42 s of downtime'),
    criterion(
      4,
      'No mass eviction.',
      'not-tested',
      'nothing against it so far; the whole run decides, and it lacks dns-failure',
    ),
    criterion(
      5,
      'Only one node replaced during maintenance.',
      'met',
      'disruption-budget: 1 replaced, at most 1 at once',
    ),
    criterion(6, 'No surprise replacement.', 'not-met', `${surprise}: expiration`),
  ],
  scenarios,
  resultTable: resultTable(scenarios),
  findings: [
    finding({
      id: 'ingress-address',
      subject: 'Service ingress-nginx/ingress-nginx-controller',
      expected: 'type LoadBalancer with an external address under amazonaws.com',
      observed: 'LoadBalancer, k8s-ingress-0a1b2c3d4e.elb.eu-central-1.amazonaws.com',
    }),
    finding({
      id: 'expiry',
      severity: 'warning',
      subject: 'NodePool general-purpose-arm',
      expected: 'expiry is Never',
      observed: 'expireAfter is 720h',
      advice: 'decide which one is meant: nodes of this pool are replaced after 720h',
    }),
  ],
  outages: richOutages,
  episodes: episodesOf(richOutages).map(({ seconds: _, ...episode }) => episode),
  replacements: [
    {
      nodeClaim: 'general-purpose-arm-b8n4p',
      node: 'ip-10-0-1-23',
      cause: 'InstanceTerminating',
      ours: true,
      at: iso(735),
    },
    {
      nodeClaim: 'general-purpose-arm-h5t7w',
      node: 'ip-10-0-2-41',
      cause: 'drift: NodePoolDrifted',
      ours: true,
      at: iso(1080),
    },
    { nodeClaim: surprise, node: 'ip-10-0-3-77', cause: 'expiration', ours: false, at: iso(1880) },
  ],
  undo: [
    { action: 'scale', target: 'Deployment default/nginx-test', state: 'undone', because: 'replicas are 2 again' },
    {
      action: 'delete-pod',
      target: 'Pod default/nginx-test-6d5f9c7b48-q2w3e',
      state: 'not-needed',
      because: 'its controller makes another pod',
    },
    { action: 'drain-node', target: 'Node ip-10-0-1-12', state: 'undone', because: 'it is schedulable again' },
    {
      action: 'terminate-instance',
      target: 'Instance i-0abc1234def567890',
      state: 'irreversible',
      because: 'a terminated instance does not come back',
    },
    {
      action: 'set-budget',
      target: 'NodePool general-purpose-arm',
      state: 'failed',
      because:
        'the API server did not answer. By hand: kubectl patch nodepool general-purpose-arm --type merge -p \'{"spec":{"disruption":{"budgets":[{"nodes":"10%"}]}}}\'',
    },
  ],
};

const fact = (second: number, rest: object): ValidationFact => ({ at: iso(second), ...rest }) as ValidationFact;

function action(
  second: number,
  {
    id,
    scenario,
    name,
    subject,
    until,
    undoneAt,
    state = 'undone',
    because = '',
  }: {
    readonly id: string;
    readonly scenario: string;
    readonly name: string;
    readonly subject: string;
    readonly until: number;
    readonly undoneAt?: number;
    readonly state?: string;
    readonly because?: string;
  },
): readonly ValidationFact[] {
  return [
    fact(second, { type: 'action-intended', id, scenario, action: name, subject, intent: {} }),
    fact(until, { type: 'action-performed', id }),
    ...(undoneAt === undefined ? [] : [fact(undoneAt, { type: 'action-undone', id, state, because })]),
  ];
}

const [oldPod, otherPod] = ['nginx-test-6d5f9c7b48-q2w3e', 'nginx-test-6d5f9c7b48-r4t5z'];
const onNode = (name: string) => ({ node: name, createdAt: stamp(0) });
const starting = { ready: false };

const podLife = (
  name: string,
  on: string,
  { from, ready, leaving, gone }: { from: number; ready?: number; leaving?: number; gone?: number },
): readonly ClusterChanged[] => [
  clusterChange(from, 'Pod', name, pod(name, { ...onNode(on), ...starting }), 'added'),
  ...(ready === undefined ? [] : [clusterChange(ready, 'Pod', name, pod(name, onNode(on)))]),
  ...(leaving === undefined
    ? []
    : [clusterChange(leaving, 'Pod', name, pod(name, { ...onNode(on), deletingAt: stamp(leaving) }))]),
  ...(gone === undefined ? [] : [clusterChange(gone, 'Pod', name, pod(name, onNode(on)), 'deleted')]),
];

const changes: readonly ClusterChanged[] = [
  clusterChange(30, 'Node', 'ip-10-0-1-12', node('n1'), 'added'),
  clusterChange(30, 'Node', 'ip-10-0-1-23', node('n2'), 'added'),
  ...podLife(oldPod, 'ip-10-0-1-12', { from: 40, ready: 45, leaving: 391, gone: 396 }),
  ...podLife(otherPod, 'ip-10-0-1-23', { from: 40, ready: 45, leaving: 290, gone: 296 }),
  ...podLife('nginx-test-6d5f9c7b48-a1s2d', 'ip-10-0-1-12', { from: 131, ready: 136, leaving: 291, gone: 297 }),
  ...podLife('nginx-test-6d5f9c7b48-f3g4h', 'ip-10-0-1-23', { from: 131, ready: 137, leaving: 291, gone: 297 }),
  ...podLife('nginx-test-6d5f9c7b48-j5k6l', 'ip-10-0-2-41', { from: 131, ready: 192, leaving: 291, gone: 298 }),
  clusterChange(160, 'Node', 'ip-10-0-2-41', node('n3', { ready: false }), 'added'),
  clusterChange(183, 'Node', 'ip-10-0-2-41', node('n3')),
  ...podLife('nginx-test-6d5f9c7b48-y7x8c', 'ip-10-0-1-12', { from: 390, ready: 393, leaving: 518, gone: 535 }),
  ...podLife('nginx-test-6d5f9c7b48-v9b0n', 'ip-10-0-1-23', { from: 480, ready: 485, leaving: 735, gone: 801 }),
  ...podLife('nginx-test-6d5f9c7b48-m1q2w', 'ip-10-0-2-41', { from: 518, ready: 527 }),
  clusterChange(516, 'Node', 'ip-10-0-1-12', node('n1', { cordoned: true })),
  clusterChange(572, 'Node', 'ip-10-0-1-12', node('n1')),
  clusterChange(740, 'Node', 'ip-10-0-1-23', node('n2', { ready: false })),
  clusterChange(800, 'Node', 'ip-10-0-1-23', node('n2', { ready: false }), 'deleted'),
  clusterChange(765, 'Node', 'ip-10-0-3-77', node('n4', { ready: false }), 'added'),
  clusterChange(796, 'Node', 'ip-10-0-3-77', node('n4')),
  ...podLife('nginx-test-6d5f9c7b48-e3r4t', 'ip-10-0-3-77', { from: 736, ready: 804 }),
  clusterChange(800, 'NodeClaim', 'general-purpose-arm-b8n4p', claim('c2'), 'deleted'),
];

const byTime = (facts: readonly ValidationFact[]): readonly ValidationFact[] =>
  facts.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));

export const richFacts: readonly ValidationFact[] = byTime([
  fact(0, {
    type: 'run-started',
    tool: richResult.tool,
    run: richResult.run,
    scenarios: [],
    partial: false,
    settings: validationSchema.parse({}),
  }),
  ...changes,
  ...action(130, {
    id: 'action-1',
    scenario: 'scale-up',
    name: 'scale',
    subject: 'Deployment default/nginx-test',
    until: 130.4,
    undoneAt: 199,
  }),
  fact(194, { type: 'scenario-settled', scenario: 'scale-up' }),
  ...action(289, {
    id: 'action-2',
    scenario: 'scale-down',
    name: 'scale',
    subject: 'Deployment default/nginx-test',
    until: 289.2,
    undoneAt: 306,
  }),
  ...action(390, {
    id: 'action-3',
    scenario: 'single-replica',
    name: 'delete-pod',
    subject: `Pod default/${oldPod}`,
    until: 390.1,
    undoneAt: 401,
    state: 'not-needed',
  }),
  fact(400, { type: 'scenario-settled', scenario: 'single-replica' }),
  ...action(516, {
    id: 'action-4',
    scenario: 'node-drain',
    name: 'drain-node',
    subject: 'Node ip-10-0-1-12',
    until: 536,
    undoneAt: 572,
  }),
  fact(570, { type: 'scenario-settled', scenario: 'node-drain' }),
  ...action(700, {
    id: 'action-5',
    scenario: 'instance-kill',
    name: 'terminate-instance',
    subject: 'Instance i-0abc1234def567890',
    until: 701,
    undoneAt: 862,
    state: 'irreversible',
  }),
  fact(860, { type: 'scenario-settled', scenario: 'instance-kill' }),
  ...action(950, {
    id: 'action-6',
    scenario: 'disruption-budget',
    name: 'set-budget',
    subject: 'NodePool general-purpose-arm',
    until: 950.3,
    undoneAt: 1210,
    state: 'failed',
    because:
      'the API server did not answer. By hand: kubectl patch nodepool general-purpose-arm --type merge -p \'{"spec":{"disruption":{"budgets":[{"nodes":"10%"}]}}}\'',
  }),
  fact(2080, { type: 'run-finished' }),
]);
