import assert from 'node:assert/strict';
import type { Finding } from '../../src/validation/finding.ts';
import { exitCodeOf } from '../../src/validation/judge/exit-code.ts';
import type { RunResult, ScenarioResult } from '../../src/validation/judge/run-result.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import type { Rehearsed } from './rehearse.ts';

/** The healthy cluster, beside the defects. */
export const healthyName = 'no defect';

/**
 * What the validator, which does not know the defect, must show, and nothing else (docs/contract.md, "Defects of the
 * embedded cluster").
 */
export interface Shown {
  readonly exitCode: number;
  /** Criteria that are not met, on every seed. */
  readonly notMet?: readonly number[];
  /** Scenarios that are not as expected, on every seed. */
  readonly fails?: readonly string[];
  /** What follows from the defect on some seeds only, and why. */
  readonly follows?: Consequence;
  /** Texts that the report must have. */
  readonly says: (run: Rehearsed) => void;
  /** No scenario ran: the run was stopped before. */
  readonly stops?: true;
  /**
   * How strongly the defect shows: bad samples, nodes, seconds. A small number could be missed at one sample a second.
   */
  readonly strength?: (result: RunResult) => number;
}

interface Consequence {
  readonly because: string;
  readonly notMet?: readonly number[];
  readonly fails?: readonly string[];
  /** Criteria and scenarios that are inconclusive. */
  readonly open?: readonly (number | string)[];
}

const scenario = ({ scenarios }: RunResult, name: string): ScenarioResult => {
  const found = scenarios.find((candidate) => candidate.name === name);
  assert.ok(found, name);
  return found;
};
const finding = (result: RunResult, name: string, id: string): Finding => {
  const found = scenario(result, name).findings.find((candidate) => candidate.id === id);
  assert.ok(found, `${name} says nothing of ${id}`);
  return found;
};
const badIn =
  (name: string) =>
  (result: RunResult): number =>
    scenario(result, name).downtime?.bad ?? 0;

/** A mandatory check names the object and what is wrong with it; nothing was changed. */
const stops = (id: string, subject: RegExp, observed: RegExp): Shown => ({
  exitCode: 3,
  stops: true,
  says({ result: { findings, undo } }) {
    const stopping = findings.filter(({ severity }) => severity === 'error');
    const named = stopping.find((candidate) => candidate.id === id);
    assert.match(named?.subject ?? '', subject);
    assert.match(named?.observed ?? '', observed);
    assert.notEqual(named?.advice, '');
    assert.deepEqual(undo, []);
  },
});

export const shownBy: Readonly<Record<string, Shown>> = {
  'single-ingress-replica': {
    exitCode: 1,
    fails: ['ingress-controller-failure'],
    says({ result }) {
      const { observed, advice } = finding(result, 'ingress-controller-failure', 'no-downtime');
      assert.match(observed, /^ingress HA defect, with 1 ready controller replicas: /);
      assert.match(advice, /at least 2 replicas/);
    },
    strength: badIn('ingress-controller-failure'),
  },
  'replicas-on-one-node': {
    exitCode: 1,
    notMet: [3],
    fails: ['instance-kill'],
    says({ result }) {
      assert.match(finding(result, 'instance-kill', 'short-recovery').advice, /spread at least 2 replicas over nodes/);
    },
    strength: (result) => (scenario(result, 'instance-kill').downtime?.lowerSeconds ?? 0) - 60,
  },
  'no-disruption-budget': {
    exitCode: 1,
    // Without spread a crash takes both replicas too, and so does the drain of a drifted node.
    notMet: [2, 3],
    fails: ['node-drain', 'instance-kill', 'disruption-budget'],
    says({ result }) {
      assert.match(finding(result, 'node-drain', 'no-downtime').advice, /give the application a PodDisruptionBudget/);
    },
    strength: badIn('node-drain'),
  },
  'no-readiness-probe': {
    exitCode: 1,
    notMet: [1],
    fails: ['scale-up', 'single-replica'],
    follows: {
      because:
        'a drain, and every replacement, goes on when a pod is ready before it serves (docs/facts/kubernetes.md, "The start of a pod")',
      notMet: [2],
      fails: ['scale-down', 'node-drain', 'instance-kill', 'disruption-budget', 'consolidation'],
      open: [3, 'instance-kill'],
    },
    says({ result }) {
      const { advice } = finding(result, 'scale-up', 'no-downtime');
      assert.match(advice, /^traffic came before the pods could serve: give the container a readiness probe/);
    },
    strength: badIn('scale-up'),
  },
  'abrupt-termination': {
    exitCode: 1,
    notMet: [1],
    fails: ['scale-down'],
    follows: {
      because:
        'scaling up is undone by scaling down, and a node is emptied by it; endpoints that linger after a crash, or a drain, cost more there',
      fails: ['scale-up', 'single-replica', 'disruption-budget', 'node-drain', 'instance-kill', 'consolidation'],
      // After a power cut a part of the requests meets the dead endpoint for as long as it lingers: criterion 3 is
      // judged by that span.
      notMet: [2, 3],
      open: [3, 'instance-kill'],
    },
    says({ result }) {
      const { advice } = finding(result, 'scale-down', 'no-downtime');
      assert.match(advice, /^requests were cut while pods ended: give the container a preStop sleep/);
      assert.doesNotMatch(advice, /readiness probe/);
      assert.equal(finding(result, 'scale-down', 'pre-stop').observed, 'there is none');
      assert.doesNotMatch(finding(result, 'scale-up', 'no-downtime').advice, /^traffic came|readiness probe/);
    },
    strength: badIn('scale-down'),
  },
  'budget-ignored': {
    exitCode: 1,
    // Two at once are more than the budget allows (docs/contract.md, "The evidence of a criterion"), and nobody marked
    // the second one.
    notMet: [4, 5, 6],
    fails: ['disruption-budget'],
    says({ result }) {
      assert.match(result.criteria[4]?.because ?? '', /2 replaced, at most 2 at once/);
      assert.match(finding(result, 'disruption-budget', 'one-at-a-time').observed, /at most 2 at once/);
    },
    strength: ({ scenarios }) => Math.max(...scenarios.map((one) => one.maxConcurrentDisruptions ?? 0)) - 1,
  },
  'mass-eviction': {
    exitCode: 1,
    // All nodes at once are more than one, and nobody marked them all.
    notMet: [4, 5, 6],
    fails: ['disruption-budget'],
    says({ result }) {
      assert.match(result.criteria[3]?.because ?? '', /\d nodes disrupted at once where the budget allows 1/);
    },
    strength: ({ scenarios }) => Math.max(...scenarios.map((one) => one.maxConcurrentDisruptions ?? 0)) - 1,
  },
  'surprise-expiry': {
    exitCode: 1,
    notMet: [6],
    follows: {
      because:
        'expiry ignores budgets (docs/facts/karpenter.md, "Forceful disruption"): nodes of one age are replaced at once, during any scenario, and a recreated pod pulls its image on another node',
      notMet: [4, 5],
      fails: ['scale-up', 'single-replica', 'instance-kill', 'disruption-budget', 'consolidation'],
      open: [1, 2, 3, 5, ...scenarios.map(({ name }) => name)],
    },
    says({ result }) {
      assert.match(result.criteria[5]?.because ?? '', /^[\w-]+: expiration/);
    },
    strength: ({ replacements }) => replacements.filter(({ cause }) => cause === 'expiration').length,
  },
  'eager-consolidation': {
    exitCode: 1,
    notMet: [6],
    fails: ['consolidation'],
    says({ result }) {
      const { observed } = finding(result, 'consolidation', 'running-node-untouched');
      const node = /disrupted with a pod that was to stay: (\S+)/.exec(observed)?.[1];
      assert.ok(result.replacements.some((one) => one.node === node && !one.ours && one.cause.includes('Empty')));
    },
  },
  'pool-restarts-nodes': {
    exitCode: 1,
    stops: true,
    says({ result }) {
      const found = result.findings.find(({ id }) => id === 'no-disruption');
      assert.equal(found?.severity, 'error');
      assert.match(found?.observed ?? '', /^ip-[\w.-]+ disrupted or gone$/);
      assert.match(found?.advice ?? '', /nodes that restart after applying the node pool are a configuration error/);
    },
  },
  'wrong-architecture': {
    exitCode: 1,
    fails: ['scale-up', 'instance-kill'],
    says({ result }) {
      const wrong = result.findings.filter(({ id, severity }) => id === 'node-requirements' && severity === 'error');
      assert.ok(wrong.length > 0);
      for (const { subject, observed, expected } of wrong) {
        assert.match(subject, /^Node ip-[\w.-]+$/);
        assert.equal(observed, 'kubernetes.io/arch is amd64');
        for (const word of ['arm64', 'linux', 'on-demand', /instance-category \S+ r/, /instance-generation \S+ 6/])
          assert.match(expected, new RegExp(word));
      }
      assert.match(finding(result, 'scale-up', 'new-node').observed, /^not as the pool requires: ip-/);
    },
  },
  'ingress-official-manifest': {
    exitCode: 1,
    fails: ['ingress-controller-failure'],
    says({ result }) {
      const { observed, advice } = finding(result, 'ingress-controller-failure', 'no-downtime');
      assert.match(observed, /^ingress HA defect, with 2 ready controller replicas: /);
      assert.match(advice, /--shutdown-grace-period/);
    },
    strength: badIn('ingress-controller-failure'),
  },
  'ingress-cluster-ip': stops('ingress-address', /ingress-nginx\/ingress-nginx-controller$/, /^type ClusterIP/),
  'load-balancer-pending': stops(
    'ingress-address',
    /ingress-nginx\/ingress-nginx-controller$/,
    /^type LoadBalancer, no external address$/,
  ),
  'dns-automation-down': stops('dns-automation', /name=external-dns in namespace external-dns$/, /^no pod$/),
  'autoscaler-down': stops('autoscaler', /name=karpenter in namespace kube-system$/, /^no pod$/),
  'node-pool-not-ready': stops('node-pools', /^NodePool general-purpose$/, /^general-purpose has Ready False/),
  'server-errors-under-load': {
    exitCode: 1,
    fails: ['load'],
    says({ result }) {
      const counted = / (\d+) × 500 in /.exec(` ${finding(result, 'load', 'no-5xx').observed}`)?.[1];
      assert.equal(Number(counted), scenario(result, 'load').load?.statuses['500']);
    },
    strength: (result) => scenario(result, 'load').load?.statuses['500'] ?? 0,
  },
  'pods-crash-under-load': {
    exitCode: 1,
    fails: ['load'],
    // Both pods crash: the ready endpoints fall under minAvailable (docs/contract.md, "The evidence of a criterion").
    notMet: [4],
    says({ result }) {
      const restarts = /^(\d+) container restarts$/.exec(finding(result, 'load', 'no-crash').observed)?.[1];
      assert.equal(Number(restarts), scenario(result, 'load').podRestarts);
    },
    strength: (result) => scenario(result, 'load').podRestarts ?? 0,
  },
  'long-dns-ttl': {
    exitCode: 0,
    says({ result }) {
      const tail = scenario(result, 'dns-failure').dns?.clientTailSeconds ?? 0;
      assert.ok(tail > 600 && tail <= 930, `${tail}`);
      assert.match(
        finding(result, 'dns-failure', 'clients').observed,
        new RegExp(`^[\\d.–]+ s of downtime, of which ${tail.toFixed(0)} s after the record was back$`),
      );
      assert.match(finding(result, 'dns-failure', 'ttl').observed, /negative TTL 900 s/);
    },
    strength: (result) => scenario(result, 'dns-failure').dns?.clientTailSeconds ?? 0,
  },
  'slow-boot': {
    exitCode: 0,
    says({ result }) {
      // The kubelet alone takes 200 s and more, and nothing before it less than 20 s.
      for (const name of ['instance-kill', 'disruption-budget'])
        assert.ok((scenario(result, name).nodeReplacementSeconds ?? 0) > 220, name);
    },
    strength: (result) => scenario(result, 'instance-kill').nodeReplacementSeconds ?? 0,
  },
  'prober-stalls': {
    exitCode: 4,
    follows: {
      because: 'a stall falls into most windows',
      open: [1, 2, 3, 5, ...scenarios.map(({ name }) => name)],
    },
    says({ result }) {
      assert.notEqual(result.criteria[0]?.outcome, 'met');
      assert.ok(result.scenarios.some(({ downtime }) => (downtime?.unknown ?? 0) > 10));
    },
    strength: ({ criteria }) => criteria.filter(({ outcome }) => outcome === 'inconclusive').length,
  },
  'api-lost-during-undo': {
    exitCode: 5,
    says({ result, facts }) {
      const left = result.undo.filter(({ state }) => state === 'failed');
      assert.ok(left.length > 0);
      for (const { because } of left) assert.match(because, /By hand: kubectl /);
      const intended = facts.filter((fact) => fact.type === 'action-intended').length;
      assert.equal(result.undo.length, intended, 'every action is listed');
    },
    follows: {
      because: 'from then on nothing was seen of the cluster',
      open: [4, 6, ...scenarios.map(({ name }) => name)],
    },
    strength: ({ undo }) => undo.filter(({ state }) => state === 'failed').length,
  },
};

const healthy: Shown = {
  exitCode: 0,
  says({ result }) {
    const { seconds = 0 } = scenario(result, 'single-replica').downtime ?? {};
    assert.ok(seconds >= 1 && seconds <= 5, `single-replica: ${seconds} s`);
    assert.deepEqual(result.outages.find((outage) => outage.scenario === 'single-replica')?.kinds, ['503']);
    assert.deepEqual(
      result.findings.filter(({ severity }) => severity === 'error'),
      [],
    );
  },
};

/** Throws if the run does not show what is expected of that defect, or shows anything else. */
export function assertShown(name: string, run: Rehearsed): void {
  const shown = name === healthyName ? healthy : shownBy[name];
  assert.ok(shown, `nothing is known of ${name}`);
  const { result, facts } = run;
  const rows = result.scenarios.map(({ name: row, verdict }) => `${row} ${verdict}`).join(', ');
  assert.equal(exitCodeOf(facts, result), shown.exitCode, rows);
  shown.says(run);
  if (shown.stops) assert.ok(result.scenarios.every(({ verdict }) => verdict === 'not-tested'));
  else assertOnly(shown, result);
}

/** How strongly the defect showed; undefined if there is no number for it. */
export function strengthOf(name: string, { result }: Rehearsed): number | undefined {
  return shownBy[name]?.strength?.(result);
}

function assertOnly({ exitCode, notMet = [], fails = [], follows }: Shown, result: RunResult): void {
  const verdicts = [
    ...result.criteria.map(({ number, outcome }) => ({ what: number, verdict: verdictOf[outcome] })),
    ...result.scenarios.map(({ name, verdict }) => ({ what: name, verdict })),
  ];
  const must = new Set<number | string>([...notMet, ...fails]);
  const may = new Set<number | string>([...(follows?.notMet ?? []), ...(follows?.fails ?? [])]);
  const open = new Set(follows?.open);
  // An interrupted run has scenarios that did not start.
  const untested = exitCode === 5;
  const isRight = ({ what, verdict }: (typeof verdicts)[number]): boolean => {
    if (must.has(what)) return verdict === 'fail';
    if (verdict === 'fail') return may.has(what);
    if (verdict === 'inconclusive') return open.has(what) || may.has(what);
    return verdict === 'pass' || untested;
  };
  assert.deepEqual(
    verdicts.filter((one) => !isRight(one)),
    [],
  );
}

const verdictOf = { met: 'pass', 'not-met': 'fail', inconclusive: 'inconclusive', 'not-tested': 'not-tested' } as const;
