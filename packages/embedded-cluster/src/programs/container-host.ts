import { OperationError } from '../../../../src/host/errors.ts';
import type { Clock, Host, Probe } from '../../../../src/host/host.ts';

/** What a process in a container is made of. */
export interface ContainerParts {
  readonly clock: Clock;
  readonly random: Host['random'];
  readonly probe: Probe;
  readonly resolve: Host['resolve'];
  readonly load: Host['load'];
  readonly files: Host['files'];
  /** Aborted when the kubelet sends SIGTERM. */
  readonly stop: AbortSignal;
  readonly write: (text: string) => void;
  readonly isAlive: () => boolean;
}

/** The host of a process in a container: once the container has ended nothing of it happens any more. */
export function containerHost(parts: ContainerParts): Host {
  const { clock, random, probe, resolve, load, files, stop, write, isAlive } = parts;
  const alive = async <T>(work: Promise<T>): Promise<T> => {
    const outcome = await work.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    return isAlive() ? outcome() : new Promise<never>(() => {});
  };
  const output = { write, isTTY: false, columns: 80, rows: 24 };
  return {
    clock: { ...clock, sleep: (seconds, signal) => alive(clock.sleep(seconds, signal)) },
    random,
    probe: (...asked) => alive(probe(...asked)),
    resolve: (query) => alive(resolve(query)),
    files,
    out: output,
    talk: output,
    input: { isTTY: false, line: async () => undefined, chunks: async function* () {} },
    onSignal: (names, listener) => {
      const tell = () => listener('SIGTERM');
      if (names.includes('SIGTERM')) stop.addEventListener('abort', tell, { once: true });
      return () => stop.removeEventListener('abort', tell);
    },
    load: (...asked) => alive(load(...asked)),
    http: ({ url }) => refused('Connecting to', url),
    exchange: ({ address }) => refused('Connecting to', address),
    run: ([program]) => refused('Running', program),
  };
}

const refused = (tried: string, on: string): Promise<never> =>
  Promise.reject(
    new OperationError({ tried, on, reason: 'a container of the embedded cluster only probes and sends load' }),
  );
