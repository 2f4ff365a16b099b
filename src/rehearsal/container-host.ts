import type { ContainerProcess, ContainerProgram } from '@holdfast/embedded-cluster';
import { OperationError } from '../host/errors.ts';
import type { Files, Host } from '../host/host.ts';
import { memoryFiles } from '../host/memory-files.ts';
import { createLoad } from './load.ts';
import { createProbe } from './probe.ts';

/** A program that containers of the embedded cluster really run; what all other containers hold is only modelled. */
export interface EmbeddedProgram extends Pick<ContainerProgram, 'isIn'> {
  /** Runs it, and resolves with its exit code. */
  readonly main: (process: EmbeddedProcess) => Promise<number>;
}

export interface EmbeddedProcess extends Pick<ContainerProcess, 'args' | 'environment' | 'zone'> {
  /** Time, requests, files, signals and output of the container. */
  readonly host: Host;
}

/** The program as the embedded cluster runs it. */
export const inContainers = (program: EmbeddedProgram | undefined): ContainerProgram | undefined =>
  program && {
    isIn: program.isIn,
    main: (process) => program.main({ ...process, host: containerHost(process) }),
  };

/** The host of a process in a container: once the container has ended nothing of it happens any more. */
function containerHost(process: ContainerProcess): Host {
  const { clock, random, resolve, stop, write, isAlive } = process;
  const [probe, load] = [createProbe(clock, process), createLoad(clock, process)];
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
    files: containerFiles(process),
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

/** core/v1, Container.terminationMessagePath: its default. */
const terminationLog = '/dev/termination-log';

function containerFiles({ volumeFile, endWith }: ContainerProcess): Files {
  const files = memoryFiles();
  return {
    ...files,
    read: async (path, options) => volumeFile(path) ?? files.read(path, options),
    append: async (path, options) => {
      if (path !== terminationLog) return files.append(path, options);
      return { ...(await files.append(path, options)), write: async (text) => endWith(text) };
    },
  };
}
