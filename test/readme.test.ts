import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resultColumns } from '../src/report/cells.ts';
import { reportText } from '../src/report/text.ts';
import { rehearse } from './support/rehearse.ts';

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
  assert.ok(readme.includes(table), `write into the README:\n${table}`);
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
