import type { Pod } from '../../cluster/resources.ts';
import { retryRead, type Waiting } from '../../cluster/retry-read.ts';
import type { Site } from '../site.ts';
import { indexOf } from './follow-pods.ts';
import { startAnnotation } from './load-job.ts';
import type { WorkerEnd } from './outcome.ts';

/** A worker that hears of the start later is late anyway. */
const withinSeconds = 10;

/**
 * Tells a worker the common start by an annotation of its pod, which its kubelet shows it as a file. The same annotation twice is the same: a request
 * without an answer is made again.
 */
export async function tellStart(
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
