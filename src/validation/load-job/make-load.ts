import { condition, isFinished } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';
import { retryRead, type Waiting } from '../../cluster/retry-read.ts';
import { inParallel } from '../../host/in-parallel.ts';
import type { LoadRecorded } from '../record/load-recorded.ts';
import type { Site } from '../site.ts';
import { collect } from './collect.ts';
import { type FollowedPods, followPods, indexOf, type SeenPod, uidOf } from './follow-pods.ts';
import { endsWithinSeconds, type LoadJob, leadSeconds, startAnnotation } from './load-job.ts';
import { outcomeOf, type WorkerEnd } from './outcome.ts';

/** Requests to the API server under way at once: one client of many. */
const atOnce = 20;

/**
 * Makes a load by the pods of a Job that is there: waits until all run, tells each the common start, waits for their
 * ends and collects what they report. A worker that does not run by then, or is lost, has sent nothing.
 */
export async function makeLoad(site: Site, name: string, job: LoadJob, signal: AbortSignal): Promise<LoadRecorded> {
  const ended = new AbortController();
  const pods = followPods(site, { namespace: job.namespace, name }, AbortSignal.any([signal, ended.signal]));
  try {
    await pods.until(() => running(pods).size === job.workers, job.startWithinSeconds);
    const workers = [...running(pods).values()];
    const absent = notRunning(pods, job);
    const startAt = site.host.clock.wallAt() + 1000 * leadSeconds(job.workers);
    const told = await inParallel(workers, atOnce, (pod) => tellStart({ site, signal }, pod, startAt));
    const heard = workers.filter((_, place) => told[place]?.because === undefined);
    await pods.until(() => heard.every((pod) => hasEnded(pods.of(uidOf(pod)))), secondsLeft(site, job, startAt));
    const ends = await inParallel(workers, atOnce, (pod) =>
      collect(site, pods.of(uidOf(pod)) ?? { pod, isGone: true }),
    );
    const all = ends.flatMap((end, place) => (end === undefined ? [] : { ...end, ...told[place] }));
    return outcomeOf(job.plan, job.workers, [...absent, ...all], startAt);
  } finally {
    ended.abort('the load is over');
  }
}

/** The pod of each worker that runs, by its index. */
function running(pods: FollowedPods): ReadonlyMap<number, Pod> {
  const found = new Map<number, Pod>();
  for (const { pod, isGone } of pods.all())
    if (!isGone && pod.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined)
      found.set(indexOf(pod), pod);
  return found;
}

const hasEnded = (seen: SeenPod | undefined): boolean => seen === undefined || seen.isGone || isFinished(seen.pod);

const secondsLeft = ({ host: { clock } }: Site, job: LoadJob, startAt: number): number =>
  (startAt - clock.wallAt()) / 1000 + endsWithinSeconds(job);

/**
 * Why workers do not run now, which nobody will tell the start; one that runs gets an end of its own, which stands
 * after these.
 */
const notRunning = (pods: FollowedPods, { startWithinSeconds }: LoadJob): readonly WorkerEnd[] =>
  [...pods.all()].map(({ pod }) => ({
    index: indexOf(pod),
    pod: pod.metadata.name,
    because: `its pod did not run within ${startWithinSeconds} s: ${whyNotRunning(pod)}`,
  }));

/** A worker that hears of the start later is late anyway. */
const withinSeconds = 10;

/**
 * Tells a worker the common start by an annotation of its pod, which its kubelet shows it as a file. The same
 * annotation twice is the same: a request without an answer is made again.
 */
async function tellStart(
  at: Waiting & { readonly site: Site },
  pod: Pod,
  startAt: number,
): Promise<Partial<WorkerEnd>> {
  const { name, namespace = '' } = pod.metadata;
  const value = { metadata: { annotations: { [startAnnotation]: new Date(startAt).toISOString() } } };
  try {
    await retryRead(at, withinSeconds, () =>
      at.site.cluster.patch('Pod', { name, namespace }, { type: 'merge', value }),
    );
    return {};
  } catch (error) {
    at.signal?.throwIfAborted();
    return { index: indexOf(pod), because: `it could not be told the start: ${String((error as Error).message)}` };
  }
}

/** What the API says of a pod that does not run: no node for it, no image, or an end. */
function whyNotRunning(pod: Pod): string {
  const scheduled = condition(pod, 'PodScheduled');
  if (scheduled?.status === 'False') return scheduled.message ?? scheduled.reason ?? 'it has no node';
  const [container] = pod.status?.containerStatuses ?? [];
  const { waiting, terminated } = container?.state ?? {};
  if (terminated !== undefined) return `its container ended with exit code ${terminated.exitCode}`;
  if (waiting?.reason !== undefined) return [waiting.reason, waiting.message].filter(Boolean).join(': ');
  return `it was ${pod.status?.phase ?? 'new'}`;
}
