import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { SavedWorld } from '@holdfast/embedded-cluster';
import type { Context } from '../../src/cli/command/context.ts';
import { recover } from '../../src/cli/commands/recover.ts';
import type { Files, Host } from '../../src/host/host.ts';
import { exitCodeOf } from '../../src/validation/judge/exit-code.ts';
import { readRun } from '../../src/validation/judge/read-run.ts';
import { runFiles } from '../../src/validation/record/run-folder.ts';
import type { CutPoint, CutRun } from './cut-points.ts';
import { firstBytes, type Loss, survivingBytes } from './disk.ts';
import { quietHost } from './quiet-host.ts';
import { stillUnlike } from './still-unlike.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { expectedHalfWay } from './world-picture.ts';

/** The result of `recover` after a crash of a run. */
export interface Recovery {
  /** Every violation, one sentence each. */
  readonly troubles: readonly string[];
  /** The undos that `recover` reports. */
  readonly undo: readonly { readonly action: string; readonly state: string }[];
}

/** A run that crashed, and what a whole one would leave. */
export type CutOff = Pick<CutRun, 'rehearsed' | 'seed' | 'expected'>;
/** What is left of the run. */
export type Left = Pick<CutPoint, 'world' | 'disk'>;

const name = '2026-01-01T00-00-00Z-rehearsal';

/** A machine with only the run folder of a crashed run: `recover` runs there as a command, twice. */
export async function recovered(
  t: Pick<TestContext, 'after'>,
  run: CutOff,
  point: Left,
  loss: Loss,
  random: () => number,
): Promise<Recovery> {
  const root = temporaryFolder(t);
  const folder = join(root, 'runs', name);
  leave(run, point, loss, random, folder);
  const left = await leftBehind(folder);
  const expected = left.isComplete ? run.expected : expectedHalfWay(run.expected);
  const first = await recoverCommand(root);
  const world = await worldIn(folder);
  const second = await recoverCommand(root);
  const troubles = [
    ...left.troubles,
    ...(first.exitCode === 0 ? [] : [`recover ended with ${first.exitCode}`]),
    ...first.undo.filter(isTakenForAnothers).map((end) => `nobody else was there, and ${JSON.stringify(end)}`),
    ...(second.run === null ? [] : [`a second recover found ${JSON.stringify(second.undo)}`]),
    ...(first.run !== null && heldIn(world) ? ['recover has not given back its lease'] : []),
    ...(await stillUnlike(world, run.seed, expected)),
    ...(await untold(folder)),
  ];
  return { troubles, undo: first.undo };
}

/** Only applied objects may be kept; anything else that is kept would be a change of somebody else. */
const isTakenForAnothers = ({ action, state }: Recovery['undo'][number]): boolean =>
  state === 'kept' && action !== 'apply-object';

/** The run folder as it is after the power loss, with the world. */
export function leave(run: CutOff, { disk, world }: Left, loss: Loss, random: () => number, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, kept] of disk)
    writeFileSync(join(folder, basename(path)), firstBytes(path, survivingBytes(kept, loss, random)));
  const { settings } = run.rehearsed.facts.find((fact) => fact.type === 'run-started') ?? {};
  writeFileSync(join(folder, runFiles.settings), JSON.stringify({ validation: settings }));
  writeFileSync(join(folder, runFiles.world), world);
}

/** A run that crashed is never a pass, whatever is left of its files. */
async function leftBehind(folder: string) {
  const run = await readRun(quietHost().files, folder);
  if (run === undefined) return { troubles: [], isComplete: false };
  const isComplete = run.facts.some(({ type }) => type === 'application-verified');
  const isOver = run.facts.some(({ type }) => type === 'run-finished');
  const honest = isOver || (run.result.verdict !== 'pass' && exitCodeOf(run.facts, run.result) !== 0);
  return { troubles: honest ? [] : [`what was left of the run says ${run.result.verdict}`], isComplete };
}

async function recoverCommand(root: string) {
  const said: string[] = [];
  const real = quietHost();
  const out = { ...real.out, write: (text: string) => void said.push(text) };
  const host = { ...real, out, files: below(root, real.files) } as unknown as Host;
  const flags = { json: true, quiet: true, verbose: false, color: false };
  const context: Context = { host, environment: {}, version: '0.0.0', flags };
  const exitCode = await recover(context, { operands: [], options: {} });
  return { exitCode, ...(JSON.parse(said.join('')) as { run: string | null; undo: Recovery['undo'] }) };
}

/** Resolves relative paths as a shell in that folder. */
function below(root: string, files: Files): Files {
  const at = (path: string) => join(root, path);
  return {
    ...files,
    read: (path) => files.read(at(path)),
    list: (path) => files.list(at(path)),
    stat: (path) => files.stat(at(path)),
    append: (path, options) => files.append(at(path), options),
    replace: (path, text, options) => files.replace(at(path), text, options),
  };
}

const worldIn = async (folder: string): Promise<string> =>
  (await quietHost().files.read(join(folder, runFiles.world))) ?? '';

const heldIn = (world: string): boolean =>
  (JSON.parse(world) as SavedWorld).apiServer.objects.some(
    ({ kind, metadata }) => kind === 'Lease' && metadata.name === 'holdfast',
  );

/** Irreversible actions are listed, and no action is open. */
async function untold(folder: string): Promise<readonly string[]> {
  const run = await readRun(quietHost().files, folder);
  if (run === undefined) return [];
  return run.result.undo.flatMap(({ action, state }) => {
    const irreversible = action === 'terminate-instance';
    if (state === 'failed') return [`the report says that ${action} is not undone`];
    return irreversible && state !== 'irreversible' ? [`${action} is ${state}`] : [];
  });
}
