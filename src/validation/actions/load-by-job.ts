import { poll } from '../../cluster/poll.ts';
import { jobOf, type LoadJob, selectorOf } from '../load-job/load-job.ts';
import { makeLoad } from '../load-job/make-load.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface LoadJobIntent extends LoadJob {
  /** Drawn anew for each Job: no other has it. */
  readonly name: string;
}

/**
 * From the deletion of a Job until the garbage collector has its pods deleted, and those have ended: their grace
 * period, and a minute.
 */
const goneWithinSeconds = 90;

/** Sends many requests from the pods of an Indexed Job. The undo deletes the Job with its pods. */
export const loadByJob: Action<LoadJob, LoadJobIntent> = {
  name: 'load-by-job',
  prepare: async ({ host }, target) => ({ ...target, name: nameFrom(host.random('load-job')) }),
  async perform(site, intent, signal) {
    await site.cluster.create(jobOf(intent.name, intent));
    return { load: await makeLoad(site, intent.name, intent, signal) };
  },
  async verify({ cluster }, intent) {
    const job = await cluster.get('Job', placeOf(intent));
    return {
      id: 'load-sent',
      expected: `a Job of ${intent.workers} workers`,
      outcome: job?.spec.completions === intent.workers ? 'met' : 'inconclusive',
      observed: job === undefined ? 'there is none' : `${intent.name} with ${job.spec.completions} completions`,
      advice: job === undefined ? 'see whether an admission webhook or a quota of the namespace refused it' : '',
    };
  },
  async undo(site, intent) {
    const { cluster } = site;
    const found = await cluster.get('Job', placeOf(intent));
    if (found === undefined) return { state: 'not-needed', because: 'it is gone already' };
    if (found.metadata.labels?.['app.kubernetes.io/instance'] !== intent.name)
      return { state: 'kept', because: 'somebody else created a Job of that name' };
    await cluster.delete('Job', placeOf(intent), found.metadata.uid === undefined ? {} : { uid: found.metadata.uid });
    const isGone = await poll({ site }, goneWithinSeconds, () => arePodsGone(site, intent));
    return isGone
      ? { state: 'undone', because: 'it is deleted, and its pods are gone' }
      : { state: 'failed', because: `${goneWithinSeconds} s after it was deleted, pods of it are still there` };
  },
  subject: ({ namespace, name }) => `Job ${namespace}/${name}`,
  byHand: ({ namespace, name }) => `kubectl -n ${namespace} delete job ${name}`,
};

const placeOf = ({ namespace, name }: LoadJobIntent) => ({ namespace, name });

const arePodsGone = async ({ cluster }: Site, { namespace, name }: LoadJobIntent): Promise<boolean> =>
  (await cluster.list('Pod', { namespace, labelSelector: selectorOf(name) })).length === 0;

function nameFrom(random: () => number): string {
  return `holdfast-load-${Array.from({ length: 8 }, () => Math.floor(16 * random()).toString(16)).join('')}`;
}
