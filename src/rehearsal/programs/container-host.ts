import { OperationError } from '../../host/errors.ts';
import type { Clock, Host, Probe } from '../../host/host.ts';
import { memoryFiles } from '../../host/memory-files.ts';

/** What a process in a container is made of. */
export interface ContainerParts {
  readonly clock: Clock;
  readonly random: Host['random'];
  readonly probe: Probe;
  readonly resolve: Host['resolve'];
  readonly write: (text: string) => void;
  readonly isAlive: () => boolean;
}

/** The host of a process in a container: once the container has ended nothing of it happens any more. */
export function containerHost({ clock, random, probe, resolve, write, isAlive }: ContainerParts): Host {
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
    files: memoryFiles(),
    out: output,
    talk: output,
    input: { isTTY: false, line: async () => undefined, chunks: async function* () {} },
    onSignal: () => () => {},
    http: ({ url }) => refused('Connecting to', url),
    load: ({ url }) => refused('Sending load to', url),
    exchange: ({ address }) => refused('Connecting to', address),
    run: ([program]) => refused('Running', program),
  };
}

const refused = (tried: string, on: string): Promise<never> =>
  Promise.reject(new OperationError({ tried, on, reason: 'a container of the embedded cluster only probes' }));
