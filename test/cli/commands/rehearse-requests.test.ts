import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { holdfast } from '../../support/command-line.ts';
import { autoscaler, strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The careful team's application, whose containers may use that much CPU. */
function limited(cpu: string | undefined): readonly object[] {
  const [web, ...rest] = strong();
  const { template, ...spec } = (web as Deployment).spec;
  const containers = template.spec.containers.map((one) => ({
    ...one,
    resources: { ...one.resources, ...(cpu !== undefined && { limits: { cpu } }) },
  }));
  return [{ ...web, spec: { ...spec, template: { ...template, spec: { ...template.spec, containers } } } }, ...rest];
}

/** The findings of the load where each request costs that much. */
function underLoad(t: TestContext, request: string, cpu: string | undefined, ...more: readonly object[]) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'web.yaml'), [...limited(cpu), ...more].map((one) => JSON.stringify(one)).join('\n---\n'));
  writeFileSync(join(folder, 'holdfast.yaml'), `validation: { rehearse: { application: { request: ${request} } } }`);
  const words = ['--scenario', 'load', '--no-assumptions', '--quiet', '--out', 'run'];
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', ...words]);
  const journal = readFileSync(join(folder, 'run', 'journal.jsonl'), 'utf8');
  const wanted = journal.matchAll(/"kind":"Deployment".*"digest":\{"replicas":(\d+)/g);
  const mostReplicas = Math.max(...[...wanted].map(([, replicas]) => Number(replicas)));
  const report = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const { findings, cpu: used } = report.scenarios.find(({ name }: { name: string }) => name === 'load');
  const wrong = findings.filter(({ severity }: { severity: string }) => severity === 'error');
  return { status: ran.status, wrong: wrong.map(({ id }: { id: string }) => id), used, mostReplicas };
}

test('requests that need all of the CPU limit fail the load, and never use more than the limit', (t) => {
  const { status, wrong, used } = underLoad(t, '1ms', '200m');
  assert.deepEqual([status, wrong], [1, ['cpu-stable']]);
  assert.ok(used.peakOfLimit > 0.9 && used.peakOfLimit < 1.02, String(used.peakOfLimit));
});

test('where requests wait longer than probes may, pods become unready and visitors get 503', (t) => {
  assert.deepEqual(underLoad(t, '5ms', '200m').wrong, ['no-5xx', 'cpu-stable']);
});

test('the same requests pass on all cores of a node', (t) => {
  assert.deepEqual(underLoad(t, '1ms', undefined).wrong, []);
});

test('a HorizontalPodAutoscaler sees what the requests cost, and takes its replicas back', (t) => {
  const scaling = autoscaler(2, 4, 50);
  assert.equal(underLoad(t, '0.05ms', undefined, scaling).mostReplicas, 2);
  const costly = underLoad(t, '0.8ms', undefined, scaling);
  assert.deepEqual([costly.mostReplicas, costly.wrong], [4, []]);
});
