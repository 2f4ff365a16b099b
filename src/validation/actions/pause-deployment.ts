import { poll } from '../../cluster/poll.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';
import { type ScaleTarget, scale } from './scale.ts';

export interface PauseTarget {
  readonly namespace: string;
  readonly name: string;
  /** Selects its pods. */
  readonly selector: string;
}
type PauseIntent = Parameters<typeof scale.undo>[1] & PauseTarget;

/** Four times the default grace period of a pod, 30 s (docs/facts/kubernetes.md, "The end of a pod"). */
const goneWithinSeconds = 120;

/**
 * Scales a Deployment to 0 and waits until its last pod is gone, because a terminating pod still works. The undo is
 * that of `scale`.
 */
export const pauseDeployment: Action<PauseTarget, PauseIntent> = {
  name: 'pause-deployment',
  async prepare(site, target) {
    const toZero: ScaleTarget = { namespace: target.namespace, name: target.name, replicas: 0 };
    return { ...target, ...(await scale.prepare(site, toZero)) };
  },
  async perform(site, intent, signal) {
    const scaled = await scale.perform(site, intent, signal);
    await poll({ site, signal }, goneWithinSeconds, async () => (await podsOf(site, intent)).length === 0);
    return scaled && { intent: { ...intent, ...scaled.intent } };
  },
  async verify(site, intent) {
    const left = (await podsOf(site, intent)).map(({ metadata }) => metadata.name);
    return {
      id: 'paused',
      expected: `no pod of ${intent.name} left`,
      outcome: left.length === 0 ? 'met' : 'inconclusive',
      observed: left.length === 0 ? 'none left' : `after ${goneWithinSeconds} s still there: ${left.join(', ')}`,
    };
  },
  undo: scale.undo,
  subject: scale.subject,
  byHand: scale.byHand,
};

const podsOf = ({ cluster }: Site, { namespace, selector }: PauseTarget) =>
  cluster.list('Pod', { namespace, labelSelector: selector });
