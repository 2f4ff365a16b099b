import { textResponse } from './api-server/responses.ts';
import type { DataPlane } from './data-plane/data-plane.ts';
import { setupWith } from './defects.ts';
import type { Zone } from './dns/zone.ts';
import type { Cluster } from './kubernetes/cluster.ts';
import { type Listening, type ListenOptions, listen } from './listen/listen.ts';
import { realTimeWorld } from './listen/real-time-world.ts';
import type { Machines } from './machines/machines.ts';
import type { OwnBehaviours } from './machines/own-behaviours.ts';
import type { Clock } from './outside/clock.ts';
import type { HttpRequest, HttpResponse } from './outside/http.ts';
import { type RandomStreams, randomStreams } from './outside/random.ts';
import type { ContainerProgram } from './programs/program.ts';
import type { Setup } from './setup/setup.ts';
import type { Surroundings } from './setup/surroundings.ts';
import { type VirtualClock, virtualClock } from './time/clock.ts';
import { atPace, type Delays } from './time/delays.ts';
import { realClock } from './time/real-clock.ts';
import { applyObjects, type Written } from './world/apply-objects.ts';
import { createWorld, type SavedWorld, settlingSeconds } from './world/world.ts';

export interface ClusterOptions {
  /** The same seed and the same requests give the same cluster, byte for byte. */
  readonly seed?: string;
  /** The instant (epoch milliseconds) at which the first `run` begins, five minutes after the cluster was made. */
  readonly startAt?: number;
  /** Nodes of other teams, with ten pods each. */
  readonly nodes?: number | undefined;
  /** What is applied at the start, as `kubectl create` does; a refused object is an error of the first `run`. */
  readonly manifests?: readonly Written[];
  /** Names of `defects`; an unknown one is a `RangeError`. */
  readonly defects?: readonly string[];
  /** How long something takes, instead of the measured times. */
  readonly delays?: Partial<Delays>;
  /** Every delay at its shortest, or at its longest; absent: drawn. */
  readonly pace?: 'fastest' | 'slowest';
  /** The names of the cluster's parts. */
  readonly surroundings?: Surroundings | undefined;
  /** How the containers of the manifests behave. */
  readonly own?: OwnBehaviours | undefined;
  /** The programs that containers really run; without it all containers are modelled. */
  readonly program?: ContainerProgram | undefined;
  /** A cluster as `save` returned it: it goes on at its instant. */
  readonly saved?: SavedWorld | undefined;
}

/** A cluster in virtual time: it stands still, but for what happens in `run`, `runFor` and `runUntil`. */
export interface EmbeddedCluster {
  /** `us-east-1`. */
  readonly region: string;
  readonly clock: VirtualClock;
  /** Random numbers of the cluster's seed, for streams of the caller. */
  readonly random: RandomStreams;
  /**
   * Starts the cluster, if it has not started, and runs it until `main` has ended. Rejects with the error of a part of
   * the cluster.
   */
  run<T>(main: () => Promise<T>): Promise<T>;
  runFor(seconds: number): Promise<void>;
  /** Runs until the condition holds, which is asked once a second; an error after `withinSeconds` (ten minutes). */
  runUntil(condition: () => Promise<boolean> | boolean, withinSeconds?: number): Promise<void>;
  /** The Kubernetes API: answers by the path and the query of the URL. A watch ends when the signal is aborted. */
  api(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
  /** The same API as typed verbs without HTTP, for that user and field manager. */
  kubernetes(user: string, fieldManager?: string): Cluster;
  /** EC2 and Route 53 at their own URLs; undefined for any other URL. */
  cloudApi(request: HttpRequest): HttpResponse | undefined;
  /** One GET of a visitor, along the whole way: DNS, load balancer, node, ingress controller, Service, pod. */
  readonly get: DataPlane['get'];
  /** DNS as a visitor asks it. */
  readonly resolve: DataPlane['resolve'];
  /** What would happen to new requests to that address now. */
  readonly truth: DataPlane['truth'];
  /** The instances and their containers, as they are and not as the API says: to look at them, and to break them. */
  readonly machines: Machines;
  /** The hosted zone. */
  readonly zone: Zone;
  /** Serves the cluster on loopback, in real time from now on; `run` is over then. */
  listen(options?: ServeOptions): Promise<Served>;
  /** The whole state as JSON. */
  save(): SavedWorld;
  /** Ends everything in the cluster. */
  close(): void;
}

export interface ServeOptions extends Pick<ListenOptions, 'namespaceFolder' | 'requireReachable'> {
  /** The clock of the served cluster; by default real time, from the cluster's own instant on. */
  readonly clock?: Clock;
}

export interface Served extends Listening {
  /** Rejects with the error of a part of the cluster. */
  readonly failure: Promise<never>;
}

/** The first `run` of every cluster begins at this instant, so that the same seed gives the same bytes on any day. */
export const usualStartAt = Date.parse('2026-01-01T00:00:00.000Z');

/** A cluster of its own: an API server, controllers, machines, the cloud's APIs, DNS and the way of a request. */
export function createCluster(options: ClusterOptions = {}): EmbeddedCluster {
  const { seed = '1', startAt = usualStartAt, nodes, manifests = [], saved, program } = options;
  const setup = setupOf(options);
  const clock = virtualClock(saved?.at ?? startAt - 1000 * settlingSeconds);
  const random = randomStreams(seed);
  const world = createWorld({ clock, random, setup, tenantNodes: nodes, saved, program });
  let started: Promise<void> | undefined;
  const start = () => (manifests.length === 0 ? world.start() : world.start().then(() => apply(world.api, manifests)));
  const run = <T>(main: () => Promise<T>) =>
    clock.run(() => {
      started ??= start();
      return Promise.race([world.failure, started.then(main)]);
    });
  const close = () => {
    world.close();
    clock.close();
  };
  return {
    region: world.region,
    clock,
    random,
    run,
    runFor: (seconds) => run(() => clock.sleep(seconds)),
    runUntil: (condition, withinSeconds = 600) => run(() => until(clock, condition, withinSeconds)),
    api: world.api,
    kubernetes: (user, fieldManager) => admitting(setup, world.apiServer.cluster(user, fieldManager)),
    cloudApi: (request) => {
      const answer = world.cloudApi.handle(request);
      return answer && textResponse(answer.status, () => answer.body, { 'content-type': 'text/xml' });
    },
    get: (url, how) => world.dataPlane().get(url, how),
    resolve: (query) => world.dataPlane().resolve(query),
    truth: (address, request) => world.dataPlane().truth(address, request),
    machines: world.machines,
    zone: world.zone,
    save: world.save,
    listen: async (how = {}) => {
      // As plain JSON, so that the served cluster does not share frozen objects with this one.
      const left = await run(async () => JSON.parse(JSON.stringify(world.save())) as SavedWorld);
      close();
      return serve({ seed, setup, program, saved: left }, how);
    },
    close,
  };
}

function setupOf({ defects = [], surroundings, own, delays, pace }: ClusterOptions): Setup {
  const setup = setupWith(defects, surroundings, own);
  const all = { ...setup.delays, ...delays };
  return { ...setup, delays: pace === undefined ? all : atPace(all, pace) };
}

async function apply(api: EmbeddedCluster['api'], manifests: readonly Written[]): Promise<void> {
  const answers = await applyObjects(api, manifests, 'default');
  const refused = answers.flatMap((answer, index) => {
    if (answer.outcome !== 'refused' && answer.outcome !== 'unknown-kind') return [];
    const { kind, metadata } = manifests[index] as Written;
    const causes = answer.outcome === 'refused' ? answer.causes : [{ field: '', message: 'no such kind' }];
    return causes.map(({ field, message }) => `${kind} ${metadata.name}: ${field} ${message}`);
  });
  if (refused.length > 0) throw new Error(`the API server refused manifests:\n${refused.join('\n')}`);
}

async function until(
  clock: VirtualClock,
  condition: () => Promise<boolean> | boolean,
  withinSeconds: number,
): Promise<void> {
  const endsAtSeconds = clock.monotonicSeconds() + withinSeconds;
  while (!(await condition())) {
    if (clock.monotonicSeconds() >= endsAtSeconds) throw new Error(`not so within ${withinSeconds} s: ${condition}`);
    await clock.sleep(1);
  }
}

/** The mutating webhook of the setup changes what a client writes. */
const admitting = ({ admit }: Setup, cluster: Cluster): Cluster => ({
  ...cluster,
  create: (resource) => cluster.create(admit(resource)),
  apply: (resource, options) => cluster.apply(admit(resource), options),
});

interface Left {
  readonly seed: string;
  readonly setup: Setup;
  readonly program: ContainerProgram | undefined;
  readonly saved: SavedWorld;
}

async function serve(left: Left, { clock = realClock(left.saved.at), ...how }: ServeOptions): Promise<Served> {
  const real = await realTimeWorld({ ...left, clock });
  try {
    // Certificates are for programs whose clock is the machine's.
    const listening = await listen({ world: real.world, at: realClock().wallAt(), ...how });
    const close = () => {
      listening.close();
      real.close();
    };
    return { ...listening, failure: real.world.failure, close };
  } catch (error) {
    real.close();
    throw error;
  }
}
