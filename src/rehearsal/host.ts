import { OperationError } from '../host/errors.ts';
import type { Appender, Files, Host, HttpRequest, HttpResponse } from '../host/host.ts';
import { randomStreams } from '../host/random.ts';
import { createLoad } from './data-plane/load.ts';
import { setupWith } from './defects.ts';
import type { Surroundings } from './setup/surroundings.ts';
import { type VirtualClock, virtualClock } from './time/clock.ts';
import { apiReach, stallingClock } from './wire.ts';
import { createWorld, type SavedWorld, settlingSeconds, type World } from './world/world.ts';

/** The other host: the embedded cluster behind the same members, in virtual time. */
export interface Rehearsal {
  readonly host: Host;
  readonly world: World;
  /** Starts the world, settles it and runs `main`: by its clock the run begins at `startAt`, or where the saved world ended. */
  run<T>(main: () => Promise<T>): Promise<T>;
  /** Kinds of real work that were under way unheld: a defect of the product. */
  readonly unheld: ReadonlySet<string>;
}

export interface RehearsalOptions {
  readonly seed: string;
  /** Files are real, and so is the terminal; everything else is the embedded cluster's. */
  readonly real: Pick<Host, 'files' | 'out' | 'talk' | 'onSignal'>;
  /** Names of `defects.ts`; an unknown one is a `UsageError`. */
  readonly defects?: readonly string[] | undefined;
  /** Nodes of other teams, with ten pods each. */
  readonly tenantNodes?: number | undefined;
  /** The specification's names without it. */
  readonly surroundings?: Surroundings | undefined;
  readonly saved?: SavedWorld | undefined;
}

/** Every rehearsal begins at this instant: the same seed gives the same bytes on any day. */
export const startAt = Date.parse('2026-01-01T00:00:00.000Z');

/** Where the embedded API server is asked; the address of `KUBERNETES_SERVICE_HOST` in every pod. */
export const apiServerUrl = 'https://kubernetes.default.svc';

export function rehearsalHost(options: RehearsalOptions): Rehearsal {
  const { seed, real, defects = [], tenantNodes, surroundings, saved } = options;
  const setup = setupWith(defects, surroundings);
  const clock = virtualClock(saved?.at ?? startAt - 1000 * settlingSeconds);
  const random = randomStreams(seed);
  const world = createWorld({ clock, random, setup, tenantNodes, saved });
  const reach = apiReach(clock, setup.wire);
  const host: Host = {
    ...real,
    clock: stallingClock(clock, setup.wire),
    random,
    files: heldFiles(real.files, clock),
    probe: world.probe,
    load: createLoad(clock, world.dataPlane),
    resolve: (query) => world.dataPlane().resolve(query),
    http: (request, signal) => http({ world, clock, reach }, request, signal),
    input: { isTTY: false, line: async () => undefined, chunks: async function* () {} },
    exchange: ({ address }) =>
      Promise.reject(new OperationError({ tried: 'Asking', on: address, reason: 'nothing listens there' })),
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
        return await clock.run(() => Promise.race([world.broken, world.start().then(main)]));
      } finally {
        world.close();
        clock.close();
      }
    },
  };
}

interface Wire {
  readonly world: World;
  readonly clock: VirtualClock;
  readonly reach: (request: HttpRequest) => void;
}

async function http({ world, clock, reach }: Wire, request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const url = new URL(request.url);
  if (url.origin === apiServerUrl) {
    await clock.sleep(apiRoundTripSeconds, signal);
    reach(request);
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

/** A request to the API server or the cloud's APIs in the same region. */
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

/** Real files, during whose work virtual time stands still. What is appended is written before the call returns, so that it takes no time. */
function heldFiles(files: Files, clock: VirtualClock): Files {
  const held = <T>(what: string, work: () => Promise<T>) => clock.hold(what, work);
  return {
    read: (path) => held(`reading ${path}`, () => files.read(path)),
    chunks: (path, fromByte) => heldChunks(files.chunks(path, fromByte), path, clock),
    append: async (path, options) =>
      heldAppender(
        await held(`opening ${path}`, () => files.append(path, { ...options, synchronous: true })),
        path,
        clock,
      ),
    replace: (path, text, options) => held(`writing ${path}`, () => files.replace(path, text, options)),
    create: (path, text, options) => held(`making ${path}`, () => files.create(path, text, options)),
    makeFolder: (path, options) => held(`making ${path}`, () => files.makeFolder(path, options)),
    list: (path) => held(`listing ${path}`, () => files.list(path)),
    stat: (path) => held(`looking at ${path}`, () => files.stat(path)),
    realPath: (path) => held(`finding ${path}`, () => files.realPath(path)),
    freeSpace: (path) => held(`looking at the file system of ${path}`, () => files.freeSpace(path)),
    link: (path, target) => held(`linking ${path}`, () => files.link(path, target)),
    rename: (from, to) => held(`renaming ${from}`, () => files.rename(from, to)),
    place: (from, to) => held(`placing ${to}`, () => files.place(from, to)),
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
