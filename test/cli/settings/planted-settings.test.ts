import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const asRoot = { skip: process.getuid?.() === 0 ? false : 'only root can give a file away' };

test('settings that another user put where everybody may write are refused, unless they are named', asRoot, (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'holdfast.yaml');
  writeFileSync(file, 'validation: { namespace: theirs }\n');
  chownSync(file, 65_534, 65_534);
  chmodSync(folder, 0o1777);
  const wrong = ['rehearse', '--seed', 'x'];
  const planted = /holdfast\.yaml belongs to user 65534, and everybody may write here/;
  assertMistakes(holdfast(folder, wrong), /--seed/, planted);
  assertMistakes(holdfast(folder, [...wrong, '--config', 'holdfast.yaml']), /--seed/);
  // In a folder of its own it is the settings of a project.
  chmodSync(folder, 0o755);
  assertMistakes(holdfast(folder, wrong), /--seed/);
});
