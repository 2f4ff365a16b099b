import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { testFiles } from '../support/test-files.ts';

// All seeds and cases of every property that `npm test` tries with a few. Parts may be named.
const properties = testFiles(process.argv.slice(2)).filter(({ words }) =>
  [...words].some((word) => word.endsWith('/seeds.ts')),
);
if (properties.length === 0) throw new Error(`no property with seeds in ${process.argv.slice(2).join(', ')}`);
const words = [join(import.meta.dirname, '../run.ts'), ...properties.map(({ path }) => path)];
const { status } = spawnSync(process.execPath, words, { stdio: 'inherit', env: { ...process.env, SEEDS: 'all' } });
process.exitCode = status ?? 1;
