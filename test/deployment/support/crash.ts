import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { deploy } from '../../../src/deployment/deploy.ts';
import type { DeployDocument } from '../../../src/deployment/record/document.ts';
import { readHistory } from '../../../src/deployment/record/history.ts';
import { trustIn } from '../../../src/deployment/record/trust.ts';
import { repairNow } from '../../../src/deployment/repair-now.ts';
import { rollback } from '../../../src/deployment/rollback.ts';
import type { Host, Signal } from '../../../src/host/host.ts';
import { giveDefaultAcl } from './acl.ts';
import { fingerprints } from './fingerprints.ts';
import { assertFoldersStand, foldersIn } from './folders.ts';
import { holdfast, type Running, startHoldfast, until } from './holdfast.ts';
import { killWithDescendants, mortalHost } from './mortal-host.ts';
import { leftOfServers } from './private-servers.ts';
import { quietHost } from './quiet-host.ts';
import { signalledHost } from './signalled-host.ts';
import { buildSite, type Site } from './site.ts';

export const crashKinds = ['good', 'broken', 'rollback', 'first'] as const;
export type CrashKind = (typeof crashKinds)[number];
export const crashVariants = ['full', 'basic', 'notify', 'clean', 'backup', 'steps', 'releases', 'before'] as const;
export type CrashVariant = (typeof crashVariants)[number];

const isReleases = (variant: CrashVariant): boolean => variant === 'releases' || variant === 'before';

/** The end of one run by kill -9: at that moment, alone or with the commands that it runs. */
export interface Death {
  readonly moment: number;
  readonly withCommands: boolean;
}

/** A site whose next run is killed, again and again from the same beginning. */
export interface Ordeal {
  readonly site: Site;
  /** How many moments the run has when nothing kills it. */
  readonly moments: () => Promise<number>;
  /** How long the program itself takes for it. */
  readonly seconds: () => Promise<number>;
  /** How long it takes from the line that begins its log. */
  readonly secondsLogged: () => Promise<number>;
  /**
   * The first death ends the run, each other one the run that repairs; the last run lives, and leaves all in order.
   * False where no command ran at any death: then alone or with its commands is the same.
   */
  readonly survives: (...deaths: readonly Death[]) => Promise<boolean>;
  /** How many moments the run has at which a signal can come. */
  readonly signalMoments: () => Promise<number>;
  /** A signal comes at that moment: the run is put back or finished, and says so. */
  readonly survivesSignal: (moment: number, signal: Signal) => Promise<void>;
  /**
   * The same with the program as a process of its own, and a signal of the operating system, counted from the line that
   * begins its log; the exit code.
   */
  readonly survivesRealSignal: (afterSeconds: number, signal: Signal) => Promise<number>;
  /**
   * The program as a process of its own, which `cut` starts with these words, and of which it does not know the exit
   * code.
   */
  readonly survivesCut: (cut: (words: readonly string[]) => Promise<void>, what: string) => Promise<void>;
  /** `survives` with the program as a process of its own. */
  readonly survivesKill: (afterSeconds: number, withCommands: boolean) => Promise<void>;
}

/** What `startHoldfast` says where a signal ended the program itself. */
const endedByKernel = -1;
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** The line of the log with which a run is decided (section 3.3). */
const verdict = /^\[(SUCCESS|ROLLBACK)\]/m;

/** What no run may change. */
interface Before {
  readonly files: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, string>;
}

/** The run that is to be killed, and what is right at the end. */
interface Stage {
  readonly site: Site;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly file: Readonly<Record<string, unknown>>;
  readonly ends: readonly string[];
  readonly exitCodes: readonly number[];
}

export async function buildOrdeal(t: TestContext, kind: CrashKind, variant: CrashVariant = 'full'): Promise<Ordeal> {
  const stage = await build(t, kind, variant);
  const { site } = stage;
  const settings = () => site.settings(stage.flags, stage.file);
  const run = (host: Host) => (kind === 'rollback' ? rollback(host, settings()) : deploy(host, settings()));
  // A rollback that was killed after its end would go on to the commit before: it is only repaired.
  const again = (host: Host) => (kind === 'rollback' ? repairNow(host, settings()) : deploy(host, settings()));
  const before: Before = { files: fingerprints(site), folders: foldersIn(site.app) };
  const begin = keepBeginning(site);
  const mode = isReleases(variant) ? ['--mode', 'releases'] : [];
  const words = [kind === 'rollback' ? 'rollback' : 'deploy', ...mode];
  const check = (what: string, document: Pick<DeployDocument, 'exitCode'>) =>
    checkEnd(stage, variant, before, `${kind}, ${variant}: ${what}`, document);
  const checkSignalled = async (signal: Signal | undefined, start: string, what: string, exitCode: number) => {
    const isAsked = signal !== undefined && signal !== 'SIGHUP';
    const codes = isAsked ? [128 + signalNumbers[signal]] : stage.exitCodes;
    const ends = [...stage.ends, start];
    const story = `${kind}, ${variant}: ${what}`;
    // The run before it is the last one where the kernel ended the program before it listened.
    const recorded = exitCode === endedByKernel ? [...stage.exitCodes, 0] : stage.exitCodes;
    const exitCodes = exitCode === endedByKernel ? [exitCode] : codes;
    await checkEnd({ ...stage, ends, exitCodes }, variant, before, story, { exitCode }, recorded);
  };
  return {
    site,
    async moments() {
      begin();
      const mortal = await mortalHost();
      await run(mortal.host);
      await mortal.bury();
      return mortal.moments();
    },
    async seconds() {
      begin();
      const startedAt = performance.now();
      await holdfast(site, words);
      return (performance.now() - startedAt) / 1000;
    },
    async secondsLogged() {
      begin();
      const { ended } = await startLogged(site, words);
      const startedAt = performance.now();
      await ended;
      return (performance.now() - startedAt) / 1000;
    },
    async survives(...deaths) {
      begin();
      let leftCommands = false;
      for (const [index, { moment, withCommands }] of deaths.entries()) {
        const mortal = await mortalHost(moment, withCommands);
        await Promise.race([(index === 0 ? run : again)(mortal.host), mortal.death]);
        await mortal.bury();
        leftCommands ||= mortal.leftCommands();
      }
      await check(`killed at ${JSON.stringify(deaths)}`, await again(quietHost()));
      return leftCommands;
    },
    async signalMoments() {
      begin();
      const counting = signalledHost();
      await run(counting.host);
      return counting.moments();
    },
    async survivesSignal(moment, signal) {
      begin();
      const start = site.head();
      const { length } = site.log();
      let isDecided = false;
      const signalled = signalledHost(moment, signal, () => {
        isDecided = verdict.test(site.log().slice(length));
      });
      const { exitCode } = await run(signalled.host);
      // A signal after the verdict changes nothing; one beside it may come before the run has taken notice.
      const isIgnored = !signalled.delivered() || (isDecided && exitCode < 128);
      await checkSignalled(isIgnored ? undefined : signal, start, `${signal} at moment ${moment}`, exitCode);
    },
    async survivesRealSignal(afterSeconds, signal) {
      begin();
      const start = site.head();
      const { child, ended } = await startLogged(site, words);
      await new Promise((resolve) => setTimeout(resolve, afterSeconds * 1000));
      child.kill(signal);
      const { exitCode } = await ended;
      // Before the program listens, and when it has ended, the signal is the kernel's or nobody's.
      await checkSignalled(exitCode >= 128 ? signal : undefined, start, `${signal} after ${afterSeconds} s`, exitCode);
      return exitCode;
    },
    async survivesCut(cut, what) {
      begin();
      const start = site.head();
      await cut(words);
      await checkSignalled(undefined, start, what, endedByKernel);
    },
    async survivesKill(afterSeconds, withCommands) {
      begin();
      const { child, ended } = startHoldfast(site, words);
      await new Promise((resolve) => setTimeout(resolve, afterSeconds * 1000));
      if (withCommands) killWithDescendants(child.pid ?? 0);
      else child.kill('SIGKILL');
      await ended;
      const last = await holdfast(site, kind === 'rollback' ? ['doctor', '--repair', ...mode] : words);
      await check(`killed after ${afterSeconds} s${withCommands ? ', with its commands' : ''}`, last);
    },
  };
}

/** The program as a process of its own, when its log begins: from then on it answers to signals. */
async function startLogged(site: Site, words: readonly string[]): Promise<Running> {
  const { length } = site.log();
  const running = startHoldfast(site, words);
  await until(() => site.log().length > length, 'the log begins');
  return running;
}

/** Two verified commits and what no deploy may touch; for the first deploy, nothing at all. */
async function build(t: TestContext, kind: CrashKind, variant: CrashVariant): Promise<Stage> {
  const site = await buildSite(t, isReleases(variant) ? 'releases' : 'in-place');
  const { flags, file } = settingsFor(site, variant);
  const first = site.git(site.developer, 'rev-parse', 'HEAD');
  if (kind === 'first') {
    rmSync(site.app, { recursive: true });
    const cloneUrl = `file://${site.remote}`;
    return { site, flags: { ...flags, clone: cloneUrl }, file: { ...file, cloneUrl }, ends: [first], exitCodes: [0] };
  }
  // A release links to what is there when it is made.
  if (isReleases(variant)) leavePrecious(site);
  await deploy(quietHost(), site.settings(flags, file));
  const old = site.push({ ...folderOf('two'), page: 'two', 'composer.lock': 'two' });
  await deploy(quietHost(), site.settings(flags, file));
  if (!isReleases(variant)) leavePrecious(site);
  const stage = { site, flags, file };
  if (kind === 'rollback') return { ...stage, ends: [first, old], exitCodes: [0] };
  const status = kind === 'good' ? '200' : '500';
  // What a broken commit replaced has to be the server's own file again.
  const contested = kind === 'broken' ? { 'storage/contested': 'by three' } : {};
  const commit = site.push({
    ...contested,
    ...folderOf('three'),
    file3: null,
    added: 'by three',
    'local/added': 'by three',
    page: 'three',
    'composer.lock': 'three',
    status,
  });
  return kind === 'good' ? { ...stage, ends: [commit], exitCodes: [0] } : { ...stage, ends: [old], exitCodes: [3, 6] };
}

function folderOf(version: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`file${index}`, `${version} ${index}`]));
}

function settingsFor(site: Site, variant: CrashVariant): Pick<Stage, 'flags' | 'file'> {
  const nothing = { flags: {}, file: {} };
  switch (variant) {
    case 'full':
      return nothing;
    case 'releases':
      // What is removed at the end of a run may be what the next one has to make anew.
      return { ...nothing, file: { releases: { keep: 1 } } };
    case 'before':
      return { ...nothing, file: inConfiguration(site, { health: { before: true } }) };
    case 'basic':
      return { ...nothing, flags: { variant: 'basic' } };
    case 'notify':
      program(site, 'sendmail', 'cat > /dev/null');
      return {
        ...nothing,
        file: { slackWebhookUrl: site.healthUrl, mail: { to: 'ops@example.com', from: 'deploy@example.com' } },
      };
    case 'clean':
      return { ...nothing, flags: { clean: true } };
    case 'backup':
      return { ...nothing, flags: { backupDir: join(site.folder, 'backups') } };
    case 'steps':
      program(site, 'composer', 'mkdir -p storage/vendor; cat composer.lock > storage/vendor/lock 2>/dev/null; true');
      return {
        ...nothing,
        file: {
          steps: {
            before: [
              { command: ['composer', 'install'], whenChanged: ['composer.lock'] },
              { command: ['php', 'artisan', 'migrate'], on: 'deploy' },
            ],
            after: [{ command: ['php', 'artisan', 'queue:restart'] }],
          },
        },
      };
  }
}

/** Where the program itself, as a process of its own, finds it too. */
function inConfiguration(site: Site, file: Stage['file']): Stage['file'] {
  const deployment = { opcache: { wait: '0s' }, mode: 'releases', ...file };
  writeFileSync(join(site.folder, 'holdfast.yaml'), JSON.stringify({ deployment }));
  site.push({ 'public/index.php': "<?php http_response_code((int) file_get_contents(__DIR__.'/../status'));" });
  return file;
}

function program({ folder }: Site, name: string, line: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

/** Secrets, uploads of all sorts, and a file that nobody told git of. */
function leavePrecious(site: Site): void {
  const files = {
    '.env': 'APP_KEY=secret\n',
    'storage/upload.bin': 'an upload\u0000\u0001\ufffd',
    'storage/deep/er/a name\nof two lines': 'x',
    'storage/empty': '',
    'storage/contested': 'the server’s own',
    untracked: 'nobody told git of this',
    'local/own': 'beside what the next commit adds',
  };
  for (const [path, text] of Object.entries(files)) site.write(path, text);
  chmodSync(join(site.app, '.env'), 0o600);
  chmodSync(join(site.app, 'storage/deep'), 0o2770);
  giveDefaultAcl(join(site.app, 'local'), 'user::rwx,user:33:rwx,group::r-x,mask::rwx,other::r-x');
  chmodSync(site.app, 0o751);
  symlinkSync('upload.bin', join(site.app, 'storage/link'));
}

/** Puts everything back to how it is now. */
function keepBeginning(site: Site): () => void {
  const kept = join(site.folder, 'beginning');
  const copy = (from: string, to: string): void => {
    rmSync(to, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(dirname(to), { recursive: true });
    if (existsSync(from)) execFileSync('cp', ['--archive', from, to]);
  };
  const places = [
    [site.app, join(kept, 'app')],
    [site.logFile, join(kept, 'deploy.log')],
  ] as const;
  for (const [from, to] of places) copy(from, to);
  return () => {
    for (const [to, from] of places) copy(from, to);
  };
}

/** A verified commit, whole, with caches of its own; nothing else was touched, and nothing is left to repair. */
async function checkEnd(
  { site, ends, exitCodes }: Stage,
  variant: CrashVariant,
  before: Before,
  what: string,
  { exitCode }: Pick<DeployDocument, 'exitCode'>,
  recorded: readonly number[] = [],
): Promise<void> {
  const story = `${what}\n${site.log()}`;
  assert.ok(exitCodes.includes(exitCode), `exit ${exitCode}: ${story}`);
  assert.ok(ends.includes(site.head()), `at ${site.head()}: ${story}`);
  const live = isReleases(variant) ? join(site.app, 'current') : site.app;
  assert.equal(site.git(live, 'status', '--porcelain', '--untracked-files=no'), '', story);
  assert.equal((await fetch(site.healthUrl)).status, 200, story);
  const caches = isReleases(variant) ? 'bootstrap/cache/views' : 'storage';
  assert.equal(site.read(`${caches}/cached-page`), site.read('page'), `the caches are the commit's: ${story}`);
  if (isReleases(variant)) checkReleases(site, story);
  assert.deepEqual(leftOfServers(site.app), [], story);
  if (variant === 'steps')
    assert.equal(site.read('storage/vendor/lock'), site.read('composer.lock') ?? '', `the libraries too: ${story}`);
  assert.deepEqual(fingerprints(site), before.files, story);
  // The pre-step moves folders that git does not track aside.
  const moved = variant === 'clean' ? [...before.folders.keys()].filter((path) => path !== '') : [];
  assertFoldersStand(site.app, before.folders, story, moved);
  const history = await readHistory(quietHost().files, join(site.app, '.git', 'holdfast'));
  const { base, unproved, killed } = trustIn(history);
  // A signal that comes when the outcome is on disk changes only what the program returns.
  assert.ok([exitCode, ...recorded].includes(history.at(-1)?.document?.exitCode ?? -1), story);
  if (variant !== 'basic') assert.equal(base, site.head(), `verified: ${story}`);
  assert.deepEqual([...unproved, ...killed], [], story);
  const left = site.git(site.app, 'rev-parse', '--git-dir') && locksIn(site);
  assert.deepEqual(left, [], story);
}

/** Every folder is a whole release, every record has its folder, git knows as many, and no draft is left. */
function checkReleases({ app }: Site, story: string): void {
  const names = (folder: string) => (existsSync(join(app, folder)) ? readdirSync(join(app, folder)).sort() : []);
  const folders = names('releases');
  const records = names('.git/holdfast/releases').map((name) => name.replace(/\.json$/, ''));
  assert.deepEqual([records, names('.git/worktrees')], [folders, folders], story);
  for (const name of folders) {
    const { state } = JSON.parse(readFileSync(join(app, '.git/holdfast/releases', `${name}.json`), 'utf8'));
    assert.match(state, /^(?:ready|good)$/, story);
    for (const path of ['page', '.env'])
      if (existsSync(join(app, path))) assert.ok(existsSync(join(app, 'releases', name, path)), `${name}: ${story}`);
  }
  assert.deepEqual(
    names('.').filter((name) => /^\.(?:current|holdfast)/.test(name)),
    [],
    story,
  );
}

function locksIn(site: Site): readonly string[] {
  return ['index.lock', 'HEAD.lock', 'holdfast/lock.json'].filter((name) => existsSync(join(site.app, '.git', name)));
}
