import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { inNamespace, served } from '../support/listening.ts';
import { needs } from '../support/needs.ts';

const project = join(import.meta.dirname, '../..');

test('kubectl holdfast precheck, plan and rbac ask the cluster that kubectl asks', async (t) => {
  if (!needs(t, 'kubectl')) return;
  const there = await served(t, '--manifests', 'hardened', '--listen-for', '10m');
  const folder = join(there.folder, 'bin');
  mkdirSync(folder);
  const { bin } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  symlinkSync(join(project, bin['kubectl-holdfast']), join(folder, 'kubectl-holdfast'));
  process.env.PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  const asked = (...words: readonly string[]) => inNamespace(there, ['kubectl', ...words]);
  assert.match((await asked('plugin', 'list')).stdout, /\/kubectl-holdfast/);
  const precheck = await asked('holdfast', 'precheck', '--json');
  assert.equal(precheck.exitCode, 0, precheck.stdout + precheck.stderr);
  assert.equal(JSON.parse(precheck.stdout).exitCode, 0);
  const plan = await asked('holdfast', 'plan', '--vantage', 'in-cluster', '--scenario', 'node-drain');
  assert.equal(plan.exitCode, 0, plan.stdout + plan.stderr);
  assert.match(plan.stdout, /start-probe: Pod default\/holdfast-probe-us-east-1a/);
  const granted = await asked('holdfast', 'rbac', '--check', '--vantage', 'in-cluster');
  assert.equal(granted.exitCode, 0, granted.stdout + granted.stderr);
});
