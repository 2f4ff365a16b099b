import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { playAll, type Side } from './behaviours/play-all.ts';
import { verdictOf, tableOf as verdicts } from './behaviours/verdict.ts';
import { tableOf } from './beside.ts';
import { besideRealServer } from './differential.ts';
import { type Kill, killed, killOnce, killsTable } from './kills.ts';
import { down, install, type Kit, kitOf, up } from './kit.ts';
import { leftBehind } from './left-behind.ts';
import { memoryInUse, wholeRun } from './whole-run.ts';

/** `npm run referee`: docs/real-cluster.md says what it does and what it needs. */
const parts: Readonly<Record<string, (at: At) => Promise<Outcome>>> = { validate, kills, behaviours, differential };

interface At {
  readonly kit: Kit;
  /** Where this part writes. */
  readonly folder: string;
}
interface Outcome {
  readonly isAsExpected: boolean;
  /** Markdown. */
  readonly text: string;
}

async function validate({ kit, folder }: At): Promise<Outcome> {
  const { exitCode, minutes, report, rows, changed } = await wholeRun(kit, folder);
  const criteria = report.criteria.map(
    ({ number, outcome, because }) => `- criterion ${number}: ${outcome}: ${because}`,
  );
  const differ =
    changed.length === 0
      ? 'The cluster is as it was before.'
      : `Not as before:\n${changed.map((line) => `- ${line}`).join('\n')}`;
  const text = [
    `validate: ${report.verdict}, exit ${exitCode}, ${minutes.toFixed(1)} minutes, ${memoryInUse().toFixed(1)} GiB in use on the machine, load ${loadavg()[0]?.toFixed(1)}`,
    tableOf(rows),
    criteria.join('\n'),
    differ,
  ].join('\n\n');
  return { isAsExpected: exitCode === 0 && changed.length === 0 && rows.every(({ agrees }) => agrees !== false), text };
}

async function kills({ kit, folder }: At): Promise<Outcome> {
  const all: Kill[] = [];
  for (let number = 0; number < Number(values.count); number += 1) {
    const scenario = killed[number % killed.length] ?? 'single-replica';
    all.push(await killOnce(kit, join(folder, String(number + 1)), scenario));
    process.stdout.write(`${JSON.stringify(all.at(-1))}\n`);
  }
  const isAsExpected = all.every(({ recoverExitCode, changed }) => recoverExitCode === 0 && changed.length === 0);
  return { isAsExpected, text: killsTable(all) };
}

async function behaviours({ kit, folder }: At): Promise<Outcome> {
  const sides = values.side === undefined ? (['real', 'embedded'] as const) : [values.side as Side];
  const compared = await playAll({ kit, folder, sides, only: values.only?.split(','), seeds: Number(values.seeds) });
  const isAsExpected = compared.every(
    (one) => !['a user measures another', 'not possible'].includes(verdictOf(one).verdict),
  );
  return { isAsExpected, text: verdicts(compared) };
}

async function differential({ kit }: At): Promise<Outcome> {
  const { requests, alike, otherCode, asRecorded, unexplained } = await besideRealServer(kit);
  const counts = [
    `${alike} of ${requests} requests are answered alike by both, ${otherCode} with another status code`,
    `${asRecorded} are answered by the real server as on the day of the recording`,
    `${unexplained.length} differ only today`,
  ];
  return { isAsExpected: true, text: [`${counts.join('; ')}.`, ...unexplained.map((line) => `- ${line}`)].join('\n') };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    keep: { type: 'boolean', default: false },
    /** Of `kills`. */
    count: { type: 'string', default: '10' },
    /** Of `behaviours`: names with commas between them, one side alone, and how many embedded clusters. */
    only: { type: 'string' },
    side: { type: 'string' },
    seeds: { type: 'string', default: '5' },
  },
});
const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}: the parts are ${Object.keys(parts).join(', ')}`);
const out = values.out ?? join(tmpdir(), `holdfast-referee-${process.pid}`);
const kit = await kitOf(process.env);
process.exitCode = await all();

async function all(): Promise<number> {
  if (values.keep) return play();
  const ending = endWhenInterrupted();
  try {
    // What a killed run left.
    await down(kit);
    await install(kit);
    await up(kit);
    return await play();
  } finally {
    if (!ending.isUnderWay) await end();
  }
}

async function play(): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
    const folder = join(out, name);
    mkdirSync(folder, { recursive: true });
    const outcome = await (parts[name] as (at: At) => Promise<Outcome>)({ kit, folder });
    outcomes.push(outcome);
    writeFileSync(join(folder, 'result.md'), `${outcome.text}\n`);
    process.stdout.write(`## ${name}\n\n${outcome.text}\n\n`);
  }
  return outcomes.every(({ isAsExpected }) => isAsExpected) ? 0 : 1;
}

/** The first signal ends the cluster, then this process; a second one does not stop that. */
function endWhenInterrupted(): { isUnderWay: boolean } {
  const ending = { isUnderWay: false };
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const)
    process.on(signal, () => {
      if (ending.isUnderWay) return;
      ending.isUnderWay = true;
      void end().finally(() => process.exit(128 + number));
    });
  return ending;
}

/** Brings the cluster down, and says what is left of it. */
async function end(): Promise<void> {
  await down(kit);
  const left = leftBehind(kit);
  process.stdout.write(left.length === 0 ? 'Nothing of the cluster is left.\n' : `Left behind:\n${left.join('\n')}\n`);
  if (left.length > 0) process.exitCode = 1;
  if (values.out === undefined && existsSync(out) && readdirSync(out).length === 0) rmSync(out, { recursive: true });
}
