import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { globSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { buildFurnishedSite, type FurnishedSite, type Looked, look } from '../deployment/support/furnished-site.ts';
import { killWithDescendants } from '../deployment/support/mortal-host.ts';
import { needs } from '../support/needs.ts';

// Each end of a deploy is the old site or the new one, in content, modes, owners, groups and ACLs, and nothing is lost.
// The seed is printed; SHARE=10 takes every tenth round.
const seed = process.env.SEED ?? '1';
const share = Number(process.env.SHARE ?? 1);
const random = randomStreams(seed);

const parts = [
  ['in-place', 'good', 'deploy', 60, 25],
  ['in-place', 'broken', 'deploy', 80, 35],
  ['in-place', 'good', 'rollback', 20, 10],
  ['releases', 'good', 'deploy', 20, 15],
  ['releases', 'broken', 'deploy', 20, 15],
] as const;

for (const [mode, nextIs, command, kills, terms] of parts)
  test(`${command}, ${mode}, ${nextIs}: ${kills} times SIGKILL and ${terms} times SIGTERM`, async (t) => {
    if (process.getuid?.() !== 0) return t.skip('needs root, to have files of several users');
    if (!['nginx', 'setfacl', 'setpriv'].every((program) => needs(t, program))) return;
    await campaign(t, await buildFurnishedSite(t, mode, nextIs), { mode, nextIs, command, kills, terms });
  });

interface Part {
  readonly mode: 'in-place' | 'releases';
  readonly nextIs: 'good' | 'broken';
  readonly command: 'deploy' | 'rollback';
  readonly kills: number;
  readonly terms: number;
}

/** The site before and after an undisturbed run, and what a run is. */
interface Course {
  readonly site: FurnishedSite;
  readonly part: Part;
  readonly words: readonly string[];
  readonly old: Looked;
  readonly changed: Looked;
  readonly longest: number;
  readonly wanted: number;
  /** How often each exit code came. */
  readonly codes: Map<string, number>;
}

async function campaign(t: TestContext, site: FurnishedSite, part: Part): Promise<void> {
  const course = await undisturbed(site, part);
  for (let round = 0; round < part.kills; round += share) await kill(course, round);
  for (let round = 0; round < part.terms; round += share) await terminate(course);
  t.diagnostic(`seed ${seed}: ${[...course.codes].map(([what, times]) => `${what}: ${times} times`).join(', ')}`);
}

const modesOf = ({ mode }: Part): readonly string[] => (mode === 'releases' ? ['--mode', 'releases'] : []);

async function undisturbed(site: FurnishedSite, part: Part): Promise<Course> {
  const words = [part.command, ...modesOf(part)];
  site.begin();
  const old = look(site.app);
  const startedAt = performance.now();
  const { code, said } = await run(site, words);
  const longest = (performance.now() - startedAt) / 1000;
  const wanted = part.nextIs === 'good' ? 0 : 3;
  assert.equal(code, wanted, `${said}\n${site.log()}`);
  const changed = look(site.app);
  if (part.nextIs === 'broken') assertSame(changed, old, site.log());
  else if (part.mode === 'in-place') assertRightChange(site, old, changed, part.command);
  return { site, part, words, old, changed, longest, wanted, codes: new Map() };
}

function count({ codes }: Course, what: string, code: number): void {
  codes.set(`${what} ${code}`, (codes.get(`${what} ${code}`) ?? 0) + 1);
}

/** The next run leaves the new site; the command `rollback` that was killed is undone, unless it had ended. */
async function kill(course: Course, round: number): Promise<void> {
  const { site, part, words, old, changed, longest } = course;
  const isRollback = part.command === 'rollback';
  site.begin();
  const after = random(`kill ${part.command} ${part.mode} ${part.nextIs}`)() * longest;
  await run(site, words, (pid) => (round % 2 === 0 ? killWithDescendants(pid) : process.kill(pid, 'SIGKILL')), after);
  const { code, said } = await run(site, isRollback ? ['doctor', '--repair', ...modesOf(part)] : words);
  const story = `killed after ${after} s, exit ${code}\n${said}\n${site.log()}`;
  count(course, 'after a kill', code);
  assert.ok((part.nextIs === 'good' ? [0] : [3, 6]).includes(code), story);
  assertOneOf(look(site.app), isRollback ? [old, changed] : [changed], story);
  await assertServed(site, story);
}

/** The run itself leaves the old site or the new one, and says which by its exit code. */
async function terminate(course: Course): Promise<void> {
  const { site, part, words, old, changed, longest, wanted } = course;
  site.begin();
  const after = random(`term ${part.command} ${part.mode} ${part.nextIs}`)() * longest;
  const { code, said } = await run(site, words, (pid) => process.kill(pid, 'SIGTERM'), after);
  const story = `SIGTERM after ${after} s, exit ${code}\n${said}\n${site.log()}`;
  count(course, 'SIGTERM', code);
  // -1: before the program listens, the kernel ends it.
  assert.ok([143, wanted, -1].includes(code), story);
  const now = look(site.app);
  assertOneOf(now, [old, changed], story);
  if (code === wanted) assertSame(now, changed, story);
  await assertServed(site, story);
}

interface Ran {
  readonly code: number;
  readonly said: string;
}

/** Runs the program; after that many seconds it is disturbed, if it still runs. */
async function run(
  site: FurnishedSite,
  words: readonly string[],
  disturb: (pid: number) => void = () => undefined,
  afterSeconds = 1000,
): Promise<Ran> {
  const [[program = '', ...rest], env] = site.command(words);
  const child = spawn(program, rest, { cwd: site.folder, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const timer = setTimeout(() => {
    if (child.exitCode === null && child.pid !== undefined) disturb(child.pid);
  }, afterSeconds * 1000);
  const code = await new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? -1)));
  clearTimeout(timer);
  return { code, said };
}

async function assertServed(site: FurnishedSite, story: string): Promise<void> {
  const [up, page] = await Promise.all([fetch(`${site.url}/up`), fetch(`${site.url}/info.php`)]);
  assert.deepEqual([up.status, page.status], [200, 200], story);
}

function differencesOf(now: Looked, then: Looked): readonly string[] {
  const paths = new Set([...now.keys(), ...then.keys()]);
  return [...paths]
    .filter((path) => now.get(path) !== then.get(path))
    .map((path) => `${path}: ${now.get(path) ?? 'absent'}, not ${then.get(path) ?? 'absent'}`);
}

function assertSame(now: Looked, then: Looked, story: string): void {
  assert.deepEqual(differencesOf(now, then), [], story);
}

function assertOneOf(now: Looked, ends: readonly Looked[], story: string): void {
  const found = ends.map((end) => differencesOf(now, end));
  assert.ok(
    found.some(({ length }) => length === 0),
    `${JSON.stringify(found, undefined, 1)}\n${story}`,
  );
}

/**
 * Found without the product: the commit's files, everything else as it was, and what was in the way kept with its
 * owner.
 */
function assertRightChange(site: FurnishedSite, old: Looked, now: Looked, command: Part['command']): void {
  const tree = execFileSync('git', ['-c', 'safe.directory=*', '-C', site.app, 'ls-files', '-z'], { encoding: 'utf8' });
  const tracked = new Set(tree.split('\0').map((path) => `./${path}`));
  const wasFolder = (path: string) => old.get(path)?.startsWith('4');
  const isFolder = (path: string) => now.get(path)?.startsWith('4');
  for (const [path, then] of old) {
    if (wasFolder(path) && isFolder(path)) assert.equal(now.get(path), then, `${path}\n${site.log()}`);
    if (!wasFolder(path) && !tracked.has(path) && now.has(path) && !/^\.\/(?:lib|folder|linked|media)\//.test(path))
      assert.equal(now.get(path), then, `${path}\n${site.log()}`);
  }
  if (command === 'rollback') return;
  const kept = (path: string) => globSync(`.git/holdfast/runs/*/files/${path}`, { cwd: site.app });
  for (const path of [
    'public/robots.txt',
    'public/uploads/picture',
    'folder/deep/own',
    'media/upload',
    'media/deep/upload',
  ]) {
    const [copy = ''] = kept(path);
    assert.equal(readFileSync(join(site.app, copy), 'utf8'), `made on the server: ${path}`);
    const { mode, uid, gid } = lstatSync(join(site.app, copy));
    assert.ok(
      old.get(`./${path}`)?.startsWith(`${mode.toString(8)} ${uid}:${gid} `),
      `${path}\n${old.get(`./${path}`)}`,
    );
  }
}
