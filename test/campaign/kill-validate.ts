import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseArgs } from 'node:util';
import { awsAccess } from '../../src/cloud/aws/access.ts';
import { aws } from '../../src/cloud/aws/aws.ts';
import { connect } from '../../src/cluster/client.ts';
import { readCredentials } from '../../src/cluster/credentials.ts';
import { nodeHost } from '../../src/host/node.ts';
import { readJournal } from '../../src/journal/journal.ts';
import type { ActionIntended, ValidationFact } from '../../src/validation/record/events.ts';
import { openIntents } from '../../src/validation/record/open-intents.ts';
import { runFiles } from '../../src/validation/record/run-folder.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { inNamespace, type Served, served } from '../support/listening.ts';
import { differences, type Picture, pictureOf } from '../support/world-picture.ts';

/**
 * `validate` against `rehearse --listen` as a process of its own, ended by `kill -9` at a random moment inside an
 * action of each scenario, and `recover` in a new process. `kill-validate.ts [--seed 1] [--together 5] [NAME…]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, together: { type: 'string', default: '5' } },
});
const host = nodeHost();
const names: readonly string[] = positionals.length === 0 ? scenarios.map(({ name }) => name) : positionals;

/** The time until the first action of the scenario: pre-check, phase 3, the baseline and thirty good samples. */
const actsWithinSeconds = 300;
/** A drain of two nodes and more. */
const longestWaitSeconds = 15;
/** A new node for a killed one, with its pods. */
const restWithinSeconds = 600;

interface Killed {
  readonly troubles: readonly string[];
  /** The open action, how long it was open, and how `recover` ended it. */
  readonly summary: string;
}

async function killedIn(name: string): Promise<Killed> {
  const ends: (() => unknown)[] = [];
  const after = ((end: () => unknown) => void ends.push(end)) as TestContext['after'];
  try {
    const it = await served({ after }, '--manifests', 'hardened', '--seed', values.seed);
    return await killedOn(it, name);
  } finally {
    for (const end of ends) await end();
  }
}

async function killedOn(it: Served, name: string): Promise<Killed> {
  const before = await pictureIn(it);
  const folder = join(it.folder, 'run');
  let child: ChildProcess | undefined;
  const words = ['validate', '--yes', '--allow-terminate', '--out', folder, '--scenario', name];
  const ended = inNamespace(it, ['holdfast', ...words], (started) => {
    child = started;
  });
  const random = host.random(`kill ${values.seed} ${name}`);
  const open = await insideAnAction(folder, name, random);
  child?.kill('SIGKILL');
  const { exitCode, stderr } = await ended;
  if (exitCode !== 137) return { troubles: [`validate ended with ${exitCode}: ${stderr}`], summary: '' };
  const left = openIntents(await factsIn(folder)).filter(({ action }) => action !== 'apply-object');
  const recovered = await inNamespace(it, ['holdfast', 'recover', folder, '--json']);
  const again = await inNamespace(it, ['holdfast', 'recover', folder, '--json']);
  const undo: readonly Undone[] = JSON.parse(recovered.stdout || '{"undo":[]}').undo;
  const undone = undo
    .filter(({ action }) => action !== 'apply-object')
    .map(({ action, state }) => `${action} ${state}`);
  return {
    summary: `${open.map(({ action }) => action).join(', ')} → ${undone.join(', ')}`,
    troubles: [
      ...(left.length === 0 ? ['nothing was open when it was killed'] : []),
      ...(recovered.exitCode === 0 ? [] : [`recover ended with ${recovered.exitCode}: ${recovered.stderr}`]),
      ...left
        .filter(({ id: _, action }) => !undo.some((end) => end.action === action))
        .map(({ action }) => `${action} is forgotten`),
      ...(JSON.parse(again.stdout).run === null ? [] : [`a second recover found ${again.stdout}`]),
      ...(await unlikeAfterRest(it, before)),
    ],
  };
}

interface Undone {
  readonly action: string;
  readonly state: string;
}

const factsIn = async (folder: string): Promise<readonly ValidationFact[]> =>
  (await readJournal<ValidationFact>(host.files, join(folder, runFiles.journal)))?.facts ?? [];

/** Waits for an intent of the scenario and then a random time; returns the open action at that moment. */
async function insideAnAction(folder: string, name: string, random: () => number): Promise<readonly ActionIntended[]> {
  const intended = async () =>
    (await factsIn(folder)).filter((fact) => fact.type === 'action-intended' && fact.scenario === name);
  const [nth, waitSeconds] = [1 + Math.floor(3 * random()), longestWaitSeconds * random() ** 2];
  const first = await until(actsWithinSeconds, async () => (await intended()).length >= 1);
  // If there is none, any moment after the first.
  if (first) await until(longestWaitSeconds, async () => (await intended()).length >= nth);
  await host.clock.sleep(waitSeconds);
  const open = async () => openIntents(await factsIn(folder)).filter(({ scenario }) => scenario === name);
  await until(longestWaitSeconds, async () => (await open()).length > 0);
  return open();
}

async function until(seconds: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const endsAt = host.clock.monotonicSeconds() + seconds;
  while (host.clock.monotonicSeconds() < endsAt) {
    if (await isSo()) return true;
    await host.clock.sleep(0.05);
  }
  return false;
}

/** The cluster as its owner sees it, over the same sockets. */
async function pictureIn({ settings }: Served): Promise<Picture> {
  const { access } = await readCredentials(host, { kubeconfig: settings.kubeconfig, environment: {} });
  const { endpoints = {} } = awsAccess(settings.environment);
  const cloud = aws(host, { endpoints });
  const zone = await cloud.zone('example.com');
  const own = ['app', 'a-app', 'cname-app'].map((label) => `${label}.example.com`);
  const records = zone === undefined ? [] : await cloud.records(zone, own);
  const seen = {
    kubernetes: () => connect(host, access),
    zone: { list: () => records },
    machines: { instances: () => [] },
  };
  return pictureOf(seen, host.clock.wallAt());
}

/** New nodes of a scenario are removed when the autoscaler finds them empty, later than this campaign waits. */
async function unlikeAfterRest(it: Served, before: Picture): Promise<readonly string[]> {
  const expected = { before, applied: before, claims: { least: before.claims, most: before.claims + 3 } };
  let found: readonly string[] = [];
  const isAtRest = async () => {
    found = differences(await pictureIn(it), expected);
    await host.clock.sleep(1);
    return found.length === 0;
  };
  await until(restWithinSeconds, isAtRest);
  return found;
}

let failed = 0;
const waiting = [...names];
console.log(`seed ${values.seed}; each in a cluster of its own, ${values.together} at a time`);
await Promise.all(
  Array.from({ length: Number(values.together) }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const begun = host.clock.monotonicSeconds();
      const { troubles, summary } = await killedIn(name);
      failed += troubles.length === 0 ? 0 : 1;
      const seconds = Math.round(host.clock.monotonicSeconds() - begun);
      console.log(`${name.padEnd(28)}${summary}${troubles.map((trouble) => `\n  ${trouble}`).join('')} (${seconds} s)`);
    }
  }),
);
console.log(failed === 0 ? 'every cluster is as before' : `${failed} are not`);
process.exitCode = failed === 0 ? 0 : 1;
