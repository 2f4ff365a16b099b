import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { terminalPicture } from '../packaging/terminal-picture.ts';

const root = join(import.meta.dirname, '..');
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].map((path) =>
  readFileSync(join(root, path), 'utf8'),
);

test('every picture that npm run screenshots makes is there, small, and shown on a page', () => {
  const script = readFileSync(join(root, 'packaging/screenshots.ts'), 'utf8');
  const made = [...script.matchAll(/write\('([\w.-]+)'/g)].map(([, name = '']) => name);
  assert.ok(made.length >= 3, 'the script makes no pictures');
  assert.deepEqual(readdirSync(join(root, 'docs/pictures')).toSorted(), made.toSorted());
  for (const name of made) {
    const { size } = statSync(join(root, 'docs/pictures', name));
    assert.ok(size > 1000 && size < 600_000, `${name} has ${size} bytes`);
    assert.ok(
      pages.some((page) => page.includes(`pictures/${name})`)),
      `${name} is on no page`,
    );
  }
});

test('in the picture of a terminal a colour holds until it is reset, in the next line too', () => {
  const escapeByte = String.fromCharCode(0x1b);
  const picture = terminalPicture(`${escapeByte}[32mone\ntwo${escapeByte}[0m three`, 20);
  const spans = [...picture.matchAll(/<tspan([^>]*)>([^<]*)/g)].map(([, looks = '', text]) => [text, looks.trim()]);
  assert.deepEqual(spans, [
    ['one', 'fill="#56d364"'],
    ['two', 'fill="#56d364"'],
    ['\u00A0three', ''],
  ]);
});

test('no picture of a terminal shows a temporary folder', () => {
  assert.doesNotMatch(readFileSync(join(root, 'docs/pictures/terminal.svg'), 'utf8'), /\/tmp\//);
});
