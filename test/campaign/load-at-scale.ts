import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host, HttpRequest, HttpResponse } from '../../src/host/host.ts';
import { withoutHistogram } from '../../src/host/load/merge.ts';
import { shareOf } from '../../src/host/load/shares.ts';
import { tally, total } from '../../src/host/load/tally.ts';
import { reportLine, terminationMessage, type WorkerReport } from '../../src/host/load/worker.ts';
import { leadSeconds } from '../../src/validation/load-job/load-job.ts';
import { outcomeOf } from '../../src/validation/load-job/outcome.ts';
import { readReport } from '../../src/validation/load-job/read-report.ts';
import { load } from '../../src/validation/scenarios/load.ts';
import { probeProgram } from '../support/probe-program.ts';
import { scenarioRun } from '../support/scenario-run.ts';

/**
 * The load scenario from so many pods on an embedded cluster, in virtual time: how long the Job, the start and the reports take there, and how many
 * requests and bytes the run and the API server exchange for it. WORKERS and REQUESTS name other sizes. docs/scale.md has the figures.
 */
const sizes = (process.env.WORKERS ?? '10,100,1000').split(',').map(Number);
const requestsEach = Number(process.env.REQUESTS ?? 20);
/** Pods that fit on one node of the other team, beside its ten. */
const podsOfNode = 19;

/** What the run exchanges with the API server for its load. */
interface Traffic {
  told: number;
  lastToldAt: number;
  logs: number;
  logBytes: number;
  watchEvents: number;
  watchBytes: number;
  firstAt: { created?: number; log?: number };
  lastLogAt: number;
}

function counting(traffic: Traffic) {
  return (host: Host): Host => ({
    ...host,
    http: async (request, signal) => {
      const response = await host.http(request, signal);
      return count[whatOf(request)]?.(traffic, host.clock.wallAt(), response) ?? response;
    },
  });
}

type Count = (traffic: Traffic, at: number, response: HttpResponse) => HttpResponse | undefined;

const count: Readonly<Record<string, Count>> = {
  create: (traffic, at) => void Object.assign(traffic.firstAt, { created: at }),
  tell: (traffic, at) => void Object.assign(traffic, { told: traffic.told + 1, lastToldAt: at }),
  log: (traffic, at, response) => {
    traffic.firstAt.log ??= at;
    traffic.lastLogAt = at;
    return {
      ...response,
      text: async () => {
        const text = await response.text();
        traffic.logs += 1;
        traffic.logBytes += text.length;
        return text;
      },
    };
  },
  watch: (traffic, _at, response) => ({ ...response, chunks: () => counted(response.chunks(), traffic) }),
};

async function* counted(chunks: AsyncIterable<Uint8Array>, traffic: Traffic): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    traffic.watchBytes += chunk.length;
    for (const byte of chunk) if (byte === 10) traffic.watchEvents += 1;
    yield chunk;
  }
}

function whatOf({ method, url }: HttpRequest): string {
  if (method === 'POST' && url.endsWith('/jobs')) return 'create';
  if (method === 'PATCH' && url.includes('/pods/holdfast-load-')) return 'tell';
  if (/\/pods\/holdfast-load-[^/]+\/log\?/.test(url)) return 'log';
  return url.includes('watch=') && url.includes('component%3Dload') ? 'watch' : '';
}

for (const workers of sizes)
  test(`${workers} workers with ${requestsEach} requests each`, async (t) => {
    const traffic: Traffic = {
      told: 0,
      lastToldAt: 0,
      logs: 0,
      logBytes: 0,
      watchEvents: 0,
      watchBytes: 0,
      firstAt: {},
      lastLogAt: 0,
    };
    const begun = process.cpuUsage();
    const worker = {
      image: 'holdfast',
      cpu: '1m',
      memory: '1Mi',
      nodeSelector: 'eks.amazonaws.com/nodegroup=tenants',
      tolerations: [{ operator: 'Exists' as const }],
      startWithin: 3600,
    };
    const requests = workers * requestsEach + 1;
    const { row } = await scenarioRun(t, load, {
      settings: { load: { requests, concurrency: Math.max(workers, 500), workers, worker } },
      world: { tenantNodes: Math.ceil(workers / podsOfNode), program: probeProgram() },
      through: counting(traffic),
    });
    const { user, system } = process.cpuUsage(begun);
    const {
      statuses,
      errors,
      unsent = 0,
      seconds,
      workers: seen,
    } = row.load ?? assert.fail(JSON.stringify(row.findings));
    assert.equal(total(statuses) + total(errors as Record<string, number>) + unsent, requests);
    const { created = 0, log = 0 } = traffic.firstAt;
    const startAt = traffic.lastToldAt;
    t.diagnostic(
      JSON.stringify({
        workers,
        requests,
        sound: seen?.sound,
        unsent,
        toRunningAndToldSeconds: (startAt - created) / 1000,
        leadSeconds: leadSeconds(workers),
        startSpreadSeconds: seen?.startSpreadSeconds,
        loadSeconds: seconds,
        logsSeconds: (traffic.lastLogAt - log) / 1000,
        told: traffic.told,
        logs: traffic.logs,
        logKilobytes: Math.round(traffic.logBytes / 1024),
        watchEvents: traffic.watchEvents,
        watchKilobytes: Math.round(traffic.watchBytes / 1024),
        cpuSeconds: (user + system) / 1e6,
        mebibytes: Math.round(process.memoryUsage().rss / 1024 ** 2),
        amiss: seen?.amiss.slice(0, 3),
      }),
    );
  });

/** Times whose logarithm is normal around 5 ms, by a generator that is the same on every machine (Park and Miller). */
function drawnSeconds(): () => number {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return () => 0.005 * Math.exp(0.7 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()));
}

test('10,000,000 answers of 10,000 workers are added from their reports to what one worker would have counted', (t) => {
  const plan = { url: 'http://app.example.com/', requests: 10_000_000, concurrency: 10_000, timeoutSeconds: 10 };
  const workers = 10_000;
  const next = drawnSeconds();
  const one = tally(plan);
  const lines = Array.from({ length: workers }, (_, index) => {
    const { requests } = shareOf(plan, workers, index);
    const counted = tally({ requests, timeoutSeconds: plan.timeoutSeconds });
    for (let k = 0; k < requests; k += 1) {
      const seconds = next();
      counted.answered(200, seconds);
      one.answered(200, seconds);
    }
    const { startedAt, seconds, statuses, errors, histogram } = counted.end(0, 5);
    const told = { index, requests, startAt: 0, toldAt: 0 };
    return reportLine({
      ...{ holdfast: 'load-worker', version: 1, ...told, startedAt, seconds, statuses, errors, histogram },
    } as WorkerReport);
  });
  const begun = process.cpuUsage();
  const ends = lines.map((line, index) => ({ index, report: readReport(line) ?? assert.fail(line) }));
  const { workers: seen, ...outcome } = outcomeOf(plan, workers, ends, 0);
  const { user } = process.cpuUsage(begun);
  assert.deepEqual(outcome, withoutHistogram(one.end(0, 5)));
  assert.equal(seen?.sound, workers);
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  const short = ends.filter(({ report }) => readReport(terminationMessage(report))?.histogram !== null).length;
  t.diagnostic(
    JSON.stringify({ bytesOfReport: bytes / workers, fitTheTerminationMessage: short, cpuSeconds: user / 1e6 }),
  );
});
