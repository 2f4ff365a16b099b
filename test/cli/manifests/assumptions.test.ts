import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, judgedAssumptions } from '../../../src/cli/manifests/assumptions.ts';
import type { Assumption } from '../../../src/validation/record/events.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const application = { kind: 'Deployment', namespace: 'default', name: 'api' };
const named = 'Deployment/api';

/**
 * What is asked, with the settings of each rehearsal; the verdict fails where that start of the workload's pods is
 * longer than 40 s.
 */
async function judged(rehearse: object, asked: Pick<Asked, 'isOnly'>) {
  const isDecidedByLoad = true;
  const settings = validationSchema.parse({ rehearse });
  const tried: (typeof settings)[] = [];
  const all: string[] = [];
  const verdictWith = async (changed: typeof settings) => {
    tried.push(changed);
    const { application: every, applications = {} } = changed.rehearse ?? {};
    const own = applications['Deployment/default/api'] ?? applications[named] ?? every;
    return (own?.start ?? 5) > 40 ? 'fail' : 'pass';
  };
  const judgements = judgedAssumptions(
    { application, named, settings, verdict: 'pass', isDecidedByLoad, ...asked },
    verdictWith,
    () => {},
  );
  for await (const { setting, value, turnsAt } of judgements)
    all.push(`${setting} ${value} ${turnsAt === null ? '-' : Object.values(turnsAt).join(' ')}`);
  return { all, tried };
}

test('of one application the setting of every workload is searched for where the verdict turns', async () => {
  const { all, tried } = await judged({}, { isOnly: true });
  assert.deepEqual(all, [
    'rehearse.application.start 5 41 fail',
    'rehearse.application.stop 1 -',
    'rehearse.application.pull 15 -',
    'rehearse.application.request 0.00005 -',
    'rehearse.application.sigterm true -',
    'rehearse.application.answers false -',
  ]);
  assert.ok(tried.every(({ rehearse }) => rehearse?.applications === undefined));
});

test('of several applications, and of one with settings of its own, only its own pods are changed', async () => {
  const every = { start: '3s', stop: '2s' };
  const several = await judged(
    { application: every, applications: { 'Deployment/web': { start: '9s' } } },
    { isOnly: false },
  );
  assert.equal(several.all[0], 'rehearse.applications.Deployment/api.start 3 41 fail');
  const own = await judged(
    { application: every, applications: { 'Deployment/default/api': { start: '7s' } } },
    { isOnly: true },
  );
  assert.deepEqual(own.all.slice(0, 2), [
    'rehearse.applications.Deployment/default/api.start 7 41 fail',
    'rehearse.applications.Deployment/default/api.stop 2 -',
  ]);
  for (const { rehearse } of [...several.tried, ...own.tried]) assert.equal(rehearse?.application?.start, 3);
  assert.ok(several.tried.every(({ rehearse }) => rehearse?.applications?.['Deployment/web']?.start === 9));
});

/** A run that fails, and does not if it ends within 10 s; of longer times every fourth does not fail either. */
async function judgedByChance() {
  const settings = validationSchema.parse({ rehearse: { application: { stop: '22s' } } });
  const seeds = new Set<number>();
  const verdictWith = async ({ rehearse }: typeof settings, laterSeed: number) => {
    seeds.add(laterSeed);
    const { stop = 0, answers } = rehearse?.application ?? {};
    return stop <= 10 || stop % 4 === 0 || (answers === true && laterSeed < 3) ? 'pass' : 'fail';
  };
  const all: Assumption[] = [];
  const asked = { application, named, settings, verdict: 'fail', isOnly: true, isDecidedByLoad: false } as const;
  for await (const one of judgedAssumptions(asked, verdictWith, () => {})) all.push(one);
  return { all, seeds };
}

test('where the run fails, a rehearsal that does not counts only if the nine beyond it do not fail either', async () => {
  const { all, seeds } = await judgedByChance();
  const of = (wanted: string) => all.find(({ name }) => name === wanted);
  assert.deepEqual(of('stop')?.turnsAt, { seconds: 10, verdict: 'pass' });
  const { byChanceAt = [] } = of('stop') ?? {};
  assert.ok([12, 20, 40, 80, 160, 320, 600].every((one) => byChanceAt.includes(one)));
  assert.ok(byChanceAt.every((one) => one > 10 && one % 4 === 0));
  assert.deepEqual(
    byChanceAt,
    byChanceAt.toSorted((one, other) => one - other),
  );
  assert.equal(of('answers')?.turnsAt, null);
  assert.deepEqual([...seeds].toSorted(), [0, 1, 2, 3]);
});

/** The load is rehearsed alone, and fails where a request costs more than 1.2 ms. */
async function ofRequests(verdict: 'pass' | 'fail' | 'inconclusive', isDecidedByLoad: boolean, request = '0.05ms') {
  const settings = validationSchema.parse({ rehearse: { application: { request } } });
  let ofLoad = 0;
  const verdictWith = async ({ rehearse }: typeof settings, _laterSeed: number, onlyLoad?: true) => {
    if (!onlyLoad) return verdict;
    ofLoad += 1;
    const { request: seconds = 0 } = rehearse?.application ?? {};
    // With 50 ms the application is too busy to come to rest.
    return seconds > 0.05 ? 'inconclusive' : seconds > 0.00121 ? 'fail' : 'pass';
  };
  const asked = { application, named, settings, verdict, isOnly: true, isDecidedByLoad } as const;
  for await (const one of judgedAssumptions(asked, verdictWith, () => {}))
    if (one.name === 'request') return { turnsAt: one.turnsAt, ofLoad };
  return undefined;
}

test('what a request costs is searched for by the load alone, in steps of 0.05 ms', async () => {
  assert.deepEqual((await ofRequests('pass', true))?.turnsAt, { seconds: 0.00125, verdict: 'fail' });
  assert.deepEqual((await ofRequests('inconclusive', true))?.turnsAt, { seconds: 0.00125, verdict: 'fail' });
  assert.deepEqual((await ofRequests('fail', true, '5ms'))?.turnsAt, { seconds: 0.0012, verdict: 'pass' });
});

test('what a request costs turns nothing where something else fails, or no load is made', async () => {
  assert.deepEqual(await ofRequests('fail', false), { turnsAt: null, ofLoad: 0 });
});
