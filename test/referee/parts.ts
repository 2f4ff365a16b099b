import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { playAll, type Side } from './behaviours/play-all.ts';
import { verdictOf, tableOf as verdicts } from './behaviours/verdict.ts';
import { tableOf } from './beside.ts';
import { besideRealServer } from './differential.ts';
import { definitionsFolder, gatewayRun } from './gateway/gateway.ts';
import { type Kill, killed, killOnce, killsTable } from './kills.ts';
import type { Kit } from './kit.ts';
import { ownTable } from './own/beside-rehearsal.ts';
import { type OwnRun, ownRun, sets } from './own/own-manifests.ts';
import { memoryInUse, type WholeRun, wholeRun } from './whole-run.ts';
import { cases } from './workers/cases.ts';
import { workersTable } from './workers/table.ts';
import { push, type WorkersRun, workersRun } from './workers/workers.ts';

export interface Part {
  readonly kit: Kit;
  /** Where this part writes. */
  readonly folder: string;
  readonly choices: Choices;
}
export interface Choices {
  /** Of `validate` and `own`: these alone. */
  readonly scenarios: readonly string[] | undefined;
  /** Of `kills`: how many. */
  readonly count: number;
  /** Of `workers`: the image as an OCI archive. */
  readonly image: string;
  /**
   * Of `behaviours`: these alone, on this side alone, and in how many embedded clusters; of `own`: these sets, and how
   * many rehearsals; of `workers`: these cases.
   */
  readonly only: readonly string[] | undefined;
  readonly side: Side | undefined;
  readonly seeds: number;
}
export interface Outcome {
  readonly isAsExpected: boolean;
  /** Markdown. */
  readonly text: string;
}

/** What `npm run referee` does, in this order, when the cluster is up (docs/real-cluster.md). */
export const parts: Readonly<Record<string, (part: Part) => Promise<Outcome>>> = {
  validate,
  kills,
  behaviours,
  differential,
  own,
  workers,
  gateway,
};

async function validate({ kit, folder, choices: { scenarios } }: Part): Promise<Outcome> {
  const words = scenarios === undefined ? [] : ['--scenario', ...scenarios];
  return validated(await wholeRun(kit, folder, { words }));
}

/**
 * Not part of a run of everything where Traefik or the definitions are not there: docs/real-cluster.md says how they
 * come.
 */
async function gateway({ kit, folder, choices: { scenarios } }: Part): Promise<Outcome> {
  if (definitionsFolder(kit.environment) === undefined)
    return { isAsExpected: true, text: 'Not run: HOLDFAST_GATEWAY_API names no folder of the Gateway API.' };
  const words = scenarios === undefined ? [] : ['--scenario', ...scenarios];
  return validated(await gatewayRun(kit, folder, words));
}

function validated({ exitCode, minutes, report, rows, changed }: WholeRun): Outcome {
  const facts = [
    `validate: ${report.verdict}, exit ${exitCode}, ${minutes.toFixed(1)} minutes`,
    `${memoryInUse().toFixed(1)} GiB of memory in use on the machine`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ];
  const criteria = report.criteria.map(
    ({ number, outcome, because }) => `- criterion ${number}: ${outcome}: ${because}`,
  );
  const text = [facts.join(', '), tableOf(rows), criteria.join('\n'), asBeforeInWords(changed)].join('\n\n');
  return { isAsExpected: exitCode === 0 && changed.length === 0 && rows.every(({ agrees }) => agrees !== false), text };
}

function asBeforeInWords(changed: readonly string[]): string {
  if (changed.length === 0) return 'The cluster is as it was before.';
  return `Not as before:\n${changed.map((line) => `- ${line}`).join('\n')}`;
}

async function kills({ kit, folder, choices }: Part): Promise<Outcome> {
  const all: Kill[] = [];
  for (let number = 0; number < choices.count; number += 1) {
    const scenario = killed[number % killed.length] ?? 'single-replica';
    const kill = await killOnce(kit, join(folder, String(number + 1)), scenario);
    process.stderr.write(`${JSON.stringify(kill)}\n`);
    all.push(kill);
  }
  const isAsExpected = all.every(({ recoverExitCode, changed }) => recoverExitCode === 0 && changed.length === 0);
  return { isAsExpected, text: killsTable(all) };
}

async function behaviours({ kit, folder, choices }: Part): Promise<Outcome> {
  const { side, only, seeds } = choices;
  const sides: readonly Side[] = side === undefined ? ['real', 'embedded'] : [side];
  const compared = await playAll({ kit, folder, sides, only, seeds });
  const isAsExpected = compared.every(
    (one) => !['a user measures another', 'not possible'].includes(verdictOf(one).verdict),
  );
  return { isAsExpected, text: verdicts(compared) };
}

/**
 * Misses are explained in docs/fidelity.md: nine of ten have to be within what was rehearsed, and every verdict the
 * same.
 */
const wantedWithin = 0.9;

async function own({ kit, folder, choices: { scenarios, only = sets, seeds } }: Part): Promise<Outcome> {
  const words = scenarios === undefined ? [] : ['--scenario', ...scenarios];
  const runs: OwnRun[] = [];
  for (const set of only) runs.push(await ownRun(kit, join(folder, set), { set, seeds, words }));
  const rows = runs.flatMap((run) => run.rows);
  const judged = rows.filter(({ isWithin }) => isWithin !== null);
  const within = judged.filter(({ isWithin }) => isWithin).length;
  const same = rows.filter(({ isSameVerdict }) => isSameVerdict).length;
  const changed = runs.flatMap((run) => run.changed);
  const counts = `${same} of ${rows.length} verdicts as rehearsed; ${within} of ${judged.length} downtimes within what was rehearsed.`;
  return {
    isAsExpected: same === rows.length && within >= wantedWithin * judged.length && changed.length === 0,
    text: [ownTable(rows), counts, asBeforeInWords(changed)].join('\n\n'),
  };
}

/** A load by the pods of a Job, some of which are killed, deleted, stopped over the start, or have no node. */
async function workers({ kit, folder, choices: { image, only = Object.keys(cases) } }: Part): Promise<Outcome> {
  if (!existsSync(image)) return { isAsExpected: true, text: `Not run: there is no ${image} (npm run package:image).` };
  await push(kit, image);
  const runs: WorkersRun[] = [];
  for (const [name, one] of Object.entries(cases))
    if (only.includes(name)) runs.push(await workersRun(kit, join(folder, name), name, one));
  const isAsExpected = runs.every(({ mistakes, changed }) => mistakes.length === 0 && changed.length === 0);
  return { isAsExpected, text: workersTable(runs) };
}

/**
 * Which requests may differ is decided by the test in CI; a real server of today may differ from the recorded one in
 * more.
 */
async function differential({ kit }: Part): Promise<Outcome> {
  const { requests, alike, otherCode, asRecorded, unexplained } = await besideRealServer(kit);
  const counts = [
    `${alike} of ${requests} requests are answered alike by both, ${otherCode} with another status code`,
    `${asRecorded} are answered by the real server as on the day of the recording`,
    `${unexplained.length} differ only today`,
  ];
  return { isAsExpected: true, text: [`${counts.join('; ')}.`, ...unexplained.map((line) => `- ${line}`)].join('\n') };
}
