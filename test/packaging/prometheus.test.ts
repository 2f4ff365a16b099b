import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reportMetrics } from '../../src/report/metrics.ts';
import { metrics } from '../../src/validation/monitor/metrics.ts';
import { needs } from '../support/needs.ts';
import { richRun } from '../support/rich-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const packaging = join(import.meta.dirname, '../../packaging');
const rules = join(packaging, 'prometheus/holdfast-alerts.yml');
const dashboard = JSON.parse(readFileSync(join(packaging, 'grafana/holdfast-monitor.json'), 'utf8'));
const queries: readonly string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
  targets.map(({ expr }) => expr),
);

function promtool(words: readonly string[], input?: string): void {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8', input });
  assert.equal(status, 0, stdout + stderr);
}

/** What a monitor serves that has seen a good sample and a bad one. */
function served(): string {
  const counted = metrics();
  const sample = { at: 0, status: 200, seconds: 0.004, connection: 'new', phases: {}, certificateEndsAt: 1 } as const;
  counted.take(sample, { url: 'http://app.example/' }, undefined);
  counted.take({ ...sample, status: 503 }, { url: 'http://app.example/' }, '503');
  return counted.text();
}

test('the alert rules are ones that Prometheus takes, and fire when they should and no sooner', (t) => {
  if (!needs(t, 'promtool')) return;
  promtool(['check', 'rules', rules]);
  for (const name of ['holdfast-alerts', 'holdfast-alerts-of-validations'])
    promtool(['test', 'rules', join(packaging, `prometheus/${name}.test.yml`)]);
});

test('the metrics of the monitor are ones that Prometheus takes without a complaint', (t) => {
  if (needs(t, 'promtool')) promtool(['check', 'metrics'], served());
});

test('the outcome of a validation is metrics that Prometheus takes without a complaint, beside those of the monitor', (t) => {
  if (needs(t, 'promtool')) promtool(['check', 'metrics'], served() + reportMetrics(richRun()));
});

test('the queries of the dashboard are PromQL', (t) => {
  if (!needs(t, 'promtool')) return;
  const path = join(temporaryFolder(t), 'queries.yml');
  const filled = queries.map((query) => query.replaceAll(/\$__(range|rate_interval)/g, '5m'));
  const asRules = filled.map((expr, index) => ({ record: `query_${index}`, expr }));
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
  promtool(['check', 'rules', path]);
  assert.ok(queries.length >= 6);
});

test('alert rules and dashboard ask for metrics and labels that the monitor serves', () => {
  const text = served() + reportMetrics(richRun());
  const families = new Set([...text.matchAll(/^(holdfast_\w+)\{/gm)].map(([, name]) => name));
  const asked = [readFileSync(rules, 'utf8'), ...queries].join('\n').matchAll(/\b(holdfast_\w+)\{/g);
  for (const [, name] of asked) assert.ok(families.has(name), name);
  for (const label of ['target="', 'connection="new"', 'result="good"', 'le="']) assert.ok(text.includes(label), label);
});
