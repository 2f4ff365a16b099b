import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbageCollector } from '../../src/controllers/garbage-collector.ts';
import { cronJob } from '../../src/jobs/cron-job.ts';
import type { CronJob, Job } from '../../src/kubernetes/batch.ts';
import { onStage, type Stage } from '../support/stage.ts';

const place = { name: 'report', namespace: 'default' };

/** Virtual time begins on the hour. */
function everyFiveMinutes(spec: Partial<CronJob['spec']> = {}): CronJob {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'shop/artisan' }] } } as const;
  const jobTemplate = { metadata: { labels: { app: 'report' } }, spec: { template } };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: place,
    spec: { schedule: '*/5 * * * *', jobTemplate, ...spec },
  };
}

const playing = (spec: Partial<CronJob['spec']>, play: (stage: Stage) => Promise<void>) =>
  onStage([cronJob, garbageCollector], [everyFiveMinutes(spec)], play);

const jobs = ({ cluster }: Stage) => cluster.list('Job', { namespace: 'default' });
/** The minutes past the hour for which Jobs are there. */
const minutes = async (stage: Stage) =>
  (await jobs(stage)).map(({ metadata }) => Number(metadata.name.split('-')[1]) % 60).sort((a, b) => a - b);
const status = async ({ cluster }: Stage) => (await cluster.get('CronJob', place))?.status ?? {};
const change = ({ cluster }: Stage, spec: object) =>
  cluster.patch('CronJob', place, { type: 'merge', value: { spec } });

/** As the Job controller ends a Job now. */
async function end(
  { cluster, clock }: Stage,
  { metadata }: Job,
  type: 'Complete' | 'Failed' = 'Complete',
): Promise<void> {
  const at = new Date(clock.wallAt()).toISOString();
  const conditions = [{ type, status: 'True', lastTransitionTime: at }];
  const value = { status: { startTime: at, conditions, ...(type === 'Complete' ? { completionTime: at } : {}) } };
  const where = { name: metadata.name, namespace: 'default' };
  await cluster.patch('Job', where, { type: 'merge', value }, { subresource: 'status' });
}
const endAll = async (stage: Stage, type?: 'Failed') => {
  for (const one of await jobs(stage)) if (one.status?.conditions === undefined) await end(stage, one, type);
};

test('a CronJob makes a Job of its template at each time of its schedule, and says which run', () =>
  playing({}, async (stage) => {
    const seconds = await stage.until(async () => (await jobs(stage)).length === 1);
    assert.ok(seconds >= 300 && seconds < 300.3, `${seconds} s`);
    const [job] = await jobs(stage);
    assert.equal(job?.metadata.name, `report-${Math.floor(Date.parse('2026-01-01T00:05:00Z') / 60_000)}`);
    assert.equal(job?.metadata.labels?.app, 'report');
    const annotation = job?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'];
    assert.equal(annotation, '2026-01-01T00:05:00Z');
    assert.equal(job?.metadata.ownerReferences?.[0]?.kind, 'CronJob');
    await stage.until(async () => (await status(stage)).lastScheduleTime === '2026-01-01T00:05:00Z');
    assert.deepEqual(
      (await status(stage)).active?.map(({ uid }) => uid),
      [job?.metadata.uid],
    );
    await endAll(stage);
    await stage.until(async () => (await status(stage)).active === undefined);
    assert.match((await status(stage)).lastSuccessfulTime ?? '', /^2026-01-01T00:05:0/);
    await stage.clock.sleep(600);
    assert.deepEqual(await minutes(stage), [5, 10, 15]);
  }));

test('its times are those of its time zone; a zone that does not exist is refused', async () => {
  await playing({ schedule: '50 5 * * *', timeZone: 'Asia/Kathmandu' }, async (stage) => {
    const seconds = await stage.until(async () => (await jobs(stage)).length === 1);
    assert.ok(seconds >= 300 && seconds < 300.3, `${seconds} s: 00:05 in UTC`);
  });
  await assert.rejects(
    playing({ timeZone: 'Europe/Nowhere' }, async () => {}),
    /spec.timeZone: Invalid value: "Europe\/Nowhere": unknown time zone Europe\/Nowhere/,
  );
});

test('Allow runs Jobs beside each other, Forbid waits for the last one, Replace takes it away', async () => {
  await playing({}, async (stage) => {
    await stage.clock.sleep(620);
    assert.equal((await status(stage)).active?.length, 2);
  });
  await playing({ concurrencyPolicy: 'Forbid' }, async (stage) => {
    await stage.clock.sleep(720);
    assert.deepEqual(await minutes(stage), [5]);
    await endAll(stage);
    await stage.until(async () => (await jobs(stage)).length === 2);
    assert.deepEqual(await minutes(stage), [5, 10], 'the time that was waited for is not lost');
  });
  await playing({ concurrencyPolicy: 'Replace' }, async (stage) => {
    await stage.clock.sleep(620);
    assert.deepEqual(await minutes(stage), [10]);
    assert.equal((await status(stage)).active?.length, 1);
  });
});

test('a time that came more than startingDeadlineSeconds ago is missed', () =>
  playing({ concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 60 }, async (stage) => {
    await stage.clock.sleep(720);
    await endAll(stage);
    await stage.clock.sleep(30);
    assert.deepEqual(await minutes(stage), [5]);
    await stage.clock.sleep(200);
    assert.deepEqual(await minutes(stage), [5, 15]);
  }));

test('a suspended CronJob makes no Job; resumed it makes that of the latest time alone', () =>
  playing({ suspend: true }, async (stage) => {
    await stage.clock.sleep(1000);
    assert.deepEqual(await jobs(stage), []);
    await change(stage, { suspend: false });
    await stage.clock.sleep(1);
    assert.deepEqual(await minutes(stage), [15]);
  }));

test('the last three Jobs that succeeded and the last one that failed are kept', () =>
  playing({}, async (stage) => {
    for (const type of [undefined, undefined, undefined, undefined, 'Failed', 'Failed'] as const) {
      await stage.clock.sleep(300.5);
      await endAll(stage, type);
    }
    await stage.clock.sleep(5);
    assert.deepEqual(await minutes(stage), [10, 15, 20, 30]);
    await change(stage, { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 });
    await stage.until(async () => (await jobs(stage)).length === 0);
  }));

test('a CronJob that is deleted takes its Jobs with it', () =>
  playing({}, async (stage) => {
    await stage.until(async () => (await jobs(stage)).length === 1);
    await stage.cluster.delete('CronJob', place);
    await stage.until(async () => (await jobs(stage)).length === 0);
  }));
