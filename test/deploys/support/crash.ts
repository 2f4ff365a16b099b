import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import type { DeployDocument } from '../../../src/deployment/document.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import type { Host } from '../../../src/host/host.ts';
import { mortalHost } from './mortal-host.ts';
import { quietHost } from './quiet-host.ts';
import { buildSite, type Site } from './site.ts';

export type CrashKind = 'good' | 'broken' | 'rollback';

/** What no deploy may ever touch. */
const precious: Readonly<Record<string, string>> = {
  '.env': 'APP_KEY=secret\n',
  'storage/upload.bin': 'an upload\u0000\u0001',
  untracked: 'nobody told git of this',
};

/** The run that is to be killed, on a site that has two verified commits, and the ends that are right. */
async function stage(
  t: TestContext,
  kind: CrashKind,
): Promise<{ site: Site; old: string; ends: readonly string[]; run: (host: Host) => Promise<DeployDocument> }> {
  const site = await buildSite(t);
  const first = site.head();
  for (const [path, text] of Object.entries(precious)) site.write(path, text);
  await deploy(quietHost(), site.settings());
  const old = site.push({
    ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`file${index}`, `two ${index}`])),
    page: 'two',
  });
  await deploy(quietHost(), site.settings());
  if (kind === 'rollback') return { site, old, ends: [first, old], run: (host) => rollback(host, site.settings()) };
  const files = Array.from({ length: 30 }, (_, index) => [`file${index}`, index % 3 === 0 ? null : `three ${index}`]);
  const commit = site.push({ ...Object.fromEntries(files), page: 'three', status: kind === 'good' ? '200' : '500' });
  return { site, old, ends: kind === 'good' ? [commit] : [old], run: (host) => deploy(host, site.settings()) };
}

/** How many moments such a run has. */
export async function momentsOf(t: TestContext, kind: CrashKind): Promise<number> {
  const { run } = await stage(t, kind);
  const mortal = await mortalHost();
  await run(mortal.host);
  await mortal.bury();
  return mortal.moments();
}

/** Kills the run at that moment and runs again: the end is a verified commit, whole, and nothing else was touched. */
export async function killAndRunAgain(
  t: TestContext,
  kind: CrashKind,
  moment: number,
  withChildren: boolean,
): Promise<void> {
  const { site, ends, run } = await stage(t, kind);
  const mortal = await mortalHost(moment, withChildren);
  await Promise.race([run(mortal.host), mortal.death]);
  await mortal.bury();
  const again = await (kind === 'rollback' ? rollbackOrStay(site) : deploy(quietHost(), site.settings()));
  const what = `${kind}, killed at moment ${moment}${withChildren ? ' with its commands' : ''}\n${site.log()}`;
  assert.ok([0, 3, 6].includes(again.exitCode), `exit ${again.exitCode}: ${what}`);
  assert.ok(ends.includes(site.head()), `at ${site.head()}: ${what}`);
  assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '', what);
  assert.equal((await fetch(site.healthUrl)).status, 200, what);
  assert.equal(site.read('storage/cached-page'), site.read('page'), `the caches are the commit's: ${what}`);
  for (const [path, text] of Object.entries(precious)) assert.equal(site.read(path), text, what);
  const journal = readFileSync(join(site.app, '.git', 'holdfast', 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n');
  assert.match(journal.at(-1) ?? '', /"type":"run-finished"/, what);
}

/** A rollback that was killed at its end has nothing to go back to: what is there is what it was. */
async function rollbackOrStay(site: Site): Promise<DeployDocument> {
  const { repairNow } = await import('../../../src/deployment/repair/repair-now.ts');
  return repairNow(quietHost(), site.settings());
}
