import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBranchName } from '../../../src/deployment/settings/schema.ts';

const gitAccepts = (name: string) => spawnSync('git', ['check-ref-format', `refs/heads/${name}`]).status === 0;

test('ordinary branch names are accepted', () => {
  for (const name of ['main', 'release/2.x', 'feature/a-b_c', 'v1.0', 'ünïcode', "it's", 'a;b', '$(id)']) {
    assert.ok(isBranchName(name), name);
    assert.ok(gitAccepts(name), name);
  }
});

test('a branch name that git refuses is refused, and one that looks like an option too', () => {
  for (const name of [
    '',
    '-x',
    '--upload-pack=x',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a@{1}',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a\nb',
    'a\u007f',
  ]) {
    assert.ok(!isBranchName(name), JSON.stringify(name));
  }
});

test('no name is accepted that git refuses', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    '.',
    '..',
    '/',
    '-',
    '@',
    '{',
    '@{',
    '.lock',
    '~',
    '^',
    ':',
    '\\',
    ' ',
    '\u0001',
    '\u007f',
    'é',
    '*',
    '[',
    '?',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const name = parts.join('');
      if (isBranchName(name)) assert.ok(gitAccepts(name), JSON.stringify(name));
      else if (!name.startsWith('-')) assert.ok(!gitAccepts(name), JSON.stringify(name));
    }),
    { numRuns: 300 },
  );
});
