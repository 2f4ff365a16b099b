import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesIn } from '../../../src/deployment/git/differences.ts';
import { collisions } from '../../../src/deployment/tree/collisions.ts';

const of = (differences: string, onDisk: Readonly<Record<string, 'file' | 'folder' | 'link'>>) =>
  collisions(differencesIn(differences.replaceAll(/([AMDT]) (\S+) ?/g, raw)), async (path) => onDisk[path]);
const raw = (_: string, letter: string, path: string) =>
  `:100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} ${letter}\0${path}\0`;

test('an untracked file at the path of an added one is found, and a tracked file that changes is not', async () => {
  assert.deepEqual(await of('A new M old', { new: 'file', old: 'file' }), ['new']);
  assert.deepEqual(await of('A new', {}), []);
});

test('a folder at the path of a file is found', async () => {
  assert.deepEqual(await of('A newdata', { newdata: 'folder' }), ['newdata']);
});

test('an untracked file or link at the path of a folder is found, and a tracked one is not', async () => {
  assert.deepEqual(await of('A a/b/c', { a: 'folder', 'a/b': 'link' }), ['a/b']);
  assert.deepEqual(await of('D a A a/b', { a: 'file' }), []);
});
