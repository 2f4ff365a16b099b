import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as door from '@holdfast/embedded-cluster';

test('the README says of every export and of every part of a cluster what it promises', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const cluster = door.createCluster();
  const parts = Object.keys(cluster).map((name) => `cluster.${name}`);
  cluster.close();
  const missing = [...Object.keys(door), ...parts].filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
  assert.deepEqual(missing, []);
});

test('the package has one door', async () => {
  const deeper = '@holdfast/embedded-cluster/src/world/world.ts';
  await assert.rejects(import(deeper), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
});

test('time stands still but for a run, and a run goes on where the last one ended', async () => {
  const cluster = door.createCluster({ startAt: 0 });
  await cluster.runFor(60);
  assert.equal(cluster.clock.wallAt(), 60_000);
  await cluster.runUntil(() => cluster.clock.wallAt() >= 90_000);
  assert.equal(cluster.clock.wallAt(), 90_000);
  await assert.rejects(
    cluster.runUntil(() => false, 30),
    /not so within 30 s/,
  );
  cluster.close();
});

test('a refused manifest is an error that names the field', async () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 0 }] } };
  const cluster = door.createCluster({ manifests: [service] });
  await assert.rejects(cluster.runFor(1), /Service web: spec\.ports\[0\]\.port/);
  cluster.close();
});

test('a saved cluster goes on at its instant, with its objects', async () => {
  const first = door.createCluster();
  await first.runFor(1);
  await first.kubernetes('me').create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  const saved = JSON.parse(JSON.stringify(first.save()));
  first.close();
  const second = door.createCluster({ saved });
  await second.runFor(1);
  assert.equal((await second.kubernetes('me').get('Namespace', { name: 'team' }))?.metadata.name, 'team');
  assert.equal(second.clock.wallAt(), door.usualStartAt + 2000);
  second.close();
});
