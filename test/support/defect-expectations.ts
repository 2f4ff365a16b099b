import assert from 'node:assert/strict';
import { exitCodeOf } from '../../src/validation/exit-code.ts';
import type { ReadRun } from '../../src/validation/read-run.ts';
import type { RunResult, ScenarioResult } from '../../src/validation/run-result.ts';

/** Contract section 6: what the validator, which does not know the defect, must show. */
export interface Shown {
  readonly exitCode: number;
  readonly check?: (run: ReadRun) => void;
}

const outcome = ({ criteria }: RunResult, number: number) => criteria[number - 1]?.outcome;
const scenario = ({ scenarios }: RunResult, name: string): ScenarioResult => {
  const found = scenarios.find((candidate) => candidate.name === name);
  assert.ok(found, name);
  return found;
};
const words = (result: RunResult): string => JSON.stringify(result);

/** Criteria that are not met, and no others may be. */
const notMet =
  (least: readonly number[], most: readonly number[] = least) =>
  ({ result }: ReadRun): void => {
    const found = result.criteria.filter((one) => one.outcome === 'not-met').map(({ number }) => number);
    for (const number of least)
      assert.ok(found.includes(number as never), `criterion ${number} is ${outcome(result, number)}`);
    assert.deepEqual(
      found.filter((number) => !most.includes(number)),
      [],
    );
  };
const fails =
  (name: string, pattern: RegExp) =>
  ({ result }: ReadRun): void => {
    assert.equal(scenario(result, name).verdict, 'fail');
    assert.match(JSON.stringify(scenario(result, name).findings), pattern);
    assert.deepEqual(
      result.scenarios.filter((one) => one.verdict === 'fail').map((one) => one.name),
      [name],
    );
  };
const stops = (object: RegExp): Shown => ({
  exitCode: 3,
  check({ result }) {
    const errors = result.findings.filter(({ severity }) => severity === 'error');
    assert.match(JSON.stringify(errors), object);
    assert.ok(result.scenarios.every(({ verdict }) => verdict === 'not-tested'));
  },
});
const both =
  (...checks: readonly ((run: ReadRun) => void)[]) =>
  (run: ReadRun): void => {
    for (const check of checks) check(run);
  };

export const shownBy: Readonly<Record<string, Shown>> = {
  'single-ingress-replica': {
    exitCode: 1,
    check: both(notMet([]), fails('ingress-controller-failure', /ingress HA defect/)),
  },
  'replicas-on-one-node': { exitCode: 1, check: notMet([3]) },
  // Without spread a crash takes both replicas too.
  'no-disruption-budget': { exitCode: 1, check: notMet([2], [2, 3]) },
  'no-readiness-probe': {
    exitCode: 1,
    check: both(notMet([1]), ({ result }) => assert.match(words(result), /traffic came before|readiness probe/)),
  },
  'abrupt-termination': {
    exitCode: 1,
    check: both(notMet([1], [1, 2, 3]), ({ result }) => assert.match(words(result), /preStop/)),
  },
  'budget-ignored': { exitCode: 1, check: notMet([5], [4, 5]) },
  'mass-eviction': { exitCode: 1, check: notMet([4], [4, 5, 6]) },
  'surprise-expiry': {
    exitCode: 1,
    check: both(notMet([6], [4, 5, 6]), ({ result }) => assert.match(result.criteria[5]?.because ?? '', /expiration/)),
  },
  'eager-consolidation': { exitCode: 1, check: both(notMet([6]), fails('consolidation', /./)) },
  'pool-restarts-nodes': {
    exitCode: 1,
    check: ({ result }) =>
      assert.match(words(result), /nodes that restart after applying the node pool are a configuration error/),
  },
  'wrong-architecture': {
    exitCode: 1,
    check: ({ result }) => assert.match(words(result), /Node ip-[\d-]+[^"]*".{0,200}arm64/),
  },
  'ingress-cluster-ip': stops(/ingress-nginx-controller.*ClusterIP/),
  'load-balancer-pending': stops(/ingress-nginx-controller.*no external address/),
  'dns-automation-down': stops(/external-dns/),
  'autoscaler-down': stops(/karpenter/),
  'node-pool-not-ready': stops(/general-purpose|EC2NodeClass/),
  'server-errors-under-load': { exitCode: 1, check: both(notMet([]), fails('load', /\d+/)) },
  'pods-crash-under-load': {
    exitCode: 1,
    check: ({ result }) => assert.equal(scenario(result, 'load').verdict, 'fail'),
  },
  'long-dns-ttl': {
    exitCode: 0,
    check: ({ result }) => assert.ok((scenario(result, 'dns-failure').downtime?.seconds ?? 0) > 600),
  },
  'slow-boot': {
    exitCode: 0,
    check: ({ result }) => assert.ok((scenario(result, 'instance-kill').nodeReplacementSeconds ?? 0) > 240),
  },
  'prober-stalls': {
    exitCode: 4,
    check: ({ result }) =>
      assert.ok(result.criteria.every((one) => one.outcome !== 'not-met') && outcome(result, 1) !== 'met'),
  },
  'api-lost-during-undo': {
    exitCode: 5,
    check: ({ result }) => assert.ok(result.undo.some(({ state }) => state === 'failed')),
  },
};

/** Throws when the run does not show what the contract says of that defect. */
export function assertShown(name: string, run: ReadRun): void {
  const shown = shownBy[name];
  assert.ok(shown, `nothing is known of ${name}`);
  const said = run.result.scenarios.map(({ name: row, verdict }) => `${row} ${verdict}`).join(', ');
  assert.equal(exitCodeOf(run.facts, run.result), shown.exitCode, said);
  shown.check?.(run);
}
