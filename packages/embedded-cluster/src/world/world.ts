import { type ApiServer, createApiServer, type SavedApiServer } from '../api-server/api-server.ts';
import { textResponse } from '../api-server/responses.ts';
import { type CloudApi, createCloudApi } from '../cloud-api/cloud-api.ts';
import { controllers } from '../controllers/index.ts';
import type { DataPlane } from '../data-plane/data-plane.ts';
import { createRequestPath, nameServer } from '../data-plane/request-path.ts';
import { createZone, type SavedZone, type Zone } from '../dns/zone.ts';
import { frontDoors } from '../front-doors/index.ts';
import { type CpuMeter, createCpuMeter } from '../machines/cpu-meter.ts';
import { createLoadBalancers, type LoadBalancer, type LoadBalancers } from '../machines/load-balancers.ts';
import { createMachines, type Machines, type SavedMachines } from '../machines/machines.ts';
import { type Cache, createCache } from '../objects/cache.ts';
import type { Clock } from '../outside/clock.ts';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import type { RandomStreams } from '../outside/random.ts';
import type { ContainerProgram } from '../programs/program.ts';
import { type Programs, runPrograms } from '../programs/run-programs.ts';
import { fieldManagerOf } from '../setup/field-manager.ts';
import { healthy, type Setup } from '../setup/setup.ts';
import type { Installed, Site } from '../setup/site.ts';
import { regionOf } from '../setup/surroundings.ts';
import { type DelayName, draw } from '../time/delays.ts';
import { createMetricsApi, type MetricsApi } from './metrics-api.ts';
import { populate } from './populate.ts';
import { storageClasses } from './storage-classes.ts';
import { watchedKinds } from './watched-kinds.ts';

/** The embedded cluster: an API server, the controllers, the machines, the cloud's APIs, DNS and the request path. */
export interface World {
  /** `us-east-1`. */
  readonly region: string;
  readonly apiServer: ApiServer;
  /** Sends an HTTP request to the API server, through the mutating webhook of the setup. */
  readonly api: (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>;
  readonly cloudApi: CloudApi;
  readonly machines: Machines;
  readonly zone: Zone;
  readonly loadBalancers: LoadBalancers;
  /** Throws before the world has started. */
  readonly dataPlane: () => DataPlane;
  /** Starts the controllers. Fulfilled at once for a saved world; for a new one once it is populated and settled. */
  start(): Promise<void>;
  /** Rejects when a part of the embedded cluster throws, which is a defect of this package. */
  readonly failure: Promise<never>;
  save(): SavedWorld;
  close(): void;
}

export interface SavedWorld {
  readonly version: 1;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly apiServer: SavedApiServer;
  readonly machines: SavedMachines;
  readonly loadBalancers: readonly LoadBalancer[];
  readonly zone: SavedZone;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly random: RandomStreams;
  readonly setup?: Setup | undefined;
  /** Nodes of other teams, with ten pods each. */
  readonly tenantNodes?: number | undefined;
  readonly saved?: SavedWorld | undefined;
  /** What containers really run. */
  readonly program?: ContainerProgram | undefined;
}

/** Longer than the slowest part of a new cluster takes: a load balancer and the health checks of its targets. */
export const settlingSeconds = 300;

/** The time in which the first machines, which have booted already, register their Nodes. */
const nodesReadySeconds = 5;

interface Parts extends WorldOptions {
  readonly setup: Setup;
  readonly apiServer: ApiServer;
  readonly machines: Machines;
  readonly zone: Zone;
  readonly loadBalancers: LoadBalancers;
  readonly meter: CpuMeter;
  readonly ended: AbortController;
  readonly failed: (error: unknown) => void;
}

export function createWorld(options: WorldOptions): World {
  const { promise: failure, reject: failed } = Promise.withResolvers<never>();
  failure.catch(() => undefined);
  const parts = assemble(options, failed);
  const metricsApi = metricsOf(parts);
  const region = regionOf(parts.setup.surroundings);
  let dataPlane: DataPlane | undefined;
  const startedDataPlane = (): DataPlane => {
    if (dataPlane === undefined) throw new Error('the world has not started');
    return dataPlane;
  };
  const programs = runPrograms({ ...parts, dataPlane: startedDataPlane });
  return {
    apiServer: parts.apiServer,
    api: (request, signal) =>
      metricsApi.handle(request) ??
      unservedKarpenter(request, parts.setup) ??
      programs.answer(request, parts.apiServer.handle(admitted(request, parts.setup), signal), signal),
    region,
    cloudApi: createCloudApi({ ...parts, region, now: () => options.clock.wallAt(), nameServer: nameServer.name }),
    machines: parts.machines,
    zone: parts.zone,
    loadBalancers: parts.loadBalancers,
    dataPlane: startedDataPlane,
    failure,
    start: async () => {
      dataPlane = await start(parts, programs);
      if (options.saved !== undefined) return;
      const { setup, machines, apiServer } = parts;
      const settledAtSeconds = options.clock.monotonicSeconds() + settlingSeconds;
      await populate(machines, apiServer.cluster, {
        setup,
        tenantNodes: options.tenantNodes ?? 0,
        random: options.random('tenants'),
        now: () => options.clock.wallAt(),
        nodesAreReady: () => options.clock.sleep(nodesReadySeconds),
      });
      await options.clock.sleep(settledAtSeconds - options.clock.monotonicSeconds());
    },
    save: () => save(parts),
    close: () => parts.ended.abort(),
  };
}

function metricsOf(parts: Parts): MetricsApi {
  const scrapeSeconds = parts.setup.delays.metricsScrape.seconds[0];
  return createMetricsApi({ ...parts, cluster: parts.apiServer.cluster('system:metrics-server'), scrapeSeconds });
}

/** The answer of an API server for Karpenter's kinds if their definitions are not installed. */
function unservedKarpenter({ url }: HttpRequest, { surroundings }: Setup): Promise<HttpResponse> | undefined {
  if (surroundings.nodeGroup === undefined || !/^[^/]+\/\/[^/]+\/apis\/karpenter\./.test(url)) return undefined;
  return Promise.resolve(
    textResponse(404, () => '404 page not found\n', { 'content-type': 'text/plain; charset=utf-8' }),
  );
}

function assemble(options: WorldOptions, failed: (error: unknown) => void): Parts {
  const { clock, random, saved } = options;
  const setup = options.setup ?? healthy;
  const now = () => clock.wallAt();
  const delayFrom = (stream: string) => (name: DelayName) => draw(setup.delays[name], random(stream));
  const machines = createMachines(
    { now, region: regionOf(setup.surroundings), random: random('machines'), delay: delayFrom('machines') },
    saved?.machines,
  );
  const apiServer = createApiServer({ clock, random, initial: storageClasses });
  if (saved !== undefined) apiServer.load(saved.apiServer);
  const loadBalancers = createLoadBalancers(now, saved?.loadBalancers);
  return {
    ...options,
    setup,
    apiServer,
    machines,
    zone: createZone({
      name: setup.surroundings.zone,
      now,
      negativeTtlSeconds: setup.negativeTtlSeconds,
      propagationSeconds: () => delayFrom('zone')('zonePropagation'),
      resolveAlias: loadBalancers.answer,
      saved: saved?.zone,
    }),
    loadBalancers,
    meter: createCpuMeter(now, setup.delays.metricsScrape.seconds[0]),
    ended: new AbortController(),
    failed,
  };
}

async function start(parts: Parts, programs: Programs): Promise<DataPlane> {
  const { apiServer, ended, failed } = parts;
  const cache = await createCache(apiServer.cluster('system:informer'), watchedKinds, ended.signal, failed);
  const after = (seconds: number, work: () => void) => later(parts, seconds, work);
  const region = regionOf(parts.setup.surroundings);
  const door = frontDoors[parts.setup.surroundings.frontDoor];
  const dataPlane = createRequestPath({ ...parts, door, now: () => parts.clock.wallAt(), region, after }, cache);
  for (const installed of controllers({ ...parts, region, programs })) {
    installed.controller.run(siteOf(parts, cache, installed), ended.signal);
  }
  return dataPlane;
}

function siteOf(parts: Parts, cache: Cache, installed: Installed): Site {
  const { controller, program } = installed;
  const { clock, machines, setup, ended } = parts;
  const random = parts.random(streamOf(controller.name, parts.saved));
  return {
    cluster: parts.apiServer.cluster(`system:${controller.name}`, fieldManagerOf(installed)),
    cache,
    now: () => clock.wallAt(),
    after: (seconds, work) => later(parts, seconds, work),
    random,
    delay: (name) => draw(setup.delays[name], random),
    running: () => !ended.signal.aborted && (program === undefined || machines.running(program).length > 0),
    failed: parts.failed,
  };
}

/** A controller of a saved world draws from a new stream: the same numbers would give names that are taken. */
const streamOf = (name: string, saved: SavedWorld | undefined): string =>
  saved === undefined ? name : `${name} from ${saved.at}`;

function later({ clock, ended, failed }: Parts, seconds: number, work: () => void): void {
  clock
    .sleep(seconds, ended.signal)
    .then(work)
    .catch((error) => {
      if (!ended.signal.aborted) failed(error);
    });
}

function save({ clock, apiServer, machines, loadBalancers, zone }: Parts): SavedWorld {
  return {
    version: 1,
    at: clock.wallAt(),
    apiServer: apiServer.save(),
    machines: machines.save(),
    loadBalancers: loadBalancers.save(),
    zone: zone.save(),
  };
}

/**
 * Sends JSON bodies through the webhook; one that it leaves unchanged, such as a patch without a kind, keeps its text.
 * YAML bypasses it.
 */
function admitted(request: HttpRequest, { admit }: Setup): HttpRequest {
  const { body } = request;
  if (body === undefined || !body.startsWith('{')) return request;
  const sent = objectIn(body);
  const changed = sent && admit(sent);
  return changed === sent ? request : { ...request, body: JSON.stringify(changed) };
}

/** The object that a body is; undefined for any other text, which the API server refuses. */
function objectIn(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
