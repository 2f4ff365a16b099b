import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { resultColumns } from '../src/report/cells.ts';
import { reportText } from '../src/report/text.ts';
import { holdfast } from './support/command-line.ts';
import { strong } from './support/own-manifests.ts';
import { assertRecordedIn } from './support/recorded.ts';
import { rehearse } from './support/rehearse.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the README is under 120 lines, and has the two commands first and a real result table', () => {
  assert.ok(readme.split('\n').length <= 120);
  assert.match(readme, /npm ci && npx holdfast rehearse\nnpm ci && npm test/);
  assert.match(readme, new RegExp(resultColumns.join(' +')));
});

test('the result table of the README is the one that `rehearse` prints', async (t) => {
  const { result } = await rehearse(t);
  const [table = ''] = /^Scenario .*\n(.+\n)+/m.exec(reportText(result)) ?? [];
  assert.match(table, /^Drift replace /m);
  assertRecordedIn(new URL('../README.md', import.meta.url), /^Scenario .*\n(.+\n)+?(?=…\n)/m, table);
});

test('the finding of the README is one that `rehearse -f` prints of such manifests', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'k8s'));
  const manifests = strong('hasty').map((one) => stringify(one));
  writeFileSync(join(folder, 'k8s', 'web.yaml'), manifests.join('---\n'));
  const { stdout } = holdfast(folder, ['rehearse', '-f', 'k8s/', '--out', 'run', '--quiet', '--no-assumptions']);
  const [, verdict = '', finding = ''] = /rehearse -f k8s.*\n…\n([^…]+)…\n([^…]+)…\n```/.exec(readme) ?? [];
  assert.match(finding, /^error .*\n[\s\S]* at: k8s\/web\.yaml:\d+ /);
  assert.ok(stdout.includes(finding) && stdout.includes(verdict.trim()), `write into the README from:\n${stdout}`);
});

test('every link of the documents leads to a file', () => {
  for (const document of ['README.md', 'CONTRIBUTING.md']) {
    const links = [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(
      ([, path]) => path ?? '',
    );
    assert.deepEqual(
      links.filter((path) => !existsSync(join(root, path))),
      [],
      document,
    );
  }
});
