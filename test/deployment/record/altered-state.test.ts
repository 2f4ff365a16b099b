import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProgram } from '../../../src/cli/arguments.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { alteredStates } from '../../support/altered-documents.ts';
import { holdfast } from '../support/holdfast.ts';
import { quietHost } from '../support/quiet-host.ts';
import { buildSite } from '../support/site.ts';

const count = Number(process.env.HOLDFAST_DOCUMENTS ?? 40);
const from = Number(process.env.SEED ?? 39) * 1000;

test('a state folder with any document in it is read, or a sentence: never a defect', async (t) => {
  const site = await buildSite(t);
  site.push({ page: 'two' });
  await holdfast(site, ['deploy', '--message', 'two']);
  site.push({ page: 'broken' });
  await holdfast(site, ['deploy']);
  await holdfast(site, ['lock', '--reason', 'sale']);
  const stateFolder = join(site.app, '.git/holdfast');
  const kept = { 'held-folders.json': { folders: ['a'], leaving: [] }, 'maintenance.json': { files: ['b'] } };
  for (const [name, value] of Object.entries(kept)) writeFileSync(join(stateFolder, name), JSON.stringify(value));
  const environment = { ...site.environment, APP_DIR: site.app, BRANCH: 'main', HEALTH_URL: site.healthUrl };
  const program = createProgram({
    host: quietHost(),
    environment: { ...environment, LOG_FILE: `${site.folder}/deploy.log` },
    version: '0.0.0',
  });
  const run = (words: readonly string[]) =>
    program.run([...words]).then(
      (exitCode) => ({ exitCode }),
      (error: unknown) => {
        if (error instanceof UsageError) return { exitCode: 2 };
        throw error;
      },
    );
  const ends = await alteredStates(run, stateFolder, { from, count });
  if (count > 40) console.log(ends);
});
