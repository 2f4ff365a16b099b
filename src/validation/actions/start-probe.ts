import type { Pod } from '../../cluster/resources.ts';
import { OperationError } from '../../host/errors.ts';
import { type ProbePlace, probePod } from '../manifests/probe-pod.ts';
import type { Settings } from '../settings.ts';
import type { Action } from './action.ts';

export interface StartIntent {
  readonly pod: Pod;
  /** Known once it is created. */
  readonly uid?: string;
}

/** From the pull of the image to the first line. */
export const runsWithinSeconds = 180;
/** Its grace period is 5 s; a node that does not answer keeps it longer. */
const goneWithinSeconds = 30;

/** Puts one pod into a zone that probes the application from there; the undo deletes it, and waits until it is gone. */
export const startProbe: Action<{ readonly settings: Settings; readonly place: ProbePlace }, StartIntent> = {
  name: 'start-probe',
  prepare: async (_site, { settings, place }) => ({ pod: probePod(settings, place) }),
  async perform({ cluster }, intent) {
    const { uid } = (await cluster.create(intent.pod)).metadata;
    return uid === undefined ? undefined : { intent: { ...intent, uid } };
  },
  // An undo needs its name alone.
  recorded: ({ pod: { apiVersion, kind, metadata }, ...intent }) => ({
    ...intent,
    pod: { apiVersion, kind, metadata: { name: metadata.name, namespace: metadata.namespace } },
  }),
  async verify({ cluster }, { pod: { metadata } }) {
    const found = await cluster.get('Pod', placeOf(metadata));
    return {
      id: 'probe-created',
      expected: `${subjectOf(metadata)} there`,
      outcome: found === undefined ? 'not-met' : 'met',
      observed: found === undefined ? 'it is not' : 'it is',
    };
  },
  async undo({ cluster, host: { clock } }, { pod: { metadata }, uid }) {
    const at = placeOf(metadata);
    const found = await cluster.get('Pod', at);
    if (found === undefined) return { state: 'not-needed', because: 'it is gone already' };
    // The name contains the id of the run, so that a pod without a known uid still belongs to this run.
    if (uid !== undefined && found.metadata.uid !== uid)
      return { state: 'kept', because: 'somebody else created it again meanwhile' };
    await cluster.delete('Pod', at, { uid: found.metadata.uid ?? '' });
    const endsAt = clock.monotonicSeconds() + goneWithinSeconds;
    while ((await cluster.get('Pod', at)) !== undefined) {
      if (clock.monotonicSeconds() >= endsAt)
        return { state: 'undone', because: 'it is deleted, and its node has not ended it yet' };
      await clock.sleep(1);
    }
    return { state: 'undone', because: 'it was made by this run, and is deleted' };
  },
  subject: ({ pod: { metadata } }) => subjectOf(metadata),
  byHand: ({ pod: { metadata } }) => `kubectl -n ${metadata.namespace} delete pod ${metadata.name}`,
};

type Named = Pick<Pod['metadata'], 'name' | 'namespace'>;

const placeOf = ({ name, namespace = '' }: Named) => ({ name, namespace });
const subjectOf = ({ name, namespace }: Named): string => `Pod ${namespace}/${name}`;

/**
 * Why the pod does not run yet, in the words of its status; undefined if it runs. One that will never run is an
 * `OperationError`.
 */
export function whyNotRunning({ metadata, status }: Pod): string | undefined {
  const [container] = status?.containerStatuses ?? [];
  if (container?.state?.running !== undefined) return undefined;
  const { reason, message } = container?.state?.waiting ?? {};
  const { exitCode } = container?.state?.terminated ?? container?.lastState?.terminated ?? {};
  if (exitCode !== undefined) throw neverRuns(metadata, `its program ended with exit code ${exitCode}`);
  if (reason !== undefined && hopeless.has(reason))
    throw neverRuns(metadata, message === undefined ? reason : `${reason}: ${message}`);
  const unscheduled = status?.conditions?.find(({ type, status: now }) => type === 'PodScheduled' && now === 'False');
  return reason ?? unscheduled?.message ?? 'it has no node yet';
}

/** A pull that has failed is tried again, but by then nobody waits for the run. */
const hopeless = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'CreateContainerConfigError']);

function neverRuns(metadata: Named, reason: string): OperationError {
  const next = `Look at it: kubectl -n ${metadata.namespace} describe pod ${metadata.name}; validation.probes says how it is made`;
  return new OperationError({ tried: 'Starting the probe', on: subjectOf(metadata), reason, next });
}
