import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { shortageOf } from './behaviours/endpoints.ts';
import { behaviours } from './behaviours/index.ts';
import { verdictOf, tableOf as verdicts } from './behaviours/verdict.ts';
import { besideProber, tableOf } from './beside.ts';
import { leftBehind } from './left-behind.ts';
import { besideRehearsals, ownTable } from './own/beside-rehearsal.ts';
import { type Probed, readProbed, trafficIn } from './probed.ts';
import { recordSetsIn } from './read-state.ts';
import { differences, thingOf } from './state.ts';

const at = (seconds: number, status = 200, took = 0.01): Probed => ({ at: seconds * 1000, status, seconds: took });

test('the prober’s downtime runs from the first bad sample to the next good one, and names its kinds', () => {
  const samples = [at(0), at(0.2, 503), at(0.4, 200, 5), at(0.6), at(0.8, 0), at(1)];
  const { bad, downtimeSeconds, kinds } = trafficIn(samples, { from: 0, to: 1000 });
  assert.deepEqual([bad, Number(downtimeSeconds.toFixed(3)), kinds], [3, 0.6, { 503: 1, slow: 1, none: 1 }]);
});

test('an outage that is still open at the end of the span counts up to the last sample', () => {
  assert.equal(trafficIn([at(0), at(1, 503), at(3, 503)], { from: 0, to: 3000 }).downtimeSeconds, 2);
});

test('a line that was torn when the prober was killed is left out', () => {
  const text = `${JSON.stringify(at(2))}\n${JSON.stringify(at(1))}\n{"at":3,"sta`;
  assert.deepEqual(
    readProbed(text).map((one) => one.at),
    [1000, 2000],
  );
});

const scenario = (seconds: number, lowerSeconds: number, upperSeconds: number) => ({
  name: 'single-replica',
  verdict: 'pass',
  window: { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:10.000Z' },
  downtime: { seconds, lowerSeconds, upperSeconds, samples: 10, bad: 2 },
  nodeReplacementSeconds: null,
  podReadySeconds: 1.7,
});
const outageOf = (seconds: number) =>
  Array.from({ length: 50 }, (_, index) => at(index / 5, index >= 5 && index < 5 + seconds * 5 ? 503 : 200));

test('a scenario agrees with the prober when the prober’s downtime lies within the product’s bounds', () => {
  const agreed = (reported: ReturnType<typeof scenario>, seconds: number) =>
    besideProber({ scenarios: [reported] }, outageOf(seconds))[0]?.agrees;
  assert.equal(agreed(scenario(3, 2, 3.2), 2.4), true);
  assert.equal(agreed(scenario(3, 2, 3.2), 6), false);
  assert.equal(agreed(scenario(3, 2, 3.2), 1), false);
  assert.equal(agreed(scenario(0, 0, 0), 0.8), true, 'the product asks once a second');
});

test('a scenario that did not run has no figure in the table', () => {
  const unrun = { ...scenario(0, 0, 0), window: null, downtime: null, verdict: 'not-tested' };
  const rows = besideProber({ scenarios: [unrun, scenario(3, 2, 3.2)] }, outageOf(2.4));
  assert.match(tableOf(rows), /\| single-replica \| not-tested \| – \|.* – \| – \| – \| – \|/);
  assert.match(tableOf(rows), /3\.0 \[2\.0, 3\.2\] \| – \/ 1\.7 \| 2\.4 \| 12 of 50 \| 12 × 503 \| yes/);
});

const deployment = (replicas: number, version: string) => ({
  kind: 'Deployment',
  metadata: { namespace: 'default', name: 'app', resourceVersion: version, uid: version, generation: 4 },
  spec: { replicas },
  status: { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: version }] },
});
const things = (...objects: readonly object[]) => objects.flatMap((object) => thingOf(object) ?? []);

test('two states are equal when only volatile fields and generated names differ', () => {
  const pod = (name: string) => ({ kind: 'Pod', metadata: { namespace: 'default', generateName: 'app-1-', name } });
  const [before, after] = [things(deployment(2, '1'), pod('app-1-a')), things(pod('app-1-b'), deployment(2, '9'))];
  assert.deepEqual(differences(before, after), []);
});

test('the order in which EC2 lists subnets is no difference, and another subnet is one', () => {
  const nodeClass = (...ids: readonly string[]) =>
    things({ kind: 'EC2NodeClass', metadata: { name: 'default' }, status: { subnets: ids.map((id) => ({ id })) } });
  assert.deepEqual(differences(nodeClass('a', 'b'), nodeClass('b', 'a')), []);
  assert.equal(differences(nodeClass('a', 'b'), nodeClass('a', 'c')).length, 1);
});

test('annotations that are an empty map, and none at all, are the same', () => {
  const slice = (metadata: object) => things({ kind: 'EndpointSlice', metadata: { name: 'a', ...metadata } });
  const withTrigger = { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z' } };
  assert.deepEqual(differences(slice(withTrigger), slice({})), []);
  assert.equal(differences(slice({ annotations: { own: 'x' } }), slice({})).length, 1);
});

test('a field that changed, an object that is gone and one that is left are named', () => {
  const made = { kind: 'NodePool', metadata: { name: 'left' } };
  const gone = { kind: 'Lease', metadata: { namespace: 'default', name: 'held' } };
  assert.deepEqual(differences(things(deployment(2, '1'), gone), things(deployment(1, '2'), made)), [
    'Deployment default/app: spec.replicas: 2 → 1',
    'Lease default/held: there were 1, there are 0',
    'NodePool left: there were 0, there are 1',
  ]);
});

test('a cordon and a taint that are left on a node are a difference', () => {
  const node = (name: string, spec: object) => ({
    kind: 'Node',
    metadata: { name, labels: { 'karpenter.sh/nodepool': 'arm', 'kubernetes.io/hostname': name } },
    spec,
  });
  assert.deepEqual(differences(things(node('a', {})), things(node('b', {}))), []);
  assert.deepEqual(differences(things(node('a', {})), things(node('b', { unschedulable: true }))), [
    'Node of the pool arm: spec.unschedulable: undefined → true',
  ]);
});

test('events and node leases are not part of the state', () => {
  const lease = { kind: 'Lease', metadata: { namespace: 'kube-node-lease', name: 'ip-10-0-0-1' } };
  assert.deepEqual(things(lease, { kind: 'Event', metadata: { name: 'x' } }), []);
});

test('record sets are named by name and type', () => {
  const set = '<ResourceRecordSet><Name>app.example.com.</Name><Type>A</Type>\n <AliasTarget/></ResourceRecordSet>';
  const [only] = recordSetsIn(`<ListResourceRecordSetsResponse>${set}</ListResourceRecordSetsResponse>`);
  assert.equal(only?.name, 'RecordSet app.example.com. A');
  const other = { name: only?.name ?? '', text: '{"set":""}' };
  assert.equal(differences([other], only === undefined ? [] : [only]).length, 1);
});

test('nothing is left of a cluster that never was', () => {
  assert.deepEqual(leftBehind({ folder: '/none', home: '/none/there', name: 'no-such-cluster', environment: {} }), []);
});

test('a process that names the cluster’s home is left behind; those that this one was started by are not', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'left-behind-'));
  t.after(() => rmSync(home, { recursive: true }));
  const child = spawn('sleep', ['60'], { env: { REFEREE_HOME: home } });
  t.after(() => child.kill());
  const left = leftBehind({ folder: '/none', home, name: 'no-such-cluster', environment: {} });
  assert.deepEqual(left, [`process ${child.pid} sleep 60`, `folder ${home}`]);
});

test('the time without and with too few endpoints is counted within the deed alone', () => {
  const changes = [
    { at: 0, ready: 2 },
    { at: 10, ready: 0 },
    { at: 12, ready: 1 },
    { at: 15, ready: 2 },
    { at: 40, ready: 0 },
  ];
  const shortage = shortageOf(changes, { from: 11, to: 20, wanted: 2 });
  assert.deepEqual(shortage, { withoutSeconds: 1, tooFewSeconds: 4, leastEndpoints: 0 });
});

const observed = (more: object = {}) => ({
  steps: { replaced: 40 },
  withoutSeconds: 0,
  tooFewSeconds: 4,
  leastEndpoints: 1,
  objects: { nodes: 2 },
  events: ['Node Normal Ready'],
  ...more,
});
const behaviour = { name: 'drift', deed: 'a node drifts' };
const verdict = (real: object, embedded: object) =>
  verdictOf({ behaviour, real: [observed(real)], embedded: [observed(embedded)] });

test('behaviours are alike within the noise, and another figure for a user weighs more than another object', () => {
  assert.equal(verdict({}, { steps: { replaced: 44 } }).verdict, 'alike');
  assert.deepEqual(verdict({}, { tooFewSeconds: 20, objects: { nodes: 3 } }), {
    verdict: 'a user measures another',
    because: ['too few endpoints: really 4, here 20'],
  });
  assert.equal(verdict({}, { leastEndpoints: 0 }).verdict, 'a user measures another');
});

test('a step that never came is unlike one that did', () => {
  const { because } = verdict({ steps: { replaced: 'not within 60 s' } }, {});
  assert.deepEqual(because, ['replaced: really not within 60 s, here 40']);
});

test('other objects and other events are told apart, and what could not be played is not judged', () => {
  assert.deepEqual(verdict({ objects: { nodes: 3 } }, { events: ['Node Normal Ready', 'Pod Normal Nominated'] }), {
    verdict: 'objects or events differ',
    because: ['nodes: really 3, here 2', 'events only here: Pod Normal Nominated'],
  });
  assert.equal(verdict({}, { impossible: 'POST StatefulSet: 404' }).verdict, 'not possible');
  assert.equal(verdictOf({ behaviour, real: [], embedded: [observed()] }).verdict, 'not run');
});

test('the table of verdicts counts each of them', () => {
  const table = verdicts([{ behaviour, real: [observed()], embedded: [observed({ withoutSeconds: 9 })] }]);
  assert.match(
    table,
    /\| `drift` \| a node drifts \| a user measures another \| without endpoints: really 0, here 9 \| 1 \|/,
  );
  assert.match(table, /1 a user measures another$/);
});

test('there are at least 30 behaviours, each with a name of its own', () => {
  assert.ok(behaviours.length >= 30, `${behaviours.length}`);
  assert.equal(new Set(behaviours.map(({ name }) => name)).size, behaviours.length);
});

test('a scenario of one’s own manifests is set beside the rehearsals of the same: any of their verdicts, any second within their bounds', () => {
  const run = (...scenarios: readonly ReturnType<typeof scenario>[]) => ({ scenarios });
  const rehearsed = [run(scenario(3, 2, 4)), run({ ...scenario(8, 7, 9), verdict: 'fail' })];
  const compared = (real: ReturnType<typeof scenario>) => besideRehearsals('gentle', run(real), rehearsed)[0];
  const judged = (real: ReturnType<typeof scenario>) => [compared(real)?.isSameVerdict, compared(real)?.isWithin];
  assert.deepEqual(judged(scenario(5, 4.5, 5.5)), [true, true]);
  assert.deepEqual(judged(scenario(1, 0.5, 1.9)), [true, false]);
  assert.deepEqual(judged({ ...scenario(10, 9.1, 11), verdict: 'inconclusive' }), [false, false]);
  const row = compared(scenario(1, 0.5, 1.9));
  assert.ok(row);
  assert.match(
    ownTable([row]),
    /\| gentle \| single-replica \| fail or pass \| 2\.0 to 9\.0 \| pass \| 1\.0 \[0\.5, 1\.9\] \| yes \| \*\*no\*\* \|/,
  );
});

test('of a run of several applications each is set beside its own rehearsal', () => {
  const run = (shop: ReturnType<typeof scenario>, api: ReturnType<typeof scenario>) => ({
    scenarios: [api],
    applications: [
      { name: 'shop', scenarios: [shop] },
      { name: 'api', scenarios: [api] },
    ],
  });
  const failed = { ...scenario(8, 7, 9), verdict: 'fail' };
  const rows = besideRehearsals('several', run(scenario(3, 2, 4), failed), [run(scenario(3, 2, 4), failed)]);
  assert.deepEqual(
    rows.map(({ set, measured, isSameVerdict, isWithin }) => [set, measured.verdict, isSameVerdict, isWithin]),
    [
      ['several: shop', 'pass', true, true],
      ['several: api', 'fail', true, true],
    ],
  );
});

test('what a real cluster did not have is not set beside a rehearsal, and no downtime is no second of one', () => {
  const untested = { ...scenario(0, 0, 0), verdict: 'not-tested' };
  assert.deepEqual(besideRehearsals('gentle', { scenarios: [untested] }, []), []);
  const [row] = besideRehearsals('gentle', { scenarios: [scenario(0, 0, 0)] }, [{ scenarios: [] }]);
  assert.deepEqual([row?.isSameVerdict, row?.isWithin], [false, null]);
});
