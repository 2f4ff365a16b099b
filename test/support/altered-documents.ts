import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperationError } from '../../src/host/errors.ts';
import { alteredText, answeringAltered, drawing } from './altered.ts';
import type { Shell } from './cluster-commands.ts';

/** Documents from `from` on, each altered by a seed of its own: the same number, the same document. */
export interface Documents {
  readonly from: number;
  readonly count: number;
}
/** The exit codes, and how often each came. */
export type Ends = Record<string, number>;

/** CPU time that no reader of a document takes: the slowest, a rehearsed cluster that goes on, takes about two. */
const mostSeconds = 20;

/** A failed assertion where the command ends by a defect of ours (exit 70), or does not end in time. */
async function endOf(ends: Ends, what: string, command: () => Promise<{ readonly exitCode: number }>): Promise<void> {
  const before = process.cpuUsage();
  const exit = await command().then(
    ({ exitCode }) => String(exitCode),
    (error: unknown) => {
      // `src/cli/main.ts` makes it a sentence, and the exit code of the command.
      assert.ok(error instanceof OperationError, `${what}: ${error instanceof Error ? error.stack : String(error)}`);
      return 'failed';
    },
  );
  const seconds = process.cpuUsage(before).user / 1e6;
  assert.ok(seconds < mostSeconds, `${what} took ${seconds} s`);
  assert.notEqual(exit, '70', what);
  ends[exit] = (ends[exit] ?? 0) + 1;
}

const files = ['settings.json', 'world.json', 'journal.jsonl', 'journal.jsonl', 'downtime.log'] as const;

/** `recover`, and then `report`, of a run with something to undo, one file of which is altered. */
export async function alteredRuns(shell: Shell, { from, count }: Documents): Promise<Ends> {
  const made = join(shell.folder, 'made');
  const rehearsal = ['--scenario', 'disruption-budget', '--defect', 'api-lost-during-undo', '--out', made];
  assert.equal((await shell.ownKubeconfig('rehearse', ...rehearsal)).exitCode, 5);
  const ends: Ends = {};
  for (let index = from; index < from + count; index += 1) {
    const folder = join(shell.folder, `altered-${index}`);
    cpSync(made, folder, { recursive: true });
    const draw = drawing(index);
    const file = files[Math.floor(draw() * files.length)] as string;
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), alteredText(file === 'world.json' ? asBefore(text, draw) : text, draw));
    for (const words of [
      ['recover', folder],
      ['report', folder],
    ])
      await endOf(ends, `${words[0]} with ${file} ${index}`, () => shell.ownKubeconfig(...words));
    rmSync(folder, { recursive: true });
  }
  return ends;
}

/** Most without their seal, as version 0.1.0 wrote them: with it every change is seen at once. */
function asBefore(text: string, draw: () => number): string {
  const { seal, ...world } = JSON.parse(text);
  return JSON.stringify(draw() < 0.8 ? world : { ...world, seal });
}

const reading = [['precheck'], ['plan'], ['audit'], ['rbac', '--check']] as const;
/** The shares of the answers that are altered. */
const shares = [0.02, 0.1, 0.5] as const;

/** Commands that read a cluster whose API server and cloud answer with altered documents, in virtual time. */
export async function alteredAnswers(shell: Shell, { from, count }: Documents): Promise<Ends> {
  const { http } = shell.host;
  const ends: Ends = {};
  try {
    for (let index = from; index < from + count; index += 1) {
      const draw = drawing(index);
      const share = shares[Math.floor(draw() * shares.length)] ?? 0;
      const words = reading[Math.floor(draw() * reading.length)] ?? reading[0];
      const altering = answeringAltered(http, () => draw() < share, draw);
      (shell.host as { http: typeof http }).http = altering;
      await endOf(ends, `${words.join(' ')} with answers ${index}`, () => shell.holdfast(...words));
    }
  } finally {
    (shell.host as { http: typeof http }).http = http;
  }
  return ends;
}

/** Runs on such a cluster: what they changed is undone or listed, whatever the answers were. */
export async function alteredValidations(shell: Shell, { from, count }: Documents): Promise<Ends> {
  const { http } = shell.host;
  const ends: Ends = {};
  for (let index = from; index < from + count; index += 1) {
    const draw = drawing(index);
    const scenario = ['scale-up', 'node-drain', 'disruption-budget', 'dns-failure'][Math.floor(draw() * 4)] as string;
    const share = shares[Math.floor(draw() * 2)] ?? 0;
    const words = ['validate', '--scenario', scenario, '--yes', '--out', join(shell.folder, `run-${index}`)];
    (shell.host as { http: typeof http }).http = answeringAltered(http, () => draw() < share, draw);
    await endOf(ends, `${words.join(' ')} with answers ${index}`, () => shell.holdfast(...words));
    (shell.host as { http: typeof http }).http = http;
    // The lease of a run that could not give it back expires after 60 s.
    await shell.host.clock.sleep(120);
    await endOf({}, `recover after ${index}`, () => shell.holdfast('recover', join(shell.folder, `run-${index}`)));
  }
  return ends;
}

/** What reads the state of deploys, and the commands that change something only where it is whole. */
const ofState = [
  ['history'],
  ['show'],
  ['status'],
  ['rollback', '--dry-run'],
  ['unlock'],
  ['history', '--json'],
] as const;

/** Commands on a checkout a file of whose state folder is altered. `program` runs in this process. */
export async function alteredStates(
  program: (words: readonly string[]) => Promise<{ readonly exitCode: number }>,
  stateFolder: string,
  { from, count }: Documents,
): Promise<Ends> {
  const ends: Ends = {};
  const whole = `${stateFolder}.whole`;
  cpSync(stateFolder, whole, { recursive: true });
  const files = readdirSync(whole, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name));
  for (let index = from; index < from + count; index += 1) {
    const draw = drawing(index);
    const file = files[Math.floor(draw() * files.length)] as string;
    writeFileSync(join(stateFolder, file), alteredText(readFileSync(join(whole, file), 'utf8'), draw));
    const words = ofState[Math.floor(draw() * ofState.length)] ?? ofState[0];
    await endOf(ends, `${words.join(' ')} with ${file} ${index}`, () => program(words));
    rmSync(stateFolder, { recursive: true });
    cpSync(whole, stateFolder, { recursive: true });
  }
  return ends;
}
