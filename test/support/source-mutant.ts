import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A guard of the source, the source without it, and the test that must fail then. */
export interface SourceMutant {
  /** The path of the source from the project's root. */
  readonly file: string;
  readonly guard: string;
  readonly without: string;
  /** The path of the test from the project's root. */
  readonly test: string;
}

/** The text that is taken away from a file, and the text instead. */
export type Change = readonly [guard: string, without: string];

/**
 * Mutants of the one file in `src` that exports this name, and the one test file of that name that has to fail for each of them. A name that
 * several rooms export has its room before it (`scenarios/load`). No path is given, so that a file can move. Throws where not exactly one file fits.
 */
export function mutantsOf(exported: string, test: string, ...changes: readonly Change[]): readonly SourceMutant[] {
  const [name = '', room] = exported.split('/').toReversed();
  const files = filesByExport.get(name) ?? [];
  const file = onlyOne(
    files.filter((path) => room === undefined || path.includes(`/${room}/`)),
    `source that exports ${exported}`,
  );
  const testFile = onlyOne(
    tests.filter((path) => path.endsWith(`/${test}.test.ts`)),
    `test ${test}.test.ts`,
  );
  return changes.map(([guard, without]) => ({ file, guard, without, test: testFile }));
}

function onlyOne(paths: readonly string[], what: string): string {
  const [path] = paths;
  if (path === undefined || paths.length > 1)
    throw new Error(`${paths.length} files are the ${what}: ${paths.join(', ')}`);
  return path;
}

const root = join(import.meta.dirname, '../..');
const tests = globSync('test/**/*.test.ts', { cwd: root });
const filesByExport = new Map<string, readonly string[]>();
for (const path of globSync('src/**/*.ts', { cwd: root })) {
  const text = readFileSync(join(root, path), 'utf8');
  for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm))
    filesByExport.set(name, [...(filesByExport.get(name) ?? []), path]);
}
