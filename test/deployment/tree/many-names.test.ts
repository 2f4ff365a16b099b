import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomStreams } from '@holdfast/embedded-cluster';
import { differencesIn } from '../../../src/deployment/git/differences.ts';
import { pathsIn } from '../../../src/deployment/git/local-edits.ts';
import { collisions } from '../../../src/deployment/tree/collisions.ts';
import { eachWith, nulEnded } from '../../../src/deployment/tree/paths-on-input.ts';
import { nodeHost } from '../../../src/host/node.ts';

const count = 100_000;
const letters = ['a', 'Z', '7', ' ', '-', "'", '"', '\\', '\n', '\t', '$', '*', 'ü', '文', '.'];
const random = randomStreams('1')('names');
const letter = (): string => letters[Math.floor(random() * letters.length)] ?? '';
/** Some 75 bytes each, of everything that a name may hold: more than 4 MiB together. */
const names = Array.from({ length: count }, (_, index) => {
  const some = Array.from({ length: 45 }, letter).join('');
  return `vendor/package-${index % 400}/${index}${some}x`;
});

async function said(command: readonly [string, ...string[]], stdin: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '' };
  return (await nodeHost().run(command, { env, stdin, timeoutSeconds: 60 })).stdout;
}

test('of 100,000 names with any characters none is lost on the way from git, or to the commands that copy them', async () => {
  assert.deepEqual(pathsIn(await said(['cat'], nulEnded(names))), names);
  assert.deepEqual(pathsIn(await said(eachWith('printf "%s\\0" "$@"'), nulEnded(names))), names);
});

test('of 100,000 files in the way each is found', async () => {
  const id = 'a'.repeat(40);
  const raw = names.map((name) => `:000000 100644 ${'0'.repeat(40)} ${id} A\0${name}\0`).join('');
  const there = new Set(names);
  const differing = differencesIn(await said(['cat'], raw));
  const found = await collisions(differing, async (path) => (there.has(path) ? 'file' : undefined));
  assert.deepEqual(found, names.toSorted());
});
