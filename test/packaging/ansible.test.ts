import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestFleet } from '../fleet/support/servers.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collection, environmentOf, needsAnsible, playAll } from './support/ansible-plays.ts';

test('ansible-playbook: check mode changes nothing, a second run changes nothing, a failure is one', async (t) => {
  if (needsAnsible(t)) await playAll(t, 1);
});

test('ansible-doc documents the module and the role', (t) => {
  if (!needs(t, 'ansible-doc')) return;
  const env = environmentOf({ folder: temporaryFolder(t) } as TestFleet);
  const doc = (...words: readonly string[]) => execFileSync('ansible-doc', words, { env, encoding: 'utf8' });
  const module = JSON.parse(doc('--json', 'holdfast.holdfast.deploy'))['holdfast.holdfast.deploy'];
  assert.equal(module.doc.short_description, 'Deploy a git checkout with health check and automatic rollback');
  // What is documented is what the module takes.
  const source = readFileSync(join(collection, 'plugins/modules/deploy.py'), 'utf8');
  const [, spec = ''] = /argument_spec=dict\(\n([\s\S]*?)\n {8}\),/.exec(source) ?? [];
  const taken = [...spec.matchAll(/^ {12}(\w+)=/gm)].map(([, name]) => name).toSorted();
  assert.deepEqual(Object.keys(module.doc.options).toSorted(), taken);
  assert.match(doc('-t', 'role', 'holdfast.holdfast.deploy'), /holdfast_drain/);
});
