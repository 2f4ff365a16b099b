import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

// `npm run campaign -- NAME [words]` runs one campaign, with no name all. SEED, and what a campaign says at its top,
// are its settings.
const folder = join(import.meta.dirname, 'campaign');
const names = globSync('*.ts', { cwd: folder })
  .map((file) => basename(file, '.ts'))
  .toSorted();
const [name, ...words] = process.argv.slice(2);
if (name !== undefined && !names.includes(name)) {
  console.error(`There is no campaign ${name}. Campaigns are ${names.join(', ')}.`);
  process.exit(2);
}
for (const one of name === undefined ? names : [name]) {
  console.log(`campaign ${one}`);
  const { status } = spawnSync(process.execPath, [join(folder, `${one}.ts`), ...words], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
