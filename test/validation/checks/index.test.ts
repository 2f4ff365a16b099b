import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checks } from '../../../src/validation/checks/index.ts';

const textsOf = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

/**
 * Checks whose tests use another function: `refused`, `warned`, one table for two components, or what is theirs
 * alone.
 */
const otherwise = ['certificate', 'adoption', 'otherWriters', 'dnsAutomation', 'autoscaler', 'poolBudgets'];

test('each check of the pre-check has a test in which it fails', () => {
  const source = textsOf(join(import.meta.dirname, '../../../src/validation/checks'));
  const names = [...source.matchAll(/export const (\w+): Check = /g)].map(([, name = '']) => name);
  assert.equal(names.length, checks.length);
  const tests = textsOf(import.meta.dirname);
  const unseen = names.filter(
    (name) => !otherwise.includes(name) && !new RegExp(`(?:wrong|warned)\\(\\s*${name}\\b`).test(tests),
  );
  assert.deepEqual(unseen, []);
});
