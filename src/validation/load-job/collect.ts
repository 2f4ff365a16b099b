import { isFinished } from '../../cluster/pods.ts';
import type { Pod } from '../../cluster/resources.ts';
import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import { indexOf, type SeenPod } from './follow-pods.ts';
import { containerName } from './load-job.ts';
import type { WorkerEnd } from './outcome.ts';
import { readReport } from './read-report.ts';

/** A report has at most some 1,800 steps of less than 20 characters. */
const mostOfLog = 256 * 1024;

/**
 * What a worker reports: by its log, through the API server; where that is not to be had, by the termination message,
 * which stands in the status of its pod, and in the last state that the watch told of a pod that is gone.
 */
export async function collect(site: Site, { pod, isGone }: SeenPod): Promise<WorkerEnd> {
  const { name } = pod.metadata;
  const known = { index: indexOf(pod), pod: name };
  if (!isGone && !isFinished(pod)) return { ...known, because: 'its pod had not ended when its time was over' };
  const log = isGone ? undefined : await logOf(site, pod);
  const report = readReport(log?.text) ?? readReport(lastWords(pod));
  if (report !== undefined) return { ...known, report };
  const end = isGone ? 'its pod was deleted, and left no report' : `its pod ended without a report${exitOf(pod)}`;
  return { ...known, because: log?.trouble === undefined ? end : `${end}; its log: ${log.trouble}` };
}

async function logOf({ cluster }: Site, { metadata: { name, namespace = '' } }: Pod) {
  try {
    return { text: await cluster.log({ name, namespace }, containerName, mostOfLog) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { trouble: error.message };
  }
}

const terminatedOf = ({ status }: Pod) => status?.containerStatuses?.[0]?.state?.terminated;
const lastWords = (pod: Pod): string | undefined => terminatedOf(pod)?.message;

function exitOf(pod: Pod): string {
  const ended = terminatedOf(pod);
  if (ended === undefined) return pod.status?.reason === undefined ? '' : ` (${pod.status.reason})`;
  return ` (exit code ${ended.exitCode}${ended.reason === undefined ? '' : `, ${ended.reason}`})`;
}
