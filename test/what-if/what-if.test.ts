import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CopiedObject } from '../../src/copy/copy.ts';
import type { Action } from '../../src/what-if/answer-shape.ts';
import { whatIf } from '../../src/what-if/what-if.ts';
import { copyOf, deployment, node, pod } from '../support/copied-cluster.ts';

const nodes = [node('one'), node('two', 'b'), node('three', 'c')];
const ask = (action: Action, ...objects: readonly CopiedObject[]) => whatIf(copyOf(...nodes, ...objects), action, '1');
const drain: Action = { kind: 'drain', nodes: ['one'] };
const lose: Action = { kind: 'lose', nodes: ['one'] };

const found = async (answering: ReturnType<typeof ask>) => {
  const answer = await answering;
  return { answer, verdicts: Object.fromEntries(answer.workloads.map(({ name, verdict }) => [name, verdict])) };
};

test('a drain takes down what has all its ready pods on the node, unless a budget keeps one of them', async () => {
  const { answer, verdicts } = await found(
    ask(
      drain,
      ...deployment('single', ['one']),
      ...deployment('together', ['one', 'one']),
      ...deployment('guarded', ['one', 'one'], { budget: { minAvailable: 1 } }),
      ...deployment('spread', ['one', 'two']),
      ...deployment('elsewhere', ['two']),
    ),
  );
  assert.deepEqual(verdicts, { single: 'goes-down', together: 'goes-down', guarded: 'stays', spread: 'stays' });
  assert.equal(answer.workloads[0]?.verdict, 'goes-down');
  assert.deepEqual(answer.blockedBy, []);
  assert.ok((answer.durationSeconds ?? 0) > 0);
  // An image of 10 to 20 s, and eight seconds from the start to ready, as the copy shows, less a period of the probe.
  const { lowerSeconds, downSeconds, upperSeconds } = answer.workloads[0] ?? assert.fail();
  assert.ok((lowerSeconds ?? 0) > 13 && (upperSeconds ?? 0) < 36, `${lowerSeconds} to ${upperSeconds}`);
  assert.ok((downSeconds ?? 0) >= (lowerSeconds ?? 0) && (downSeconds ?? 0) <= (upperSeconds ?? 0));
});

test('a budget that no pod may leave blocks the drain, by name and in the words of the API server', async () => {
  const { answer, verdicts } = await found(
    ask(drain, ...deployment('locked', ['one', 'two'], { budget: { minAvailable: 2 } })),
  );
  assert.deepEqual(verdicts, { locked: 'blocks' });
  assert.equal(answer.durationSeconds, null);
  assert.deepEqual(answer.blockedBy, [
    {
      kind: 'PodDisruptionBudget',
      namespace: 'shop',
      name: 'locked-pdb',
      because: 'The disruption budget locked-pdb needs 2 healthy pods and has 2 currently',
    },
  ]);
});

test('a pod that finds no place is down for good, in the words of the scheduler', async () => {
  const { answer, verdicts } = await found(
    ask(
      drain,
      ...deployment('bound', ['one'], { more: { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } } }),
      ...deployment('large', ['one', 'two', 'three'], { cpu: '3' }),
    ),
  );
  assert.deepEqual(verdicts, { bound: 'goes-down', large: 'degraded' });
  assert.equal(answer.workloads[0]?.downSeconds, null);
  assert.match(
    answer.workloads[0]?.because ?? '',
    /0\/3 nodes are available: .*2 node\(s\) didn't match Pod's node affinity\/selector/,
  );
  assert.match(answer.blockedBy.find(({ name }) => name === 'large')?.because ?? '', /2 Insufficient cpu/);
});

test('nothing brings back a pod without a controller, and nobody knows of one whose owner is of an unknown kind', async () => {
  const owner = { apiVersion: 'x.example/v1', kind: 'Postgres', name: 'db', uid: 'x', controller: true };
  const { answer, verdicts } = await found(ask(drain, pod('alone', 'one'), pod('db-0', 'one', owner)));
  assert.deepEqual(verdicts, { alone: 'goes-down', db: 'goes-down' });
  assert.match(answer.workloads[0]?.because ?? '', /no controller/);
  assert.match(answer.workloads[1]?.because ?? '', /Unknown owner: nothing says whether a Postgres/);
});

test('a lost node: what was on it alone is down until its pods are evicted, the rest gets failing requests', async () => {
  const { answer, verdicts } = await found(
    ask(lose, ...deployment('single', ['one']), ...deployment('spread', ['one', 'two'])),
  );
  assert.deepEqual(verdicts, { single: 'goes-down', spread: 'degraded' });
  const { lowerSeconds, upperSeconds } = answer.workloads[0] ?? assert.fail();
  // A heartbeat may be 50 s old (docs/fidelity.md, nodeMonitorGrace); then the pod starts elsewhere.
  assert.ok((lowerSeconds ?? 0) > 40 + 13 && (upperSeconds ?? 0) < 56 + 36, `${lowerSeconds} to ${upperSeconds}`);
  assert.match(answer.workloads[1]?.because ?? '', /^Its Services sent requests to lost pods for 4\d to 5\d s\.$/);
});

test('the same seed gives the same answer, byte for byte', async () => {
  const asked = () => ask(drain, ...deployment('single', ['one']), ...deployment('spread', ['one', 'two']));
  assert.equal(JSON.stringify(await asked()), JSON.stringify(await asked()));
});
