import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { ofType } from '../../../src/validation/record/records.ts';
import { consolidation } from '../../../src/validation/scenarios/consolidation.ts';
import { dnsFailure } from '../../../src/validation/scenarios/dns-failure.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { scaleDown } from '../../../src/validation/scenarios/scale-down.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { changes, cutPoints } from '../../support/cut-points.ts';
import { recovered } from '../../support/recovered.ts';
import { rehearse } from '../../support/rehearse.ts';

const further = (name: string, more: object = {}) => ({
  application: name,
  url: `http://${name}.example.com/`,
  ...more,
});
const settingsOf = (...applications: readonly object[]) => validationSchema.parse({ applications });
const both = settingsOf(further('forum'));

const intents = (facts: readonly ValidationFact[], action: string) =>
  ofType(facts, 'action-intended').filter((fact) => fact.action === action);

test('a record of each name is deleted at the same time, and the DNS automation is paused once', async (t) => {
  const { facts, result } = await rehearse(t, { scenarios: [dnsFailure], settings: both });
  assert.deepEqual(
    result.applications?.map(({ scenarios = [] }) => scenarios.find(({ name }) => name === 'dns-failure')?.verdict),
    ['pass', 'pass'],
  );
  assert.equal(intents(facts, 'pause-deployment').length, 1);
  const deleted = intents(facts, 'delete-dns-record');
  assert.deepEqual(
    deleted.map(({ of }) => of?.join()),
    ['Deployment/nginx-test', 'Deployment/forum', 'Deployment/nginx-test', 'Deployment/forum'],
  );
  assert.equal(deleted[0]?.at, deleted[1]?.at);
});

test('all replicas but one of each leave, so that a node of the pool that they share becomes empty', async (t) => {
  const { facts, result } = await rehearse(t, { scenarios: [consolidation], settings: both });
  assert.equal(intents(facts, 'set-consolidate-after').length, 1);
  for (const { name, scenarios = [] } of result.applications ?? [])
    assert.equal(scenarios.find((one) => one.name === 'consolidation')?.verdict, 'pass', name);
});

test('what takes a node is made once for each pool', async (t) => {
  const apart = settingsOf(further('forum', { nodePool: { name: 'others', role: 'others' } }));
  const { facts, result } = await rehearse(t, { scenarios: [nodeDrain], settings: apart });
  assert.deepEqual(
    result.applications?.map(({ verdict }) => verdict),
    ['pass', 'pass'],
  );
  assert.deepEqual(
    intents(facts, 'drain-node').map(({ of }) => of),
    [['Deployment/nginx-test'], ['Deployment/forum']],
  );
});

test('an outage of one application while another is scaled makes the run inconclusive, and names the scenario', async (t) => {
  let isCut = false;
  const { result } = await rehearse(t, {
    scenarios: [scaleDown],
    settings: both,
    onFact: (fact) => {
      const isOfForum = fact.of?.includes('Deployment/forum') === true;
      if (fact.type === 'window-opened') isCut = isOfForum;
      if (fact.type === 'window-closed') isCut = false;
    },
    through: (host) => ({
      ...host,
      probe: async (target, ...rest) => {
        const sample = await host.probe(target, ...rest);
        return isCut && target.url.includes('app.example.com') ? { ...sample, status: 503 } : sample;
      },
    }),
  });
  const [first, forum] = result.applications ?? [];
  assert.deepEqual([first?.verdict, forum?.verdict, result.verdict], ['inconclusive', 'pass', 'inconclusive']);
  const [found] = result.findings.filter(({ id }) => id === 'background-outage');
  assert.match(found?.observed ?? '', /, in scale-down of another application$/);
});

test('after a crash in the middle of a shared disruption recover puts everything back for all of them', async (t) => {
  const random = randomStreams('several')('loss');
  let writes = 0;
  const run = await cutPoints(t, { scenarios: [nodeDrain, consolidation], settings: both }, (_n, call, touches) => {
    return touches && changes(call) && !call.what.endsWith('downtime.log') && writes++ % 20 === 0;
  });
  assert.ok(run.points.length >= 4, `${run.points.length} points`);
  for (const point of run.points) {
    const { troubles } = await recovered(t, run, point, 'power', random);
    assert.deepEqual(troubles, [], `${point.when} call ${point.n}, ${point.what}`);
  }
});

test('an application that answers another status as it should is judged by that, the others by the run’s', async (t) => {
  const settings = settingsOf(further('forum', { monitor: { expect: 204, slow: '2s' } }));
  const { folder, result } = await rehearse(t, {
    scenarios: [singleReplica],
    settings,
    through: (host) => ({
      ...host,
      probe: async (target, ...rest) => {
        const sample = await host.probe(target, ...rest);
        return target.url.includes('forum') && sample.status === 200 ? { ...sample, status: 204 } : sample;
      },
    }),
  });
  assert.deepEqual(
    result.applications?.map(({ verdict }) => verdict),
    ['pass', 'pass'],
  );
  const [header] = readFileSync(join(folder, 'downtime.log'), 'utf8').split('\n');
  assert.match(
    header ?? '',
    / target=http:\/\/app\.example\.com\/ target=http:\/\/forum\.example\.com\/ target-expect=204 target-slow=2s .* expect=200$/,
  );
});
