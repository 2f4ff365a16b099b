import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** For work that one processor is not enough for. */
export interface Threads {
  readonly processors: number;
  /**
   * Starts a thread in which the exported function of that module makes, from a copy of the input, the function that
   * answers questions. Resolves when it is ready.
   */
  readonly start: <Q, A>(module: string, name: string, input: unknown, memory?: ThreadMemory) => Promise<Thread<Q, A>>;
}

/** The heap of a thread, which V8 lets grow until it is near its bounds. */
export interface ThreadMemory {
  /** For short-lived objects; 4 if absent. */
  readonly youngMib?: number;
  /** For all others; a thread that needs more ends. */
  readonly oldMib?: number;
}

export interface Thread<Q, A> {
  /** Questions and answers are copied. Questions wait for each other. */
  readonly ask: (question: Q) => Promise<A>;
  readonly end: () => void;
}

/**
 * Runs in the thread: one question after the other, each answered with what the function that was made there returns.
 */
const program = `
  const { parentPort, workerData: { module, name, input } } = require('node:worker_threads');
  import(module).then((loaded) => loaded[name](input)).then((answer) => {
    let last;
    parentPort.on('message', (question) => {
      last = Promise.resolve(last).then(() => answer(question)).then((found) => parentPort.postMessage(found));
    });
    parentPort.postMessage('ready');
  });`;

/** Of short-lived objects: V8 takes up to 48 MiB for them otherwise, and what a thread does makes few. */
const usualYoungMib = 4;

export const threads: Threads = { processors: availableParallelism(), start };

/** A thread that ends too early rejects whatever was asked of it. */
function start<Q, A>(
  module: string,
  name: string,
  input: unknown,
  { youngMib = usualYoungMib, oldMib }: ThreadMemory = {},
): Promise<Thread<Q, A>> {
  const resourceLimits = {
    maxYoungGenerationSizeMb: youngMib,
    ...(oldMib === undefined ? {} : { maxOldGenerationSizeMb: oldMib }),
  };
  const worker = new Worker(program, { eval: true, workerData: { module, name, input }, resourceLimits });
  /** In the order of the questions; the first is whether the thread is ready. */
  const asked: PromiseWithResolvers<unknown>[] = [];
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of asked.splice(0)) reject(ended);
  };
  worker.on('message', (answer) => asked.shift()?.resolve(answer));
  worker.once('error', end);
  worker.once('exit', (code) => end(new Error(`a thread of ${module} ended with ${code} and no answer`)));
  const answer = () => {
    const next = Promise.withResolvers<unknown>();
    if (ended === undefined) asked.push(next);
    else next.reject(ended);
    return next.promise;
  };
  const thread: Thread<Q, A> = {
    ask: (question) => {
      worker.postMessage(question);
      return answer() as Promise<A>;
    },
    end: () => {
      worker.terminate();
    },
  };
  return answer().then(() => thread);
}
