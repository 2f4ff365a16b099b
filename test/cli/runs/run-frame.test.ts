import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paint } from '../../../src/cli/command/text.ts';
import { runFrame } from '../../../src/cli/runs/run-frame.ts';
import { watchRun } from '../../../src/cli/runs/run-view.ts';
import type { Sample } from '../../../src/host/host.ts';
import type { OutageKind } from '../../../src/validation/downtime/outage-kind.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { at, change, node, pod } from '../../support/changes.ts';
import { fact, started } from '../../support/run-facts.ts';

const of = (name: string, one: ValidationFact): ValidationFact => ({ ...one, of: [`Deployment/${name}`] });

/** A run of `nginx-test` and these further applications, as it is watched when all of them are there. */
function watched(...names: readonly string[]) {
  const applications = names.map((application) => ({ application, url: `http://${application}.example.com/` }));
  const run = watchRun((name) => name);
  run.take(started({ settings: validationSchema.parse(names.length === 0 ? {} : { applications }) }));
  if (names.length === 0) run.take(fact(0, { type: 'application-verified', expectations: [] }));
  for (const name of names.length === 0 ? [] : ['nginx-test', ...names])
    run.take(of(name, fact(0, { type: 'application-verified', expectations: [] })));
  const probed = (second: number, host: string, kind?: OutageKind) =>
    run.probed({ at: at(second), connection: 'new' } as Sample, { url: `http://${host}.example.com/` }, kind);
  return { ...run, probed, frame: () => runFrame(run.view, at(60), 80, paint(false)) };
}

test('of several applications each has its probes and its downtime, and its pods are counted apart', () => {
  const run = watched('forum');
  for (let second = 1; second < 10; second += 1) {
    run.probed(second, 'app', second === 5 ? '503' : undefined);
    run.probed(second, 'forum');
  }
  run.take(change(1, 'Node', 'node-a', node('a'), 'added'));
  run.take(of('nginx-test', change(1, 'Pod', 'web-1', pod('web-1', { node: 'node-a' }), 'added')));
  run.take(of('forum', change(1, 'Pod', 'forum-1', pod('forum-1', { node: 'node-a' }), 'added')));
  run.take(of('forum', change(2, 'Pod', 'forum-1', pod('forum-1', { node: 'node-a' }), 'deleted')));
  const lines = run.frame();
  assert.match(lines.find((line) => line.startsWith('probes Deployment/nginx-test')) ?? '', / ▁▁▁▁█▁▁▁▁/);
  assert.match(lines.find((line) => line.startsWith('probes Deployment/forum')) ?? '', / ▁▁▁▁▁▁▁▁▁/);
  const downtimes = lines.filter((line) => line.startsWith('downtime so far'));
  assert.equal(downtimes[0], 'downtime so far 0.0–2.0 s');
  assert.equal(downtimes[1], 'downtime so far none');
  assert.ok(lines.includes('pods Deployment/nginx-test 1: 1 ready; Deployment/forum 0'), lines.join('\n'));
  assert.ok(lines.includes('nodes 1: 1 ready'), lines.join('\n'));
});

test('the only application needs no name, and is probed at whatever address a monitor elsewhere has', () => {
  const run = watched();
  run.probed(1, 'elsewhere');
  run.probed(2, 'another', '503');
  const lines = run.frame();
  assert.match(lines.find((line) => line.startsWith('probes ')) ?? '', /^probes ▁( |$)/);
  assert.ok(lines.includes('downtime so far none'), lines.join('\n'));
});

test('of very many applications those that were down are shown, and the rest is counted', () => {
  const names = Array.from({ length: 9 }, (_, index) => `app-${index}`);
  const run = watched(...names);
  for (const name of ['app', ...names])
    for (const second of [1, 2, 3]) run.probed(second, name, name === 'app-8' && second === 2 ? '503' : undefined);
  const lines = run.frame();
  assert.equal(lines.filter((line) => line.startsWith('probes ')).length, 6);
  assert.ok(
    lines.some((line) => line.startsWith('probes Deployment/app-8')),
    lines.join('\n'),
  );
  assert.ok(lines.includes('and 4 more applications'), lines.join('\n'));
});
