import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../../../src/host/host.ts';
import { total } from '../../../src/host/load/tally.ts';
import type { Rehearsal } from '../../../src/rehearsal/host.ts';
import type { ScenarioResult } from '../../../src/validation/judge/run-result.ts';
import { leadSeconds } from '../../../src/validation/load-job/load-job.ts';
import { load } from '../../../src/validation/scenarios/load.ts';
import { probeProgram } from '../../support/probe-program.ts';
import { type ScenarioRun, scenarioRun } from '../../support/scenario-run.ts';

const workers = { load: { requests: 20_001, concurrency: 500, workers: 4 } };

const world = { program: probeProgram() };

const loadOf = ({ load: result }: ScenarioResult) => result ?? assert.fail('no load');
const counted = (row: ScenarioResult): number => {
  const { statuses, errors, unsent = 0 } = loadOf(row);
  return total(statuses) + total(errors as Record<string, number>) + unsent;
};

test('four pods make the load together: their requests sum to those asked for, the histogram is that of all, and nothing is left', async (t) => {
  const { row, observed, result, rehearsal } = await scenarioRun(t, load, { world, settings: workers });
  const { statuses, latency, workers: seen, unsent } = loadOf(row);
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
  assert.deepEqual([statuses, unsent], [{ 200: 20_001 }, undefined]);
  assert.equal(
    latency.reduce((sum, { count }) => sum + count, 0),
    20_001,
  );
  assert.deepEqual([seen?.asked, seen?.sound, seen?.amiss], [4, 4, []]);
  assert.match(
    observed('requests-sent'),
    /every one was sent; 4 of 4 workers sent their share, started within 0\.\d\d s/,
  );
  assert.deepEqual(
    result.undo.filter(({ action }) => action === 'load-by-job').map(({ state }) => state),
    ['undone'],
  );
  const cluster = rehearsal.world.kubernetes('test');
  const labelSelector = 'app.kubernetes.io/component=load';
  assert.deepEqual(await cluster.list('Job', { labelSelector }), []);
  assert.deepEqual(await cluster.list('Pod', { labelSelector }), []);
  assert.deepEqual(result.replacements, []);
});

/**
 * Calls `on` with each request that tells a worker its start, and the number of that worker; its answer is waited for.
 */
function telling(on: (index: number, podKey: string, host: Host, rehearsal: Rehearsal) => Promise<void> | void) {
  return (host: Host, rehearsal: Rehearsal): Host => ({
    ...host,
    http: async (request, signal) => {
      const [, pod = '', index] = /\/pods\/(holdfast-load-\w+-(\d+)-\w+)$/.exec(request.url) ?? [];
      if (request.method === 'PATCH' && index !== undefined) await on(Number(index), `default/${pod}`, host, rehearsal);
      return host.http(request, signal);
    },
  });
}

const amiss = ({ row }: ScenarioRun) =>
  loadOf(row).workers?.amiss.map(({ index, what, requests, unsent }) => [index, what, requests, unsent]);

test('one worker that is killed and one that is started late are said, and their shares are not sent', async (t) => {
  const run = await scenarioRun(t, load, {
    world,
    settings: workers,
    through: telling(async (index, podKey, { clock }, { world: { machines } }) => {
      if (index === 2) await clock.sleep(leadSeconds(4) + 3);
      if (index !== 1) return;
      const kill = () => {
        const [container] = machines.containersOf(podKey);
        machines.crash(container?.id ?? '', 137);
      };
      void clock.sleep(leadSeconds(4) + 0.1).then(kill);
    }),
  });
  assert.deepEqual(amiss(run), [
    [1, 'lost', 5000, 5000],
    [2, 'late', 5000, 5000],
  ]);
  assert.equal(run.row.verdict, 'inconclusive');
  assert.deepEqual([loadOf(run.row).statuses, loadOf(run.row).unsent], [{ 200: 10_001 }, 10_000]);
  assert.match(run.observed('requests-sent'), /10000 were not sent \(50\.00 %\); 2 of 4 workers sent their share/);
  assert.match(run.observed('requests-sent'), /worker 1 was lost: .*137.*worker 2 was late: /);
});

test('where the log is not to be had the report is read from the termination message', async (t) => {
  const logs: number[] = [];
  const run = (isRefused: boolean) =>
    scenarioRun(t, load, {
      world,
      settings: { load: { requests: 2001, concurrency: 50, workers: 2 } },
      through: (host) => ({
        ...host,
        http: async (request, signal) => {
          const isLog = /\/pods\/holdfast-load-[^/]+\/log\?/.test(request.url);
          const response = await host.http(request, signal);
          if (isLog) logs.push(response.status);
          return isLog && isRefused ? { ...response, status: 403 } : response;
        },
      }),
    });
  const [byLog, byMessage] = [await run(false), await run(true)];
  assert.deepEqual(logs, [200, 200, 200, 200]);
  assert.deepEqual(loadOf(byMessage.row), loadOf(byLog.row));
  assert.deepEqual(loadOf(byLog.row).statuses, { 200: 2001 });
});

test('a worker whose pod is deleted says with its last words what it has sent', async (t) => {
  const run = await scenarioRun(t, load, {
    world,
    settings: workers,
    through: telling((index, podKey, { clock }, { world: cluster }) => {
      if (index !== 3) return;
      const [namespace = '', name = ''] = podKey.split('/');
      void clock.sleep(leadSeconds(4) + 0.2).then(() => cluster.kubernetes('test').delete('Pod', { namespace, name }));
    }),
  });
  const [[index, what, requests = 0, unsent = 0] = []] = amiss(run) as [number, string, number, number][];
  assert.deepEqual([index, what, requests], [3, 'stopped', 5000]);
  assert.ok(unsent > 0 && unsent < 5000, `${unsent}`);
  assert.equal(counted(run.row), 20_001);
});

test('workers that find no node are named with the scheduler’s reason, and the others make their shares', async (t) => {
  const worker = {
    image: 'holdfast',
    cpu: '1500m',
    memory: '256Mi',
    tolerations: [{ operator: 'Exists' as const }],
    startWithin: 60,
  };
  const settings = { load: { ...workers.load, workers: 6, worker } } as const;
  const run = await scenarioRun(t, load, { world, settings });
  assert.equal(run.row.verdict, 'inconclusive');
  assert.equal(counted(run.row), 20_001);
  const found = loadOf(run.row).workers;
  assert.ok((found?.sound ?? 0) > 0 && (found?.sound ?? 6) < 6, JSON.stringify(found));
  for (const { because } of found?.amiss ?? []) assert.match(because, /did not run within 60 s: .*Insufficient cpu/);
});
