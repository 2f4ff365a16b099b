import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { mostLateStartSeconds } from '../../../src/host/load/worker.ts';
import { indexAnnotation, startAnnotation } from '../../../src/validation/load-job/load-job.ts';
import type { Api } from '../api.ts';

/** Something done to the pod of one worker. */
export type Deed = (of: Disturbed) => Promise<void>;

interface Disturbed {
  readonly api: Api;
  readonly pod: SeenPod;
  /** The common start, epoch milliseconds, as soon as the pod is told it. */
  readonly start: () => Promise<number>;
  readonly signal: AbortSignal;
}
interface SeenPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

/** From the common start until a worker is killed or deleted: the load takes 40 s. */
const middleSeconds = 15;
const askEverySeconds = 0.2;

/** SIGKILL from the machine: nobody writes a report. */
export const killInTheMiddle: Deed = async ({ pod, start, signal }) => {
  await until((await start()) + 1000 * middleSeconds, signal);
  send(pod, 'SIGKILL');
};

/** As `kubectl delete pod`, with its grace. */
export const deleteInTheMiddle: Deed = async ({ api, pod: { namespace, name }, start, signal }) => {
  await until((await start()) + 1000 * middleSeconds, signal);
  await api.ask('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`);
};

/** SIGSTOP before the start, SIGCONT after it: its pod runs, and it does nothing. */
export const stopOverTheStart: Deed = async ({ pod, start, signal }) => {
  while (send(pod, 'SIGSTOP') === 0) await sleep(1000 * askEverySeconds, undefined, { signal });
  try {
    await until((await start()) + 3000 * mostLateStartSeconds, signal);
  } finally {
    send(pod, 'SIGCONT');
  }
};

/**
 * Follows the pods of the load's Job, and does to each worker's first pod what is to be done to it, once. Ends with the
 * signal.
 */
export async function disturb(api: Api, deeds: Readonly<Record<number, Deed>>, signal: AbortSignal): Promise<void> {
  const done = new Map<string, Promise<void>>();
  while (!signal.aborted && done.size < Object.keys(deeds).length) {
    for (const { metadata } of await workersOf(api)) {
      const index = metadata.annotations?.[indexAnnotation] ?? '';
      const deed = deeds[Number(index)];
      if (deed === undefined || done.has(index)) continue;
      done.set(index, deed({ api, pod: metadata, start: () => startOf(api, metadata, signal), signal }));
    }
    await sleep(1000 * askEverySeconds);
  }
  await Promise.all(done.values());
}

const selector = 'app.kubernetes.io/name=holdfast,app.kubernetes.io/component=load';

async function workersOf(api: Api): Promise<readonly { readonly metadata: SeenPod & Annotated }[]> {
  const { body } = await api.ask('GET', `/api/v1/pods?labelSelector=${encodeURIComponent(selector)}`);
  return body.items ?? [];
}
interface Annotated {
  readonly annotations?: Readonly<Record<string, string>>;
}

async function startOf(api: Api, { namespace, name }: SeenPod, signal: AbortSignal): Promise<number> {
  for (;;) {
    const { body } = await api.ask('GET', `/api/v1/namespaces/${namespace}/pods/${name}`);
    const at = Date.parse(body.metadata?.annotations?.[startAnnotation] ?? '');
    if (!Number.isNaN(at)) return at;
    await sleep(1000 * askEverySeconds, undefined, { signal });
  }
}

const until = (at: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, at - Date.now()), undefined, { signal });

/** Signals the worker's processes, which are found by the pod's own cgroup; how many there were. */
function send({ uid }: SeenPod, signal: NodeJS.Signals): number {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = numbers.filter(
    (pid) =>
      textOf(`/proc/${pid}/cgroup`).includes(`/pod${uid}/`) && textOf(`/proc/${pid}/cmdline`).includes('load-worker'),
  );
  for (const pid of found) process.kill(Number(pid), signal);
  return found.length;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
