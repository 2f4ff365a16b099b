import type { HorizontalPodAutoscaler } from '../../cluster/resources.ts';
import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface PauseAutoscalerTarget {
  readonly namespace: string;
  readonly name: string;
}
type Behavior = NonNullable<HorizontalPodAutoscaler['spec']['behavior']>;
export interface PauseAutoscalerIntent extends PauseAutoscalerTarget {
  /** What the undo returns to; null where there was none. */
  readonly original: Behavior | null;
}

/** Nothing is scaled, but into its bounds (kubernetes.io, "Horizontal Pod Autoscaling", `selectPolicy: Disabled`). */
const paused: Behavior = { scaleUp: { selectPolicy: 'Disabled' }, scaleDown: { selectPolicy: 'Disabled' } };

const isPaused = (behavior: Behavior | null): boolean =>
  behavior?.scaleUp?.selectPolicy === 'Disabled' && behavior.scaleDown?.selectPolicy === 'Disabled';

const subject = ({ namespace, name }: PauseAutoscalerTarget): string => `HorizontalPodAutoscaler ${namespace}/${name}`;

/** Lets a HorizontalPodAutoscaler scale no more. The undo gives it its behaviour back. */
export const pauseAutoscaler: Action<PauseAutoscalerTarget, PauseAutoscalerIntent> = {
  name: 'pause-autoscaler',
  async prepare(site, target) {
    const original = await behaviorOf(site, target);
    if (original === undefined)
      throw new OperationError({ tried: 'Reading', on: subject(target), reason: 'there is none' });
    return { ...target, original };
  },
  async perform(site, intent) {
    await setBehavior(site, intent, paused);
    return undefined;
  },
  async verify(site, intent) {
    const isDone = isPaused((await behaviorOf(site, intent)) ?? null);
    return {
      id: 'autoscaler-paused',
      expected: `${subject(intent)} scales nothing`,
      outcome: isDone ? 'met' : 'not-met',
      observed: isDone ? 'its policies are disabled' : 'its policies are not disabled',
    };
  },
  async undo(site, intent) {
    const now = await behaviorOf(site, intent);
    if (now === undefined) return { state: 'not-needed', because: 'it is gone' };
    if (!isPaused(now)) return { state: 'kept', because: 'somebody set its behaviour meanwhile' };
    await setBehavior(site, intent, intent.original);
    return { state: 'undone', because: 'it scales again' };
  },
  subject,
  byHand: ({ namespace, name, original }) =>
    `kubectl -n ${namespace} patch hpa ${name} --type=json -p '${JSON.stringify(patchOf(original))}'`,
};

/** Undefined if there is no such autoscaler. */
async function behaviorOf(
  { cluster }: Site,
  { namespace, name }: PauseAutoscalerTarget,
): Promise<Behavior | null | undefined> {
  const found = await cluster.get('HorizontalPodAutoscaler', { namespace, name });
  return found && (found.spec.behavior ?? null);
}

const patchOf = (behavior: Behavior | null) => [
  behavior === null
    ? { op: 'remove' as const, path: '/spec/behavior' }
    : { op: 'add' as const, path: '/spec/behavior', value: behavior },
];

const setBehavior = ({ cluster }: Site, { namespace, name }: PauseAutoscalerTarget, behavior: Behavior | null) =>
  cluster.patch('HorizontalPodAutoscaler', { namespace, name }, { type: 'json', value: patchOf(behavior) });
