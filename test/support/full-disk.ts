import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { readEndedRun } from '../../src/cli/runs/read-ended-run.ts';
import { OperationError } from '../../src/host/errors.ts';
import type { Rehearsal } from '../../src/rehearsal/host.ts';
import { exitCodeOf } from '../../src/validation/judge/exit-code.ts';
import type { ActionIntended } from '../../src/validation/record/events.ts';
import { runFiles } from '../../src/validation/record/run-folder.ts';
import { isWrite } from './api-faults.ts';
import { cutPoints } from './cut-points.ts';
import { asTheyAre } from './disk.ts';
import { quietHost } from './quiet-host.ts';
import { recovered } from './recovered.ts';
import { type RehearseOptions, rehearse } from './rehearse.ts';
import { stillUnlike } from './still-unlike.ts';
import { type Around, type HostCall, tappedHost } from './tapped-host.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type Expected, expectedHalfWay, type Picture } from './world-picture.ts';

/** Where the disk is full: under which file, from its n-th append on, for so many of them. */
export interface FullDisk {
  readonly file: 'journal.jsonl' | 'downtime.log';
  readonly n: number;
  readonly times: number;
}
export interface FullDiskRun {
  readonly exitCode: number;
  readonly verdict: string;
  /** The trouble of the run in the report, and the error of the command. */
  readonly said: string;
  /** Every violation, one sentence each. */
  readonly troubles: readonly string[];
}

/** A run whose disk is full from one append on: each append writes only the first bytes. */
export async function fullDiskRun(
  t: Pick<TestContext, 'after'>,
  disk: FullDisk,
  expected: Expected,
  options: RehearseOptions,
): Promise<FullDiskRun> {
  const folder = temporaryFolder(t);
  const journal = join(folder, runFiles.journal);
  const talk: string[] = [];
  const intended: ActionIntended[] = [];
  const unfounded: string[] = [];
  const made: { rehearsal?: Rehearsal } = {};
  const fill = filling(disk);
  const around: Around = (call, make) => {
    if (disturbs(call)) unfounded.push(...notDurable(intended, call, readFileSync(journal, 'utf8')));
    return fill(call, make);
  };
  const ended = rehearse(t, {
    ...options,
    folder,
    onFact: (fact) => {
      if (fact.type === 'action-intended') intended.push(fact);
    },
    through(host, rehearsal) {
      made.rehearsal = rehearsal;
      return tappedHost(host, around);
    },
  }).then(() => undefined);
  const host = { ...quietHost(), talk: { ...quietHost().talk, write: (text: string) => void talk.push(text) } };
  const left = await readEndedRun(host, folder, ended).catch((error: unknown) => error as Error);
  if (left instanceof Error) return notBegun(left, made.rehearsal, expected.before);
  const { facts, result } = left;
  const exitCode = exitCodeOf(facts, result);
  const world = JSON.stringify(made.rehearsal?.world.save());
  const isComplete = facts.some(({ type }) => type === 'application-verified');
  const remains = { world, disk: asTheyAre(journal, join(folder, runFiles.downtimeLog)) };
  const run = { rehearsed: { facts, result, folder, rehearsal: made.rehearsal as Rehearsal }, seed: 1, expected };
  const troubles = [
    ...(exitCode === 0 || result.verdict === 'pass' ? [`exit ${exitCode}, ${result.verdict}`] : []),
    ...unfounded.map((id) => `${id} was done and is not in the journal`),
    ...(await stillUnlike(world, 1, isComplete ? expected : expectedHalfWay(expected))),
    ...(await recovered(t, run, remains, 'killed', () => 0)).troubles.filter(
      (one) => !one.startsWith('the report says'),
    ),
  ];
  const failed = result.findings.filter(({ subject }) => subject === 'run').map(({ observed }) => observed);
  return { exitCode, verdict: result.verdict, said: [...failed, ...talk].join(' '), troubles };
}

/** A journal without its first fact has no run, and then no write may have been made. */
async function notBegun(error: Error, rehearsal: Rehearsal | undefined, before: Picture): Promise<FullDiskRun> {
  const said = error.message;
  if (rehearsal === undefined) return { exitCode: 4, verdict: 'none', said, troubles: [said] };
  const world = JSON.stringify(rehearsal.world.save());
  const expected = { before, applied: before, claims: { least: before.claims, most: before.claims } };
  return { exitCode: 4, verdict: 'none', said, troubles: await stillUnlike(world, 1, expected) };
}

/** How often a run without a fault appends to each file, and what it leaves. */
export async function appendsOf(
  t: Pick<TestContext, 'after'>,
  options: RehearseOptions,
): Promise<{ readonly appends: Readonly<Record<FullDisk['file'], number>>; readonly expected: Expected }> {
  const appends = { 'journal.jsonl': 0, 'downtime.log': 0 };
  const { expected } = await cutPoints(t, options, (_n, { file }) => {
    if (file?.done === 'written') appends[file.path.endsWith('downtime.log') ? 'downtime.log' : 'journal.jsonl'] += 1;
    return false;
  });
  return { appends, expected };
}

const disturbs = ({ request }: HostCall): boolean =>
  request !== undefined && isWrite(request) && !request.url.includes('/leases');

/** The writes of the same object: after a refused intent the undos of the other actions still follow. */
function notDurable(intended: readonly ActionIntended[], { request }: HostCall, durable: string): readonly string[] {
  const object = new URL(request?.url ?? '').pathname.split('/').at(-1) ?? '';
  const mine = intended.filter(({ intent }) => JSON.stringify(intent).includes(`"${object}"`));
  return mine.map(({ id }) => id).filter((id) => !durable.includes(`"id":"${id}"`));
}

const firstBytes = 7;

function filling({ file, n, times }: FullDisk): Around {
  let appends = 0;
  return (call, make) => {
    if (call.file?.done !== 'written' || !call.file.path.endsWith(file)) return make();
    appends += 1;
    if (appends < n || appends >= n + times) return make();
    appendFileSync(call.file.path, call.file.text?.slice(0, firstBytes) ?? '');
    const reason = 'no space left on the device (ENOSPC)';
    return Promise.reject(new OperationError({ tried: 'Appending to', on: call.file.path, reason }));
  };
}
