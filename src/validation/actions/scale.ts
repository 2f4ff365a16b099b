import type { NamespacedName } from '../../cluster/cluster.ts';
import type { ScaledWorkload } from '../../cluster/workload.ts';
import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface ScaleTarget extends NamespacedName {
  /** A Deployment if absent. */
  readonly kind?: ScaledWorkload['kind'];
  readonly replicas: number;
  /**
   * What the undo returns to, where an older action of the run changed them already: one way back. The number before
   * this action if absent.
   */
  readonly undoTo?: number;
}
export interface ScaleIntent extends Omit<ScaleTarget, 'undoTo'> {
  /** What the undo returns to. */
  readonly original: number;
  /** The number before this action, if it is another one. */
  readonly from?: number;
  /** The number that the server stored, if an admission webhook changed it. */
  readonly stored?: number;
}

type Scaled = Pick<ScaleTarget, 'kind' | 'namespace' | 'name'>;

const subject = ({ kind = 'Deployment', namespace, name }: Scaled): string => `${kind} ${namespace}/${name}`;

/** Sets a workload's replicas. The undo sets the original number, unless somebody else set another one meanwhile. */
export const scale: Action<ScaleTarget, ScaleIntent> = {
  name: 'scale',
  async prepare(site, { undoTo, ...target }) {
    const from = await replicasOf(site, target);
    return undoTo === undefined || undoTo === from
      ? { ...target, original: from }
      : { ...target, from, original: undoTo };
  },
  async perform(site, intent) {
    const stored = await setReplicas(site, intent, intent.from ?? intent.original, intent.replicas);
    return stored === intent.replicas ? undefined : { intent: { ...intent, stored } };
  },
  async verify(site, intent) {
    const now = await replicasOf(site, intent);
    return {
      id: 'scaled',
      expected: `replicas ${intent.replicas}`,
      outcome: now === intent.replicas ? 'met' : 'not-met',
      observed: `replicas ${now}`,
      advice:
        now === intent.replicas
          ? ''
          : 'something else sets the replicas too, such as an autoscaler or GitOps: pause it',
    };
  },
  async undo(site, intent) {
    const before = await replicasNow(site, intent);
    if (before === undefined) return { state: 'not-needed', because: 'it is gone, and its replicas with it' };
    if (before === intent.original) return { state: 'not-needed', because: `replicas are ${before}, as before` };
    if (before === intent.from)
      return { state: 'not-needed', because: `replicas are ${before}, as an older action of this run set them` };
    const ours = intent.stored ?? intent.replicas;
    if (before !== ours)
      return {
        state: 'kept',
        because: `somebody set replicas to ${before} meanwhile; before the run they were ${intent.original}`,
      };
    await setReplicas(site, intent, ours, intent.original);
    const after = await replicasOf(site, intent);
    return after === intent.original
      ? { state: 'undone', because: `replicas are ${after} again` }
      : { state: 'failed', because: `replicas are ${after} after setting ${intent.original}` };
  },
  subject,
  byHand: ({ kind = 'Deployment', namespace, name, original }) =>
    `kubectl -n ${namespace} scale ${kind.toLowerCase()} ${name} --replicas=${original}`,
};

/** Undefined if there is no such workload. */
async function replicasNow(site: Site, { kind = 'Deployment', name, namespace }: Scaled): Promise<number | undefined> {
  const workload = await site.cluster.get(kind, { name, ...(namespace === undefined ? {} : { namespace }) });
  return workload === undefined ? undefined : (workload.spec.replicas ?? 1);
}

async function replicasOf(site: Site, at: Scaled): Promise<number> {
  const replicas = await replicasNow(site, at);
  if (replicas !== undefined) return replicas;
  throw new OperationError({
    tried: 'Reading the replicas of',
    on: subject(at),
    reason: 'there is none',
  });
}

/**
 * Returns the number that the server stored. Tests the old value in the same patch, so that a change of somebody else
 * is never overwritten.
 */
async function setReplicas(site: Site, at: Scaled, from: number, to: number): Promise<number> {
  if (from === to) return to;
  const { kind = 'Deployment', name, namespace } = at;
  const { spec } = await site.cluster.patch(
    kind,
    { name, ...(namespace === undefined ? {} : { namespace }) },
    {
      type: 'json',
      value: [
        { op: 'test', path: '/spec/replicas', value: from },
        { op: 'replace', path: '/spec/replicas', value: to },
      ],
    },
  );
  return spec.replicas ?? 1;
}
