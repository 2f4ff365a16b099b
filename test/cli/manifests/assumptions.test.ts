import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, judgedAssumptions } from '../../../src/cli/manifests/assumptions.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const application = { kind: 'Deployment', namespace: 'default', name: 'api' };
const named = 'Deployment/api';

/** What is asked, with the settings of each rehearsal; the verdict fails where that start of the workload's pods is longer than 40 s. */
async function judged(rehearse: object, asked: Pick<Asked, 'isOnly'>) {
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
    { application, named, settings, verdict: 'pass', ...asked },
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
