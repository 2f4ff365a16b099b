import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { needsSsh } from '../deployment/support/over-ssh.ts';
import { checkServers, cutAtRandom, deployAll } from '../fleet/support/cuts.ts';
import { buildFleet } from '../fleet/support/servers.ts';

// 20 servers over real ssh. What is cut: one connection or all of them (the network), the program of a server, or the
// one that controls. The seed is printed.
const seed = process.env.SEED ?? '1';
const rounds = Number(process.env.ROUNDS ?? '200');
const count = Number(process.env.SERVERS ?? '20');

test(`${rounds} random cuts in roll-outs of ${count} servers leave none half`, async (t) => {
  if (!needsSsh(t)) return;
  const random = randomStreams(seed)('cuts');
  const fleet = await buildFleet(t, count);
  // A server that a cut roll-out never reached has the caches of the deploy before, and so there has to be one.
  await deployAll(fleet);
  const outcomes = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const { kind, exitCode } = await cutAtRandom(fleet, random, round);
    await checkServers(fleet, `seed ${seed}, round ${round}: ${kind}, exit ${exitCode}`);
    const outcome = `${kind}: exit ${exitCode}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    console.error(`seed ${seed}, round ${round}: ${outcome}`);
  }
  assert.equal(
    [...outcomes.values()].reduce((sum, one) => sum + one, 0),
    rounds,
  );
  t.diagnostic(
    `seed ${seed}: ${[...outcomes]
      .toSorted()
      .map(([what, times]) => `${times} × ${what}`)
      .join(', ')}`,
  );
});
