import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { randomStreams } from '@holdfast/embedded-cluster';
import { API } from 'typescript/unstable/sync';
import type { Mutant } from '../support/mutant.ts';
import { mutantsOf } from '../support/mutants.ts';
import { pure } from '../support/rooms.ts';

/*
 * Changes one operator, condition or method of a pure source after the other, and asks whether a test of its room then
 * fails. `npm run campaign -- mutants validation/judge deployment/git`; without rooms all pure ones. A sample of 100 by
 * SEED; MUTANTS=all. Survivors are to be read: some change nothing that anybody can see, others show what no test asks
 * for.
 */
const root = join(import.meta.dirname, '../..');
const seed = process.env.SEED ?? '1';
const most = process.env.MUTANTS === 'all' ? Number.POSITIVE_INFINITY : Number(process.env.MUTANTS ?? 100);
/** A test that has not ended by then waits for what the mutant never does. */
const testSeconds = 120;

const sources = globSync(['src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root }).filter((path) =>
  pure.some((pattern) => pattern.test(path)),
);
const roomOf = (path: string): string => path.replace(/^src\//, '').replace(/\/[^/]+$/, '');
const rooms = Map.groupBy(sources, roomOf);
const wanted = process.argv.slice(2);
const chosen = [...rooms].filter(([room]) => wanted.length === 0 || wanted.includes(room));
if (chosen.length === 0)
  throw new Error(`No pure room is called ${wanted.join(', ')}. They are ${[...rooms.keys()].join(', ')}.`);

const api = new API({ cwd: root });
const snapshot = api.updateSnapshot({ openFiles: sources.map((path) => join(root, path)) });
function allMutants(paths: readonly string[]): readonly Mutant[] {
  return paths.flatMap((path) => {
    const file = join(root, path);
    const source = snapshot.getDefaultProjectForFile(file)?.program.getSourceFile(file);
    return source === undefined ? [] : mutantsOf(source, file);
  });
}

/** `most` of them, in a random order: the same ones for the same seed. */
function sampleOf(mutants: readonly Mutant[], room: string): readonly Mutant[] {
  const random = randomStreams(seed)(room);
  const drawn = mutants.map((mutant) => ({ mutant, at: random() })).toSorted((one, other) => one.at - other.at);
  return drawn.slice(0, most).map(({ mutant }) => mutant);
}

const testsOf = (room: string): readonly string[] => globSync(testFolder(room), { cwd: root });
const testFolder = (room: string): string =>
  room.startsWith('packages/') ? `${room.replace('/src', '/test')}/*.test.ts` : `test/${room}/*.test.ts`;

function passes(tests: readonly string[], mutant?: Mutant): boolean {
  const hook = mutant === undefined ? [] : ['--import', join(root, 'test/support/mutated.ts')];
  const words = ['--test', '--test-isolation=none', '--test-force-exit', ...hook, ...tests];
  const env = { ...process.env, MUTANT: JSON.stringify(mutant ?? {}) };
  const { status } = spawnSync(process.execPath, words, {
    cwd: root,
    env,
    stdio: 'ignore',
    timeout: testSeconds * 1000,
  });
  return status === 0;
}

function told({ file, line, from, to, instead }: Mutant): string {
  return `${relative(root, file)}:${line}: ${JSON.stringify(readFileSync(file, 'utf8').slice(from, to))} → ${instead}`;
}

for (const [room, paths] of chosen) {
  const tests = testsOf(room);
  if (tests.length === 0 || !passes(tests)) {
    console.log(`${room}: ${tests.length === 0 ? 'there are no tests' : 'its tests fail as they are'}`);
    process.exitCode = 1;
    continue;
  }
  const all = allMutants(paths);
  const sample = sampleOf(all, room);
  const survivors = sample.filter((mutant) => passes(tests, mutant));
  for (const survivor of survivors) console.log(`  survived: ${told(survivor)}`);
  console.log(
    `${room}: ${sample.length - survivors.length} of ${sample.length} killed (seed ${seed}, ${all.length} in all)`,
  );
}
api.close();
