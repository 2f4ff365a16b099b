import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { judgeRun } from '../../../src/validation/judge/judge-run.ts';
import type { LogView } from '../../../src/validation/judge/log-view.ts';
import { readLog } from '../../../src/validation/judge/read-run.ts';
import type { WatchedKind } from '../../../src/validation/record/digest.ts';
import type { ValidationFact } from '../../../src/validation/record/events.ts';
import { runFiles } from '../../../src/validation/record/run-folder.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { downtime } from '../../support/results.ts';
import { sharedRun } from '../../support/shared-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The whole run from which each test takes evidence away. */
const files = quietHost().files;

async function theRun() {
  const run = await sharedRun();
  const log = await readLog(files, run.folder);
  return { run, log, text: readFileSync(join(run.folder, runFiles.downtimeLog), 'utf8') };
}

/** The numbers of the criteria that are met. */
function met(facts: readonly ValidationFact[], log: LogView): readonly number[] {
  const result = judgeRun(facts, log);
  assert.ok(result);
  return result.criteria.filter(({ outcome }) => outcome === 'met').map(({ number }) => number);
}

const isOf = (fact: ValidationFact, kinds: readonly WatchedKind[]): boolean =>
  (fact.type === 'cluster-changed' || fact.type === 'cluster-watched') && kinds.includes(fact.kind);

/**
 * The criteria that need each kind of evidence (docs/contract.md, "The evidence of a criterion"): none of them may be
 * met without it.
 */
const streams: readonly { readonly kinds: readonly WatchedKind[]; readonly needed: readonly number[] }[] = [
  { kinds: ['Pod'], needed: [1, 2, 3, 5, 6] },
  { kinds: ['NodeClaim'], needed: [3, 4, 5, 6] },
  { kinds: ['Node'], needed: [3, 4, 5, 6] },
  { kinds: ['EndpointSlice'], needed: [4] },
  { kinds: ['NodePool'], needed: [4] },
];

test('a criterion is not met without its evidence, nor when the watch recorded nothing', async () => {
  const { run, log } = await theRun();
  assert.deepEqual(met(run.facts, log), [1, 2, 3, 4, 5, 6]);
  for (const { kinds, needed } of streams) {
    const without = run.facts.filter((fact) => !isOf(fact, kinds));
    const silent = run.facts.filter((fact) => !(isOf(fact, kinds) && fact.type === 'cluster-changed'));
    const unsaid = run.facts.filter((fact) => !(isOf(fact, kinds) && fact.type === 'cluster-watched'));
    for (const facts of [without, silent, unsaid]) {
      const wrongly = met(facts, log).filter((number) => needed.includes(number));
      assert.deepEqual(wrongly, [], `${kinds}: ${facts.length} of ${run.facts.length} facts`);
    }
  }
});

test('a gap in the evidence leaves open what happened meanwhile', async () => {
  const { run, log } = await theRun();
  const { facts } = run;
  const settled = facts.findIndex((fact) => fact.type === 'scenario-settled' && fact.scenario === 'disruption-budget');
  const { at = '' } = facts[settled] ?? {};
  const silence = (kind: WatchedKind): readonly ValidationFact[] => [
    { at, type: 'cluster-unwatched', kind, since: at },
    { at, type: 'cluster-watched', kind },
  ];
  for (const { kinds, needed } of streams) {
    const gap = kinds.flatMap(silence);
    const wrongly = met([...facts.slice(0, settled), ...gap, ...facts.slice(settled)], log);
    // In the windows of the other scenarios there was evidence.
    const still = [1, 2, 3].filter((number) => needed.includes(number));
    assert.deepEqual(
      wrongly.filter((number) => needed.includes(number)),
      still,
      `${kinds}`,
    );
  }
});

const noLog: LogView = {
  outages: [],
  episodes: [],
  downtimeIn: () => downtime({ samples: 0 }),
};

test('without the downtime log no expectation about traffic is met, and the run is no pass', async () => {
  const { run } = await theRun();
  assert.deepEqual(met(run.facts, noLog), [4, 6]);
  assert.equal(judgeRun(run.facts, noLog)?.verdict, 'inconclusive');
});

test('a log that ends within a window leaves that window and all later ones open', async (t) => {
  const { run, text } = await theRun();
  const drain = run.result.scenarios.find(({ name }) => name === 'node-drain');
  const cutAt = (Date.parse(drain?.window?.from ?? '') + Date.parse(drain?.window?.to ?? '')) / 2;
  const folder = temporaryFolder(t);
  const kept = text.split('\n').filter((line) => line.startsWith('#') || Date.parse(line.split(' ')[0] ?? '') < cutAt);
  writeFileSync(join(folder, runFiles.downtimeLog), kept.join('\n'));
  assert.deepEqual(met(run.facts, await readLog(files, folder)), [1, 4, 6]);
});

test('a damaged line of any kind and place is reported, and makes neither a pass nor a failure', async () => {
  const { run, log } = await theRun();
  const { facts } = run;
  const places = [...Map.groupBy(facts.keys(), (index) => JSON.stringify([facts[index]?.type, kindOf(facts[index])]))]
    .flatMap(([, [first = 0, ...more]]) => [first, more.at(-1) ?? first])
    .filter((index) => index > 0);
  assert.ok(places.length > 40);
  for (const index of places) {
    const result = judgeRun(facts.with(index, { at: facts[index - 1]?.at ?? '', type: 'line-damaged' }), log);
    const what = `${facts[index]?.type} ${kindOf(facts[index])}`;
    assert.ok(
      result?.findings.some(({ id }) => id === 'damaged-journal'),
      what,
    );
    assert.equal(result?.verdict, facts[index]?.type === 'action-undone' ? 'error' : 'inconclusive', what);
    assert.ok(!result?.criteria.some(({ outcome }) => outcome === 'not-met'), what);
  }
});

const kindOf = (fact: ValidationFact | undefined): string =>
  fact !== undefined && 'kind' in fact ? fact.kind : fact !== undefined && 'scenario' in fact ? `${fact.scenario}` : '';

test('a scenario without a window, or without its actions, meets no expectation', async () => {
  const { run, log } = await theRun();
  const without = (...types: readonly string[]) => run.facts.filter(({ type }) => !types.includes(type));
  assert.deepEqual(met(without('window-opened'), log), []);
  assert.deepEqual(met(without('window-closed'), log), []);
  assert.deepEqual(met(without('action-intended'), log), []);
});
