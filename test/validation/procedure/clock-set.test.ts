import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { usualStartAt as startAt } from '@holdfast/embedded-cluster';
import type { Host } from '../../../src/host/host.ts';
import { steadyHost } from '../../../src/host/steady-host.ts';
import { instanceKill } from '../../../src/validation/scenarios/instance-kill.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { type Rehearsed, rehearse } from '../../support/rehearse.ts';

/** The host on a machine whose wall clock is so many seconds ahead of the true time at that instant. */
function onMachine(host: Host, aheadSeconds: (at: number) => number): Host {
  const set = (at: number) => at + 1000 * aheadSeconds(at);
  return {
    ...host,
    clock: {
      ...host.clock,
      wallAt: () => set(host.clock.wallAt()),
      // In whole milliseconds, so that no step is a millisecond longer or shorter.
      monotonicSeconds: () => (host.clock.wallAt() - startAt) / 1000,
    },
    probe: async (...given) => {
      const sample = await host.probe(...given);
      return { ...sample, at: set(sample.at) };
    },
    load: async (...given) => {
      const told = await host.load(...given);
      return { ...told, startedAt: set(told.startedAt) };
    },
  };
}

/**
 * Two scenarios with outages, of which the clock is set in the middle by so many seconds each: three seconds after
 * their instance or pod was taken.
 */
async function runWith(t: TestContext, steps: readonly number[]): Promise<Rehearsed> {
  const setAt: number[] = [];
  const taking = new Set(['delete-pod', 'terminate-instance']);
  const ahead = (at: number) =>
    steps.reduce((sum, step, index) => (at >= (setAt[index] ?? Number.POSITIVE_INFINITY) ? sum + step : sum), 0);
  return rehearse(t, {
    seed: 3,
    scenarios: [singleReplica, instanceKill],
    through: (host) => {
      const machine = onMachine(host, ahead);
      return steadyHost(machine, machine.clock.monotonicSeconds);
    },
    onFact: (fact, { host }) => {
      if (fact.type !== 'action-intended' || !taking.delete(fact.action)) return;
      setAt.push(host.clock.wallAt() + 3000);
    },
  });
}

test('the machine’s clock is set in the middle of two scenarios: numbers, log and evidence are the same, and a finding tells each step', async (t) => {
  const [whole, stepped] = [await runWith(t, []), await runWith(t, [900, -1500])];
  const found = stepped.result.findings.filter(({ id }) => id === 'clock-set');
  assert.deepEqual(
    found.map(({ severity, observed }) => [severity, observed.replace(/ before .*/, '')]),
    [
      ['warning', 'it was set ahead by 900.0 s'],
      ['warning', 'it was set back by 1500.0 s'],
    ],
  );
  const others = stepped.result.findings.filter(({ id }) => id !== 'clock-set');
  assert.deepEqual({ ...stepped.result, findings: others }, whole.result);
  const log = ({ folder }: Rehearsed) => readFileSync(join(folder, 'downtime.log'), 'utf8');
  assert.equal(log(stepped), log(whole));
  const { outages, scenarios } = whole.result;
  assert.ok(outages.length > 0 && scenarios.some(({ podReadySeconds }) => podReadySeconds !== null));
});
