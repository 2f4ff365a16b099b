import {
  ClusterError,
  createCluster,
  type EmbeddedCluster,
  type OwnBehaviours,
  type SavedWorld,
  type Surroundings,
  type VirtualClock,
} from '@holdfast/embedded-cluster';
import { OperationError } from '../host/errors.ts';
import type { Appender, Files, Host, HttpRequest, HttpResponse } from '../host/host.ts';
import { type EmbeddedProgram, inContainers } from './container-host.ts';
import { defectsOf } from './defects.ts';
import { createLoad } from './load.ts';
import { createProbe } from './probe.ts';
import { apiReachability, stallingClock } from './wire.ts';

/** A second host beside the real one: the embedded cluster, in virtual time. */
export interface Rehearsal {
  readonly host: Host;
  readonly world: EmbeddedCluster;
  /**
   * Starts the world and runs `main`. By the host's clock `main` starts at the same instant in every rehearsal, or at
   * that at which the world was saved.
   */
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
  /** How the containers of the manifests behave. */
  readonly own?: OwnBehaviours | undefined;
  /** The programs that containers really run; without it all containers are modelled. */
  readonly program?: EmbeddedProgram | undefined;
}

/** The URL of the embedded API server: the name that every cluster gives its own. */
export const apiServerUrl = 'https://kubernetes.default.svc';

export function rehearsalHost(options: RehearsalOptions): Rehearsal {
  const { seed, real, defects = [], tenantNodes, surroundings, saved, own, program } = options;
  const { ofCluster, wire } = defectsOf(defects);
  const world = createCluster({
    seed,
    defects: ofCluster,
    nodes: tenantNodes,
    surroundings,
    saved,
    own,
    program: inContainers(program),
  });
  const { clock, random } = world;
  const requireReachable = apiReachability(clock, wire);
  const host: Host = {
    ...real,
    clock: stallingClock(clock, wire),
    random,
    files: heldFiles(real.files, clock),
    probe: createProbe(clock, world),
    load: createLoad(clock, world),
    resolve: world.resolve,
    http: (request, signal) => http({ world, clock, requireReachable }, request, signal),
    input: { isTTY: false, line: async () => undefined, chunks: async function* () {} },
    exchange: ({ address }) => refused('Connecting to', address, 'nothing listens there in a rehearsal'),
    run: ([program]) => refused('Running', program, 'a rehearsal of the cluster starts no programs'),
  };
  return {
    host,
    world,
    unheld: clock.unheld,
    run: async (main) => {
      try {
        return await world.run(main).catch(asOperationError);
      } finally {
        world.close();
      }
    },
  };
}

const refused = (tried: string, on: string, reason: string): Promise<never> =>
  Promise.reject(new OperationError({ tried, on, reason }));

function asOperationError(error: unknown): never {
  if (!(error instanceof ClusterError)) throw error;
  throw new OperationError(error.failure, { cause: error });
}

interface Network {
  readonly world: EmbeddedCluster;
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
  const fromCloud = world.cloudApi(request);
  if (fromCloud !== undefined) {
    await clock.sleep(apiRoundTripSeconds, signal);
    return fromCloud;
  }
  const timeoutSeconds = request.timeoutSeconds ?? defaultTimeoutSeconds;
  const { response, error } = await world.get(url, { timeoutSeconds });
  if (response !== undefined) return pageOf(response.status, response.body);
  throw new OperationError({ tried: request.method, on: request.url, reason: `no answer (${error})` });
}

/** From the prober's machine to the API server or an AWS API in the same region. */
const apiRoundTripSeconds = 0.004;
const defaultTimeoutSeconds = 30;

function pageOf(status: number, body: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/html' },
    text: async () => body,
    chunks: async function* () {
      yield new TextEncoder().encode(body);
    },
    discard: () => undefined,
  };
}

/**
 * Real files; virtual time stands still while they are read and written. Appended text is written synchronously, which
 * needs no hold.
 */
function heldFiles(files: Files, clock: VirtualClock): Files {
  const held = <T>(what: string, work: () => Promise<T>) => clock.hold(what, work);
  return {
    read: (path, options) => held(`reading ${path}`, () => files.read(path, options)),
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
    replaceBytes: (path, bytes, options) => held(`writing ${path}`, () => files.replaceBytes(path, bytes, options)),
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
