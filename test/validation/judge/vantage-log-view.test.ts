import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downtimeLogReader } from '../../../src/validation/downtime/read-downtime-log.ts';
import type { VantageRule } from '../../../src/validation/downtime/vantage-rule.ts';
import { acceptance } from '../../../src/validation/judge/acceptance.ts';
import { viewOf } from '../../../src/validation/judge/read-run.ts';
import type { ScenarioResult } from '../../../src/validation/judge/run-result.ts';
import { seenBySome } from '../../../src/validation/judge/vantage-findings.ts';
import { noDowntime } from '../../../src/validation/scenarios/expectations.ts';
import { at } from '../../support/changes.ts';
import { measured } from '../../support/measured.ts';
import { scenarioResult } from '../../support/results.ts';

const line = { '.': '200 0.010', x: '503 0.010', s: '200 5.010', e: '503 0.010 probe=edge' } as const;
const seconds = 45;
const fine = '.'.repeat(seconds);
const during = (letter: string) => `${'.'.repeat(20)}${letter.repeat(5)}${'.'.repeat(20)}`;

/** A prober's log: a letter each second, a space where it has no sample. */
function logOf(letters: string, index: number) {
  const reader = downtimeLogReader();
  const samples = [...letters].flatMap((letter, second) =>
    letter === ' ' ? [] : [`${new Date(at(second) + 300 * index).toISOString()} ${line[letter as keyof typeof line]}`],
  );
  const header =
    '# holdfast downtime-log 1 target=http://app.example/ interval=1s edges=100ms timeout=10s slow=1s expect=200';
  reader.push(new TextEncoder().encode(`${[header, ...samples].join('\n')}\n`));
  return { name: `prober-${index + 1}`, file: `downtime-${index + 1}.log`, log: reader.end() };
}
const viewBy = (rule: VantageRule, ...all: readonly string[]) => viewOf(all.map(logOf), rule);

function judgedBy(rule: VantageRule, ...all: readonly string[]) {
  const downtime = viewBy(rule, ...all).downtimeIn(at(0), at(seconds));
  const scenario: ScenarioResult = scenarioResult('node-drain', { verdict: 'pass', downtime });
  const nothing = {
    replacements: [],
    massEvictions: [],
    clusterWatched: true,
    ended: true,
    maximumDowntimeSeconds: 60,
  };
  const criterion = acceptance({ scenarios: [scenario], ...nothing })[1];
  return [noDowntime(measured({ downtime })).outcome, criterion?.outcome, criterion?.because];
}

test('no downtime is decided by the rule: bad samples of an outage that is none by it are none', () => {
  const without = ['met', 'met', 'node-drain: no bad sample of 90'];
  const half = [during('x'), fine] as const;
  assert.deepEqual(judgedBy('any', ...half), ['not-met', 'not-met', 'node-drain: 4.0–6.0 s of downtime']);
  assert.deepEqual(judgedBy('all', ...half), without);
  assert.deepEqual(judgedBy('most', ...half), without);
  assert.deepEqual(judgedBy('most', ...half, during('s'))[0], 'not-met');
  assert.deepEqual(judgedBy('all', during('x'), during('x')), [
    'not-met',
    'not-met',
    'node-drain: 3.7–5.7 s of downtime',
  ]);
});

test('faster probes that failed for some alone leave nothing open by the rule all', () => {
  const some = [`${'.'.repeat(20)}e${'.'.repeat(24)}`, fine] as const;
  assert.equal(judgedBy('any', ...some)[0], 'inconclusive');
  assert.equal(judgedBy('all', ...some)[0], 'met');
});

test('an outage within one second of a curl loop’s log is one for several vantage points, too', () => {
  const curl = [...fine].flatMap((_, second) => {
    const date = `${new Date(at(second)).toISOString().slice(0, 19)}Z`;
    return [`${date} ${second === 20 ? 503 : 200} 0.010`, `${date} 200 0.010`];
  });
  const reader = downtimeLogReader();
  reader.push(new TextEncoder().encode(`${curl.join('\n')}\n`));
  const loop = { name: 'loop', file: 'downtime-2.log', log: reader.end() };
  const { bad, upperSeconds } = viewOf([logOf(fine, 0), loop], 'any').downtimeIn(at(0), at(seconds));
  assert.equal(bad, 1);
  assert.ok(upperSeconds >= 1, `${upperSeconds}`);
});

test('where the other one has no sample, the one that sees decides, also by the rule all', () => {
  const gap = during(' ');
  assert.deepEqual(judgedBy('all', during('x'), gap).slice(0, 2), ['not-met', 'not-met']);
});

test('an outage for some that is none by the rule is reported, with for whom', () => {
  const told = (rule: VantageRule) =>
    seenBySome(viewBy(rule, during('x'), fine), at(0)).map(({ severity, observed }) => `${severity}: ${observed}`);
  const outage = `warning: 4.0–6.0 s from ${new Date(at(20)).toISOString()} for prober-1; not for prober-2`;
  assert.deepEqual(told('any'), [outage]);
  assert.deepEqual(told('most'), [`${outage}; no downtime by the rule most`]);
  assert.deepEqual(seenBySome(viewBy('all', during('x'), during('x')), at(0)), []);
  assert.deepEqual(seenBySome(viewBy('any', during('x'), fine), at(30)), [], 'before the application was verified');
});
