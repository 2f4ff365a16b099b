import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { type EventData, run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { cpuSeconds } from './support/cpu-time.ts';
import { installParts } from './support/real-parts.ts';
import { partOf, type TestFile, testFiles } from './support/test-files.ts';

/**
 * `npm test`: format, lint, types and all tests; with parts, such as `deployment`, the tests of these alone. `npm run
 * quick`: format, lint, types, the pure tests and `test/quick.ts`. With `--update` what is recorded of outputs is
 * written, not compared. Prints what fails, and what took the most CPU.
 */
const updates = process.argv.includes('--update');
const [first, ...rest] = process.argv.slice(2).filter((word) => word !== '--update');
const isQuick = first === '--quick';
const parts = first === undefined || isQuick ? rest : [first, ...rest];

const root = join(import.meta.dirname, '..');
/** Entries and compiled sources: `npm ci` begins anew. */
const cache = join(root, 'node_modules/.cache');
const entries = join(cache, 'test-entries');
const cpuList = join(entries, 'cpu');
/** More in one process keep more cores idle at the end. */
const filesInProcess = 40;

/**
 * Pure files of one part share a process, which loads the sources once; so do those that rehearse, for their common
 * rehearsals.
 */
function together(files: readonly TestFile[]): readonly string[] {
  const groups = Map.groupBy(files, ({ path, rehearses }) => `${partOf(path)}${rehearses ? '-rehearsed' : ''}`);
  return [...groups].flatMap(([name, group]) => {
    const count = Math.ceil(group.length / filesInProcess);
    return Array.from({ length: count }, (_, index) => {
      const entry = join(entries, `${name}-${index + 1}.mjs`);
      const own = group.filter((_, at) => at % count === index);
      writeFileSync(entry, own.map(({ path }) => `import '${pathToFileURL(join(root, path))}';\n`).join(''));
      return entry;
    });
  });
}

/** In the order in which they start: what takes long comes first, so that no core waits for it at the end. */
function processes(files: readonly TestFile[]): readonly string[] {
  const alone = files.filter(({ isPure }) => !isPure).map(({ path }) => join(root, path));
  const pure = files.filter(({ isPure }) => isPure);
  const rehearsed = together(pure.filter(({ rehearses }) => rehearses));
  const others = together(pure.filter(({ rehearses }) => !rehearses));
  return isQuick ? [join(root, 'test/quick.ts'), ...others] : [...rehearsed, ...alone, ...others];
}

function isRight(...words: readonly string[]): boolean {
  return spawnSync('npm', ['run', '--silent', ...words], { cwd: root, stdio: 'inherit' }).status === 0;
}

async function test(files: readonly TestFile[]): Promise<boolean> {
  rmSync(entries, { recursive: true, force: true });
  mkdirSync(entries, { recursive: true });
  writeFileSync(cpuList, '');
  process.env.TEST_CPU_LIST = cpuList;
  if (updates) process.env.TEST_UPDATE = '1';
  process.env.NODE_COMPILE_CACHE ??= join(cache, 'compiled');
  const events = run({
    cwd: root,
    files: [...processes(files)],
    concurrency: availableParallelism() + 1,
    execArgv: ['--import', pathToFileURL(join(root, 'test/support/cpu-time.ts')).href],
  });
  const failures: EventData.TestFail[] = [];
  const said = new Map<string, string>();
  events.on('test:stderr', ({ file, message }) => said.set(file, (said.get(file) ?? '') + message));
  events.on('test:fail', (failure) => {
    if (failure.todo !== undefined) return;
    failures.push(failure);
    printFailure(failure, said.get(failure.file ?? '') ?? '');
  });
  events.on('test:summary', (summary) => {
    if (summary.file === undefined) printCounts(summary, failures.length);
  });
  await finished(events.resume());
  return failures.length === 0;
}

/** A process that failed as a whole has its reason on stderr; a test with subtests that failed is not said again. */
function printFailure({ name, file = '', line, details: { error } }: EventData.TestFail, said: string): void {
  const { failureType, cause } = error as Error & { readonly failureType?: string };
  if (failureType === 'subtestsFailed') return;
  const isProcess = name === file;
  const where = isProcess ? '' : `${relative(root, file)}:${line}: `;
  const why = isProcess ? said : inspect(cause, { colors: process.stdout.isTTY });
  console.log(`✖ ${where}${isProcess ? relative(root, name) : name}\n${why.replaceAll(/^/gm, '    ')}\n`);
}

function printCounts({ counts, duration_ms }: EventData.TestSummary, failed: number): void {
  const { tests, passed, skipped, cancelled } = counts;
  const others = Object.entries({ failed, cancelled, skipped }).filter(([, count]) => count > 0);
  const told = others.map(([what, count]) => `, ${count} ${what}`).join('');
  console.log(`${tests} tests in ${(duration_ms / 1000).toFixed(0)} s: ${passed} passed${told}`);
}

function printCpu(): void {
  const lines = readFileSync(cpuList, 'utf8').split('\n').filter(Boolean);
  const most = lines.toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a)).slice(0, 12);
  const took = most.map((line) => line.replace(/ (.*)/, (_, path) => ` s  ${relative(root, path)}`));
  console.log(`\n${cpuSeconds().toFixed(0)} s of CPU. The most:\n  ${took.join('\n  ')}`);
}

const chosen = testFiles(parts);
if (chosen.length === 0) {
  console.error(`There is no test in ${parts.join(', ')}. Parts are folders of test, such as deployment, or packages.`);
  process.exit(2);
}
const isWhole = parts.length === 0;
if (isWhole && !(isRight('lint') && isRight('types'))) process.exit(1);
if (!isQuick) installParts(isWhole ? undefined : new Set(chosen.flatMap(({ words }) => [...words])));
process.exitCode = (await test(chosen)) ? 0 : 1;
printCpu();
