import assert from 'node:assert/strict';
import type { Host, HttpRequest, HttpResponse } from '../../src/host/host.ts';
import { total } from '../../src/host/load/tally.ts';
import { leadSeconds } from '../../src/validation/load-job/load-job.ts';
import { load } from '../../src/validation/scenarios/load.ts';
import { probeProgram } from './probe-program.ts';
import { scenarioRun } from './scenario-run.ts';

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

/** What was measured of a load by that many workers. */
export interface Scaled {
  readonly workers: number;
  readonly asked: number;
  /** Answers, failures and requests not sent. */
  readonly counted: number;
  readonly sound: number | undefined;
  readonly [figure: string]: unknown;
}

/**
 * The load scenario from so many pods on an embedded cluster, in virtual time: how long the Job, the start and the
 * reports take, and what the run and the API server exchange for it.
 */
export async function loadAtScale(workers: number, requestsEach: number): Promise<Scaled> {
  const ends: (() => void)[] = [];
  try {
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
    const { row } = await scenarioRun({ after: (end) => void ends.push(end as () => void) }, load, {
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
    const { created = 0, log = 0 } = traffic.firstAt;
    const startAt = traffic.lastToldAt;
    return {
      workers,
      asked: requests,
      counted: total(statuses) + total(errors as Record<string, number>) + unsent,
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
    };
  } finally {
    for (const end of ends) end();
  }
}

// By itself, and not in a test: node:test follows every promise, which takes longer than the simulation.
if (import.meta.main)
  process.stdout.write(`${JSON.stringify(await loadAtScale(Number(process.argv[2]), Number(process.argv[3])))}\n`);
