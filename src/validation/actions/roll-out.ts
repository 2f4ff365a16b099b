import { isReady } from '../../cluster/pods.ts';
import type { Workload, WorkloadKind } from '../../cluster/workload.ts';
import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface RollOutTarget {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  /** Selects its pods. */
  readonly selector: string;
}
export interface RollOutIntent extends RollOutTarget {
  /** The annotation's value. */
  readonly at: string;
}

/** On the pod template, as `kubectl rollout restart` sets one: each change of the template is a rolling update. */
const annotation = 'holdfast/rolled-out-at';
/** progressDeadlineSeconds of a Deployment that names none (apps/v1, DeploymentSpec). */
const deadlineSeconds = 600;

/** Changes an annotation of the pod template. The undo takes it away, and waits for the rolling update that follows. */
export const rollOut: Action<RollOutTarget, RollOutIntent> = {
  name: 'roll-out',
  async prepare(site, target) {
    await workloadOf(site, target);
    return { ...target, at: new Date(site.host.clock.wallAt()).toISOString() };
  },
  async perform(site, intent) {
    await annotate(site, intent, intent.at);
  },
  async verify(site, intent) {
    const now = annotationOf(await workloadOf(site, intent));
    return {
      id: 'rolling-out',
      expected: 'another pod template',
      outcome: now === intent.at ? 'met' : 'not-met',
      observed: now === intent.at ? 'it is' : 'something has set it back: a GitOps controller, which has to pause',
    };
  },
  async undo(site, intent) {
    const found = await site.cluster.get(intent.kind, intent);
    if (found === undefined) return { state: 'not-needed', because: 'it is gone, and its pods with it' };
    const now = annotationOf(found);
    if (now === undefined) return { state: 'not-needed', because: 'its pod template is as before' };
    if (now !== intent.at) return { state: 'kept', because: 'another run rolls it out meanwhile' };
    await annotate(site, intent, null);
    if (annotationOf(await workloadOf(site, intent)) !== undefined)
      return { state: 'failed', because: 'its pod template still has the annotation' };
    await rolledBack(site, intent);
    return { state: 'undone', because: 'its pod template is as before' };
  },
  subject: ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`,
  byHand: ({ kind, namespace, name }) =>
    `kubectl -n ${namespace} patch ${kind.toLowerCase()} ${name} --type merge -p '${JSON.stringify(patchOf(null))}'`,
};

const annotationOf = ({ spec }: Workload): string | undefined => spec.template.metadata?.annotations?.[annotation];

const patchOf = (value: string | null) => ({
  spec: { template: { metadata: { annotations: { [annotation]: value } } } },
});

async function annotate(site: Site, { kind, namespace, name }: RollOutTarget, value: string | null): Promise<void> {
  await site.cluster.patch(kind, { namespace, name }, { type: 'merge', value: patchOf(value) });
}

async function workloadOf(site: Site, { kind, namespace, name }: RollOutTarget): Promise<Workload> {
  const found = await site.cluster.get(kind, { namespace, name });
  if (found !== undefined) return found;
  throw new OperationError({ tried: 'Rolling out', on: `${kind} ${namespace}/${name}`, reason: 'there is none' });
}

/** Downtime of the way back is the run's own too: it goes on when no pod of the other template is left. */
async function rolledBack(
  { cluster, host: { clock } }: Site,
  { namespace, selector, at }: RollOutIntent,
): Promise<void> {
  const endsAt = clock.monotonicSeconds() + deadlineSeconds;
  while (clock.monotonicSeconds() < endsAt) {
    await clock.sleep(1);
    const pods = await cluster.list('Pod', { namespace, labelSelector: selector });
    const isBack = pods.every((pod) => pod.metadata.annotations?.[annotation] !== at && isReady(pod));
    if (isBack) return;
  }
}
