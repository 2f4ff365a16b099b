import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { holdfast } from '../../support/command-line.ts';
import { strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const schemaPath = join(import.meta.dirname, '../../../schemas/report.schema.json');
const conforms = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(schemaPath, 'utf8')));

/** The strong application, spread over what has this key. */
function folderOf(t: TestContext, topologyKey: string): string {
  const [web, ...rest] = strong();
  const { spec, ...named } = web as Deployment;
  const over = [
    { maxSkew: 1, minDomains: 2, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: spec.selector },
  ];
  const template = { ...spec.template, spec: { ...spec.template.spec, topologySpreadConstraints: over } };
  const folder = temporaryFolder(t);
  const documents = [{ ...named, spec: { ...spec, template } }, ...rest].map((one) => JSON.stringify(one));
  writeFileSync(join(folder, 'web.yaml'), documents.join('\n---\n'));
  return folder;
}

function rehearsed(folder: string) {
  const words = ['rehearse', '-f', 'web.yaml', '--scenario', 'zone-failure', '--no-assumptions', '--quiet', '--json'];
  const { status, stdout, stderr } = holdfast(folder, words);
  return { status, stderr, report: JSON.parse(stdout) };
}

test('an application that is spread over zones outlives one within a minute, and its row stands beside the ten', (t) => {
  const { status, report, stderr } = rehearsed(folderOf(t, 'topology.kubernetes.io/zone'));
  assert.equal(status, 0, stderr);
  const isValid: boolean = conforms(report);
  assert.ok(isValid, JSON.stringify(conforms.errors));
  assert.deepEqual(
    report.scenarios.map(({ name, verdict }: Record<string, string>) => [name, verdict]),
    scenarios.map(({ name }) => [name, 'not-tested']),
  );
  const [zone, ...others] = report.furtherScenarios;
  assert.deepEqual([zone.name, zone.verdict, others], ['zone-failure', 'pass', []]);
  assert.ok(zone.downtime.bad > 0 && zone.downtime.upperSeconds <= 60);
  assert.equal(report.partial, true);
});

test('one that is spread over nodes alone does not, and the finding stands at its spread', (t) => {
  const { status, report } = rehearsed(folderOf(t, 'kubernetes.io/hostname'));
  assert.equal(status, 1);
  const [{ verdict, findings }] = report.furtherScenarios;
  assert.equal(verdict, 'fail');
  const failed = findings.find(({ severity }: { severity: string }) => severity === 'error');
  assert.equal(failed.id, 'short-recovery');
  assert.equal(failed.at.field, 'spec.template.spec.topologySpreadConstraints');
});

test('it runs only where it is named, and on a real cluster only where the command line allows it', (t) => {
  const folder = temporaryFolder(t);
  const ran = holdfast(folder, ['validate', '--yes', '--scenario', 'zone-failure']);
  assert.equal(ran.status, 2);
  assert.match(ran.stderr, /zone-failure terminates all instances of the pool in a zone.*add --allow-terminate/);
  const from = holdfast(folder, ['plan', '--from', 'zone-failure']);
  assert.equal(from.status, 2);
  assert.match(from.stderr, /zone-failure is in none: name it with --scenario/);
});
