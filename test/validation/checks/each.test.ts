import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checks } from '../../../src/validation/checks/index.ts';

test('each check of the pre-check is seen failing by a test of this folder', () => {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const texts = tests.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8')).join('\n');
  const camel = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const unseen = checks
    .map(({ name }) => camel(name))
    // These four have their own words for it: refused, warned, and for both components at once.
    .filter((name) => !['adoption', 'otherWriters', 'dnsAutomation', 'autoscaler'].includes(name))
    .filter((name) => !new RegExp(`wrong\\(\\s*${name}\\b`).test(texts));
  assert.deepEqual(unseen, []);
});
