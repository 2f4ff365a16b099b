import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Threads } from './host.ts';

/** Runs in the thread: calls the function and sends what it returns. */
const program = `
  const { parentPort, workerData: { module, name, input } } = require('node:worker_threads');
  import(module).then((loaded) => loaded[name](input)).then((answer) => parentPort.postMessage(answer));`;

/** Of short-lived objects: V8 takes up to 48 MiB for them otherwise, and what a thread does makes few. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

export const threads: Threads = { processors: availableParallelism(), call };

function call<T>(module: string, name: string, input: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true, workerData: { module, name, input }, resourceLimits });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of ${module} ended with ${code} and no answer`)));
  });
}
