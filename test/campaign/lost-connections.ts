import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { buildOrdeal } from '../deployment/support/crash.ts';
import { needsSsh, sshTo } from '../deployment/support/over-ssh.ts';

// A real SSH connection is lost at random moments of the real program. The seed is printed.
const seed = process.env.SEED ?? '1';
const random = randomStreams(seed);

for (const [kind, rounds] of [
  ['good', 40],
  ['broken', 30],
  ['rollback', 30],
] as const) {
  test(`${kind}: the SSH connection is lost at ${rounds} random moments`, async (t) => {
    if (!needsSsh(t)) return;
    const { site, seconds, survivesCut } = await buildOrdeal(t, kind);
    const overSsh = await sshTo(t, site);
    const longest = Math.max(await seconds(), await seconds());
    for (let round = 0; round < rounds; round++) {
      const after = random(`losses of ${kind}`)() * longest;
      await survivesCut(async (words) => {
        const program = await overSsh(words);
        await new Promise((resolve) => setTimeout(resolve, after * 1000));
        program.loseConnection();
        await program.ended();
      }, `the connection lost after ${after} s`);
    }
    t.diagnostic(`seed ${seed}: ${rounds} connections within ${longest.toFixed(2)} s`);
  });
}
