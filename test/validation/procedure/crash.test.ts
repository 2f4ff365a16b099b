import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { isThorough, spread } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { OperationError } from '../../../src/host/errors.ts';
import type { Rehearsal } from '../../../src/rehearsal/host.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { type CutRun, changes, cutPoints, type Wanted } from '../../support/cut-points.ts';
import { cutRecovery } from '../../support/cut-recovery.ts';
import { losses, watchDisk } from '../../support/disk.ts';
import { recovered } from '../../support/recovered.ts';
import { rehearse } from '../../support/rehearse.ts';
import { type Around, tappedHost } from '../../support/tapped-host.ts';

/** Every n-th call that changes the world or the disk; test/campaign/crash-validation.ts takes every call. */
const share = 12;

const someWrites = (): Wanted => {
  let writes = 0;
  return (_n, call, touches) =>
    touches && changes(call) && !call.what.endsWith('downtime.log') && writes++ % share === 0;
};

for (const scenario of scenarios) {
  test(`after a crash at any call of an action of ${scenario.name} recover undoes everything`, async (t) => {
    const random = randomStreams(scenario.name)('loss');
    const run = await cutPoints(t, { scenarios: [scenario] }, someWrites());
    assert.ok(run.points.length >= 2, `${run.points.length} points`);
    for (const [index, point] of spread([...run.points.entries()], 3)) {
      const loss = losses[index % losses.length] ?? 'power';
      const { troubles } = await recovered(t, run, point, loss, random);
      assert.deepEqual(troubles, [], `${loss} ${point.when} call ${point.n}, ${point.what}`);
    }
  });
}

const aDrain = (t: Parameters<typeof cutPoints>[0]): Promise<CutRun> => {
  const cordons = (url: string | undefined) => url?.includes('/api/v1/nodes/') === true;
  return cutPoints(t, { scenarios: [nodeDrain] }, (_n, { request }, touches) => touches && cordons(request?.url));
};

test('after a crash of recover at any of its calls a second recover ends with the same state', async (t) => {
  const run = await aDrain(t);
  const [point] = run.points.filter(({ when }) => when === 'after');
  assert.ok(point);
  let cuts = 0;
  const step = isThorough ? 3 : 9;
  for (let n = 1; ; n += step) {
    const left = await cutRecovery(t, run, point, n);
    if (left === undefined) break;
    cuts += 1;
    assert.deepEqual((await recovered(t, run, left, 'power', () => 0)).troubles, [], `call ${n} of recover`);
  }
  assert.ok(cuts > 15 / step, `${cuts} cuts`);
});

test('a run whose every call fails from some call on ends, and recover undoes what it left', async (t) => {
  const run = await aDrain(t);
  const points = run.points.filter((point) => point.when === 'before');
  for (const { n, when, what } of spread(points, 3)) {
    const disk = watchDisk();
    let calls = 0;
    let rehearsal: Rehearsal | undefined;
    const around: Around = (call, make) => {
      calls += 1;
      const failure = { tried: 'Calling', on: call.what, reason: 'input/output error (EIO)' };
      return calls < n ? disk.around(call, make) : Promise.reject(new OperationError(failure));
    };
    const through = (host: Rehearsal['host'], made: Rehearsal) => {
      rehearsal = made;
      return tappedHost(host, around);
    };
    await assert.rejects(rehearse(t, { scenarios: [nodeDrain], through }), OperationError);
    assert.ok(rehearsal);
    const left = { world: JSON.stringify(rehearsal.world.save()), disk: disk.now() };
    assert.deepEqual((await recovered(t, run, left, 'torn', () => 0.5)).troubles, [], `${when} call ${n}, ${what}`);
  }
});
