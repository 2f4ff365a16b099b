import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Host } from '../../src/host/host.ts';
import { steadyHost } from '../../src/host/steady-host.ts';

const START = Date.parse('2026-11-27T10:00:00.000Z');

/** A machine of which all three clocks are moved by hand, in seconds. */
function machine() {
  const at = { wall: START / 1000, monotonic: 4711, uptime: 4711 };
  const clock = { wallAt: () => Math.round(at.wall * 1000), monotonicSeconds: () => at.monotonic };
  const probe = async () => ({ at: clock.wallAt(), status: 200 });
  const load = async () => ({ startedAt: clock.wallAt() });
  const host = steadyHost({ clock, probe, load } as unknown as Host, () => at.uptime);
  const pass = (seconds: number) => {
    at.wall += seconds;
    at.monotonic += seconds;
    at.uptime += seconds;
  };
  const sleep = (seconds: number) => {
    at.wall += seconds;
    at.uptime += seconds;
  };
  const set = (seconds: number) => {
    at.wall += seconds;
  };
  return { host, pass, sleep, set };
}

const steps = fc.array(
  fc.record({
    what: fc.constantFrom('pass', 'sleep', 'set' as const),
    seconds: fc.integer({ min: 1, max: 100_000 }),
    back: fc.boolean(),
  }),
  { maxLength: 20 },
);

test('however often a clock is set, the host’s goes on as the time passes, also while the machine sleeps, and says by how much it was set', () =>
  fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { host, ...machineOf } = machine();
      let [passed, setBy] = [0, 0];
      for (const { what, seconds, back } of all) {
        const signed = what === 'set' && back ? -seconds : seconds;
        machineOf[what](signed);
        if (what === 'set') setBy += signed;
        else passed += signed;
        // Somebody looks at it between two changes: a run does so every quarter of a second.
        assert.equal(host.clock.wallAt(), START + 1000 * passed);
        assert.equal(host.clock.setSeconds?.(), setBy);
      }
      const { at } = await host.probe({ url: '' }, 'new', 1);
      const { startedAt } = await host.load({} as never);
      assert.deepEqual([at, startedAt], [START + 1000 * passed, START + 1000 * passed]);
    }),
    { numRuns: 300 },
  ));

test('between two runs the machine’s clock is taken over as it is set now', () => {
  const { host, pass, set } = machine();
  set(900);
  pass(1);
  assert.equal(host.clock.wallAt(), START + 1000);
  host.clock.followMachine?.();
  assert.deepEqual([host.clock.wallAt(), host.clock.setSeconds?.()], [START + 901_000, 0]);
  pass(1);
  set(-30);
  assert.deepEqual([host.clock.wallAt(), host.clock.setSeconds?.()], [START + 902_000, -30]);
});

test('less than a quarter of a second is no step, but a clock that is corrected', () => {
  const { host, set } = machine();
  set(0.2);
  assert.equal(host.clock.wallAt(), START + 200);
  assert.equal(host.clock.setSeconds?.(), 0);
});
