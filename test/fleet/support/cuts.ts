import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../deployment/support/holdfast.ts';
import type { TestFleet, TestServer } from './servers.ts';

export const cutKinds = ['network', 'connections of one', 'program of one', 'control'] as const;
export type CutKind = (typeof cutKinds)[number];

/** One roll-out of a new commit, good or broken, which is cut at a random moment. */
export async function cutAtRandom(
  fleet: TestFleet,
  random: () => number,
  round: number,
): Promise<{ readonly kind: CutKind; readonly exitCode: number }> {
  const kind = cutKinds[Math.floor(random() * cutKinds.length)] ?? 'network';
  const isBroken = random() < 0.25;
  const victim = fleet.servers[Math.floor(random() * fleet.servers.length)] as TestServer;
  fleet.push({ page: `round ${round}`, status: isBroken ? '500' : '200' });
  const choice = random() < 0.5 ? ['--all-or-nothing'] : [];
  const running = fleet.start('deploy', '--json', '--again', '--batch', '25%,100%', ...choice);
  // The servers are looked at first; what comes then is what is to be cut.
  let begun = '';
  running.child.stderr?.on('data', (text: string) => {
    begun += text;
  });
  let ended: number | undefined;
  void running.ended.then(({ exitCode }) => {
    ended = exitCode;
  });
  await until(() => / deploy\n/.test(begun) || ended !== undefined, 'a server is begun');
  await new Promise((resolve) => setTimeout(resolve, random() * 1000 * Number(process.env.SPAN ?? '4')));
  cut(kind, fleet, victim, () => running.child.kill('SIGKILL'));
  const { exitCode } = await running.ended;
  return { kind, exitCode };
}

function cut(kind: CutKind, { servers }: TestFleet, victim: TestServer, killControl: () => void): void {
  if (kind === 'control') killControl();
  else if (kind === 'program of one') killProgram(victim);
  else for (const server of kind === 'network' ? servers : [victim]) server.cutConnections();
}

/** Nothing is killed where no deploy runs at that moment. */
function killProgram({ site }: TestServer): void {
  const path = join(site.app, '.git/holdfast/lock.json');
  try {
    const { pid } = JSON.parse(readFileSync(path, 'utf8'));
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * When the servers have ended what they do: each is at a whole commit with its caches, answers 200, and `status` says
 * so.
 */
export async function checkServers(fleet: TestFleet, story: string): Promise<void> {
  await until(() => !isAnyUnderWay(fleet), `${story}: every run has ended`, mostSeconds);
  const hosts = await statusOf(fleet);
  for (const { site, name } of fleet.servers) {
    const told = hosts.find(({ host }) => host === name);
    assert.equal(told?.commit, site.head(), `${story}: status of ${name}`);
    // A program that was killed while nobody could ask is named, and repaired by the next command.
    if (told?.problems.some((problem) => problem.includes('was killed'))) continue;
    assert.equal(site.git(site.app, 'status', '--porcelain', '--untracked-files=no'), '', `${story}: ${name}`);
    assert.equal(site.read('storage/cached-page') ?? '', site.read('page') ?? '', `${story}: ${name}`);
    assert.equal((await fetch(site.healthUrl)).status, 200, `${story}: ${name}\n${site.log()}`);
  }
}

/**
 * What a roll-out may take whose connections were cut: the servers are asked again for ten minutes
 * (src/fleet/ask-again.ts), and then repaired.
 */
const mostSeconds = 1200;
/**
 * A machine that has other work, or was stopped for a while, misses the limits of ssh and of the look at a server
 * (src/fleet/check-server.ts).
 */
const mostTries = 5;

interface ToldStatus {
  readonly host: string;
  readonly commit: string;
  readonly problems: readonly string[];
}

async function statusOf(fleet: TestFleet): Promise<readonly ToldStatus[]> {
  for (let tried = 1; ; tried += 1) {
    const { hosts } = JSON.parse((await fleet.run('status', '--json')).stdout) as { hosts: readonly ToldStatus[] };
    const isWhole = hosts.every(
      ({ problems }) => !problems.some((problem) => /cannot (be reached|say its status)/.test(problem)),
    );
    if (isWhole || tried === mostTries) return hosts;
  }
}

/** A deploy of all servers with nothing cut, which only a slow machine can break. */
export async function deployAll(fleet: TestFleet): Promise<void> {
  const said: string[] = [];
  while (said.length < mostTries) {
    const { exitCode, stderr } = await fleet.run('deploy', '--again');
    if (exitCode === 0) return;
    said.push(`exit ${exitCode}: ${stderr}`);
  }
  assert.fail(said.join('\n'));
}

/** The programs of the servers, and the clients of ssh, which outlive a control that was killed. */
function isAnyUnderWay({ folder, servers }: TestFleet): boolean {
  const rows = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return (
    rows.includes(`${folder}/ssh_config`) || servers.some(({ site }) => rows.includes(`${site.folder}/holdfast.yaml`))
  );
}
