import { createLoad } from '../../packages/embedded-cluster/src/data-plane/load.ts';
import { setupWith } from '../../packages/embedded-cluster/src/defects.ts';
import type { OwnBehaviours } from '../../packages/embedded-cluster/src/machines/own-behaviours.ts';
import type { EmbeddedProgram } from '../../packages/embedded-cluster/src/programs/program.ts';
import type { Surroundings } from '../../packages/embedded-cluster/src/setup/surroundings.ts';
import { type VirtualClock, virtualClock } from '../../packages/embedded-cluster/src/time/clock.ts';
import {
  createWorld,
  type SavedWorld,
  settlingSeconds,
  type World,
} from '../../packages/embedded-cluster/src/world/world.ts';
import { OperationError } from '../host/errors.ts';
import type { Appender, Files, Host, HttpRequest, HttpResponse } from '../host/host.ts';
import { randomStreams } from '../host/random.ts';
import { apiReachability, stallingClock } from './wire.ts';

/** A second host beside the real one: the embedded cluster, in virtual time. */
export interface Rehearsal {
  readonly host: Host;
  readonly world: World;
  /** Starts the world and runs `main`. By the host's clock `main` starts at `startAt`, or at the instant at which the world was saved. */
  run<T>(main: () => Promise<T>): Promise<T>;
  /** Kinds of real work that ran without `clock.hold`: a defect of the program. */
  readonly unheld: ReadonlySet<string>;
}

export interface RehearsalOptions {
  readonly seed: string;
  /** Files, terminal and signals are real; everything else belongs to the embedded cluster. */
  readonly real: Pick<Host, 'files' | 'out' | 'talk' | 'onSignal'>;
  /** Names from `defects.ts`; an unknown one is a `UsageError`. */
  readonly defects?: readonly string[] | undefined;
  /** Nodes of other teams, with ten pods each. */
  readonly tenantNodes?: number | undefined;
  /** Default: the names of the specification. */
  readonly surroundings?: Surroundings | undefined;
  readonly saved?: SavedWorld | undefined;
  /** How the containers of somebody's own manifests behave. */
  readonly own?: OwnBehaviours | undefined;
  /** What containers really run; without it all are modelled. */
  readonly program?: EmbeddedProgram | undefined;
}

/** Every rehearsal starts at this instant, so that the same seed gives the same bytes on any day. */
export const startAt = Date.parse('2026-01-01T00:00:00.000Z');

/** The URL of the embedded API server: the name that every cluster gives its own. */
export const apiServerUrl = 'https://kubernetes.default.svc';

export function rehearsalHost(options: RehearsalOptions): Rehearsal {
  const { seed, real, defects = [], tenantNodes, surroundings, saved, own, program } = options;
  const setup = setupWith(defects, surroundings, own);
  const clock = virtualClock(saved?.at ?? startAt - 1000 * settlingSeconds);
  const random = randomStreams(seed);
  const world = createWorld({ clock, random, setup, tenantNodes, saved, program });
  const requireReachable = apiReachability(clock, setup.wire);
  const host: Host = {
    ...real,
    clock: stallingClock(clock, setup.wire),
    random,
    files: heldFiles(real.files, clock),
    probe: world.probe,
    load: createLoad(clock, world.dataPlane),
    resolve: (query) => world.dataPlane().resolve(query),
    http: (request, signal) => http({ world, clock, requireReachable }, request, signal),
    input: { isTTY: false, line: async () => undefined, chunks: async function* () {} },
    exchange: ({ address }) =>
      Promise.reject(
        new OperationError({ tried: 'Connecting to', on: address, reason: 'nothing listens there in a rehearsal' }),
      ),
    run: ([program]) =>
      Promise.reject(
        new OperationError({
          tried: 'Running',
          on: program,
          reason: 'a rehearsal of the cluster starts no programs',
        }),
      ),
  };
  return {
    host,
    world,
    unheld: clock.unheld,
    run: async (main) => {
      try {
        return await clock.run(() => Promise.race([world.failure, world.start().then(main)]));
      } finally {
        world.close();
        clock.close();
      }
    },
  };
}

interface Network {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly requireReachable: (request: HttpRequest) => void;
}

async function http(
  { world, clock, requireReachable }: Network,
  request: HttpRequest,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const url = new URL(request.url);
  if (url.origin === apiServerUrl) {
    await clock.sleep(apiRoundTripSeconds, signal);
    requireReachable(request);
    return world.api(request, signal);
  }
  const fromCloud = world.cloudApi.handle(request);
  if (fromCloud !== undefined) {
    await clock.sleep(apiRoundTripSeconds, signal);
    return responseOf(fromCloud.status, fromCloud.body, 'text/xml');
  }
  const timeoutSeconds = request.timeoutSeconds ?? defaultTimeoutSeconds;
  const { response, error } = await world.dataPlane().get(url, { timeoutSeconds });
  if (response !== undefined) return responseOf(response.status, response.body);
  throw new OperationError({ tried: request.method, on: request.url, reason: `no answer (${error})` });
}

/** From the prober's machine to the API server or an AWS API in the same region. */
const apiRoundTripSeconds = 0.004;
const defaultTimeoutSeconds = 30;

function responseOf(status: number, body: string, type = 'text/html'): HttpResponse {
  return {
    status,
    headers: { 'content-type': type },
    text: async () => body,
    chunks: async function* () {
      yield new TextEncoder().encode(body);
    },
    discard: () => undefined,
  };
}

/**
 * Real files; virtual time stands still while they are read and written. Appended text is written synchronously, which needs no
 * hold.
 */
function heldFiles(files: Files, clock: VirtualClock): Files {
  const held = <T>(what: string, work: () => Promise<T>) => clock.hold(what, work);
  return {
    read: (path) => held(`reading ${path}`, () => files.read(path)),
    readUntrusted: (path, limits) => held(`reading ${path}`, () => files.readUntrusted(path, limits)),
    chunks: (path, fromByte) => heldChunks(files.chunks(path, fromByte), path, clock),
    open: async (path) => {
      const file = await held(`opening ${path}`, () => files.open(path));
      return { ...file, read: (from, to) => held(`reading ${path}`, () => file.read(from, to)) };
    },
    append: async (path, options) =>
      heldAppender(
        await held(`opening ${path}`, () => files.append(path, { ...options, synchronous: true })),
        path,
        clock,
      ),
    replace: (path, text, options) => held(`writing ${path}`, () => files.replace(path, text, options)),
    create: (path, text, options) => held(`creating ${path}`, () => files.create(path, text, options)),
    makeFolder: (path, options) => held(`creating the folder ${path}`, () => files.makeFolder(path, options)),
    list: (path) => held(`listing ${path}`, () => files.list(path)),
    stat: (path) => held(`reading the status of ${path}`, () => files.stat(path)),
    realPath: (path) => held(`resolving ${path}`, () => files.realPath(path)),
    freeSpace: (path) => held(`reading the free space of ${path}`, () => files.freeSpace(path)),
    link: (path, target) => held(`linking ${path}`, () => files.link(path, target)),
    rename: (from, to) => held(`renaming ${from}`, () => files.rename(from, to)),
    place: (from, to) => held(`placing ${to}`, () => files.place(from, to)),
    setModifiedAt: (path, at) => held(`changing the time of ${path}`, () => files.setModifiedAt(path, at)),
    setMode: (path, mode) => held(`changing the mode of ${path}`, () => files.setMode(path, mode)),
    truncate: (path, bytes) => held(`truncating ${path}`, () => files.truncate(path, bytes)),
    remove: (path) => held(`removing ${path}`, () => files.remove(path)),
  };
}

function heldAppender(appender: Appender, path: string, clock: VirtualClock): Appender {
  return {
    ...appender,
    close: () => clock.hold(`closing ${path}`, () => appender.close()),
  };
}

async function* heldChunks(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  clock: VirtualClock,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await clock.hold(`reading ${path}`, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await clock.hold(`closing ${path}`, async () => iterator.return?.());
  }
}
