import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { deploy } from '../../src/deployment/deploy.ts';
import {
  buildOrdeal,
  type CrashKind,
  type CrashVariant,
  crashKinds,
  crashVariants,
} from '../deployment/support/crash.ts';
import { fingerprints } from '../deployment/support/fingerprints.ts';
import { buildLaravel, type LaravelSite, needsLaravel } from '../deployment/support/laravel.ts';
import { mortalHost } from '../deployment/support/mortal-host.ts';
import { quietHost } from '../deployment/support/quiet-host.ts';

// Every moment of every kind, the process alone and with its commands; the share in `npm test` is small. The seed is
// printed.
const seed = process.env.SEED ?? '1';
const random = randomStreams(seed);
const whole = (stream: string, below: number): number => Math.floor(random(stream)() * below);
/**
 * With SHARE=20 OFFSET=3, of the signal moments, and of every second moment of a kill, only the third and each 20th
 * after it; without, all.
 */
const [share, offset] = [Number(process.env.SHARE ?? 1), Number(process.env.OFFSET ?? 0)];

for (const kind of crashKinds) {
  test(`${kind}: killed at every moment, the process and the group`, async (t) => {
    const { moments, survives } = await buildOrdeal(t, kind);
    const count = await moments();
    let kills = count;
    for (let moment = 0; moment < count; moment++) {
      if (!(await survives({ moment, withCommands: false }))) continue;
      await survives({ moment, withCommands: true });
      kills++;
    }
    t.diagnostic(`${count} moments, ${kills} kills`);
  });
}

for (const variant of crashVariants.slice(1)) {
  for (const kind of ['good', 'broken'] as const) {
    // The basic variant checks nothing, and so finds nothing broken.
    if (variant === 'basic' && kind === 'broken') continue;
    test(`${kind}, ${variant}: killed at every second moment`, (t) => everySecondMoment(t, kind, variant));
  }
}
for (const kind of ['rollback', 'first'] as const)
  test(`${kind}, releases: killed at every second moment`, (t) => everySecondMoment(t, kind, 'releases'));

for (const kind of ['good', 'broken', 'rollback'] as const) {
  test(`${kind}, releases: the program itself ended with kill -9 at 50 random moments`, async (t) => {
    const { seconds, survivesKill } = await buildOrdeal(t, kind, 'releases');
    const longest = Math.max(await seconds(), await seconds());
    for (let round = 0; round < 50; round++)
      await survivesKill(random(`seconds of ${kind} in releases`)() * longest, round % 2 === 0);
    t.diagnostic(`seed ${seed}: 50 kills within ${longest.toFixed(2)} s`);
  });
}

async function everySecondMoment(t: TestContext, kind: CrashKind, variant: CrashVariant): Promise<void> {
  const { moments, survives } = await buildOrdeal(t, kind, variant);
  const count = await moments();
  let kills = 0;
  for (let moment = 2 * offset; moment < count; moment += 2 * share) {
    await survives({ moment, withCommands: (kills + offset) % 2 === 0 });
    kills++;
  }
  t.diagnostic(`${count} moments, ${kills} kills`);
}

for (const kind of ['good', 'broken', 'rollback'] as const) {
  test(`${kind}: the run, the repair and the repair of the repair are killed at 50 random moments`, async (t) => {
    const { moments, survives } = await buildOrdeal(t, kind, 'steps');
    const count = await moments();
    const death = () => ({ moment: whole(`deaths of ${kind}`, count), withCommands: whole('groups', 2) === 0 });
    for (let round = 0; round < 50; round++) await survives(death(), death(), death());
    t.diagnostic(`seed ${seed}: 50 rounds of three kills`);
  });
}

for (const [kind, rounds] of [
  ['good', 200],
  ['broken', 200],
  ['rollback', 100],
] as const) {
  test(`${kind}: the program itself ended with kill -9 at ${rounds} random moments`, async (t) => {
    const { seconds, survivesKill } = await buildOrdeal(t, kind);
    const longest = Math.max(await seconds(), await seconds());
    for (let round = 0; round < rounds; round++)
      await survivesKill(random(`seconds of ${kind}`)() * longest, round % 2 === 0);
    t.diagnostic(`seed ${seed}: ${rounds} kills within ${longest.toFixed(2)} s`);
  });
}

test('20 deploys of a real Laravel killed at random moments', async (t) => {
  if (!needsLaravel(t)) return;
  const site = await buildLaravel(t);
  writeFileSync(join(site.app, 'storage/app/upload.bin'), 'an upload\u0000');
  const mortal = await mortalHost();
  site.pushVersion('counted');
  assert.equal((await deploy(mortal.host, site.settings())).state, 'verified', site.log());
  await mortal.bury();
  for (let round = 0; round < 20; round++)
    await killOnLaravel(site, `v${round}`, round % 3 === 2, whole('laravel', mortal.moments()));
  t.diagnostic(`seed ${seed}: 20 kills among ${mortal.moments()} moments`);
});

/** Demands that the served site is exactly the commit that is checked out. */
async function killOnLaravel(site: LaravelSite, version: string, broken: boolean, moment: number): Promise<void> {
  const old = site.head();
  const [, oldVersion] = /class=(\S+)/.exec((await site.get('/')).body) ?? [];
  const before = preciousOf(site);
  const commit = site.pushVersion(version, { broken });
  const mortal = await mortalHost(moment, moment % 2 === 0);
  await Promise.race([deploy(mortal.host, site.settings()), mortal.death]);
  await mortal.bury();
  const { exitCode } = await deploy(quietHost(), site.settings());
  const story = `${version}, killed at moment ${moment}\n${site.log()}`;
  assert.ok(broken ? [3, 6].includes(exitCode) : exitCode === 0, `exit ${exitCode}: ${story}`);
  assert.equal(site.head(), broken ? old : commit, story);
  const served = broken ? oldVersion : version;
  assert.match((await site.get('/')).body, new RegExp(`class=${served} view=${served} config=${served}<`), story);
  assert.equal((await site.get('/health')).status, 200, story);
  assert.deepEqual(preciousOf(site), before, story);
}

/** All files but those that the framework writes for a request or as its caches. */
function preciousOf(site: LaravelSite): ReadonlyMap<string, string> {
  const written = /^(?:bootstrap\/cache|storage\/(?:framework|logs))\//;
  return new Map([...fingerprints(site)].filter(([path]) => !written.test(path)));
}

for (const kind of ['good', 'broken', 'rollback'] as const) {
  for (const variant of ['full', 'basic', 'steps', 'releases', 'before'] as const) {
    if (variant === 'basic' && kind !== 'good') continue;
    test(`${kind}, ${variant}: SIGTERM, SIGINT and SIGHUP at every moment`, async (t) => {
      const { signalMoments, survivesSignal } = await buildOrdeal(t, kind, variant);
      const count = await signalMoments();
      const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
      let sent = 0;
      for (let moment = offset; moment < count; moment += share)
        for (const signal of signals) {
          await survivesSignal(moment, signal);
          sent++;
        }
      t.diagnostic(`${count} moments, ${sent} signals`);
    });
  }
}

for (const [kind, variant, rounds] of [
  ['good', 'full', 90],
  ['broken', 'full', 90],
  ['rollback', 'full', 110],
  ['good', 'releases', 60],
  ['broken', 'releases', 60],
  ['rollback', 'releases', 60],
  ['good', 'before', 15],
  ['broken', 'before', 15],
] as const) {
  test(`${kind}, ${variant}: a signal to the program itself at ${rounds} random moments`, async (t) => {
    const { secondsLogged, survivesRealSignal } = await buildOrdeal(t, kind, variant);
    // A busy machine takes longer for some of the rounds.
    const longest = 1.5 * Math.max(await secondsLogged(), await secondsLogged());
    const codes = new Map<number, number>();
    for (let round = 0; round < rounds; round++) {
      const signal = round % 2 === 0 ? 'SIGTERM' : 'SIGINT';
      const code = await survivesRealSignal(random(`signals of ${kind}, ${variant}`)() * longest, signal);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    const told = [...codes].map(([code, count]) => `${count} of ${code}`).join(', ');
    t.diagnostic(`seed ${seed}: ${rounds} signals within ${longest.toFixed(2)} s; exit codes: ${told}`);
  });
}
