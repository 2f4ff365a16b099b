import type { Difference } from './compare.ts';

/**
 * A difference that is known, and why it is there. The list may only get shorter: an entry that no timeline needs fails
 * the test.
 */
export interface Known {
  readonly kinds: readonly Difference['kind'][];
  readonly what: RegExp;
  /** The timelines that have it; absent: any. */
  readonly only?: readonly string[];
  readonly reason: string;
}

export const known: readonly Known[] = [
  {
    kinds: ['extra'],
    what: /^node of .*: (Ready False KubeletNotReady|taint node\.kubernetes\.io\/not-ready:|without taint node\.kubernetes\.io\/not-ready:NoExecute|without taint node\.cloudprovider|Event Normal Ready: .* Status: False -> True)/,
    reason: 'the recording has nodes without kubelets, which are not seen NotReady',
  },
  {
    kinds: ['order', 'delay'],
    what: /^node of .*: (without taint node\.kubernetes\.io\/not-ready:NoSchedule|Ready True KubeletReady)/,
    reason: 'the recording’s stand-in for a kubelet takes the taint away 8 s before the Node is Ready',
  },
  {
    kinds: ['extra'],
    what: /^.*pod.*: Ready False ContainersNotReady/,
    reason:
      'the recording has pods without kubelets, which have no condition before they are Ready and after their end',
  },
  {
    kinds: ['missing'],
    what: /^(new pod|pod of) .*: Event Normal Nominated: /,
    reason: 'Karpenter says on the pods of a node that drifts where they will go; here only on pods that are pending',
  },
  {
    kinds: ['extra', 'missing', 'order', 'delay'],
    what: /^old claim [12]: Consolidatable True/,
    only: ['drift-two-budget-2'],
    reason: 'in the recording that node was older than the other: consolidatable before',
  },
  {
    kinds: ['missing'],
    what: /^.*pod.*: Event Warning FailedScheduling: Failed to schedule pod, incompatible requirements/,
    reason: 'a second Karpenter watched over the recording, which had only another pool',
  },
  {
    kinds: ['missing'],
    what: /^pool: (Ready True Ready|Event Normal Ready: )/,
    reason: 'Ready of a pool is Unknown for 50 to 250 ms at each change of its spec',
  },
  {
    kinds: ['missing'],
    what: /^pool: (Event Normal )?NodeRegistrationHealthy/,
    only: ['pdb-blocks'],
    reason: 'the recorded pool had been changed before',
  },
  {
    kinds: ['missing'],
    what: /Event Normal DisruptionBlocked: Node is nominated for a pending pod/,
    reason: 'not said here',
  },
  {
    kinds: ['missing'],
    what: /Event Normal Unconsolidatable: /,
    reason: 'not said here: nothing is ever replaced by a cheaper node',
  },
  {
    kinds: ['missing'],
    what: /^budget: /,
    only: ['scale-up'],
    reason: 'the recorded budget was made together with the Deployment',
  },
  {
    kinds: ['missing', 'extra', 'order', 'delay'],
    what: /^(node of )?old claim \d: Event Normal DisruptionBlocked: /,
    reason:
      'Karpenter gives one reason for an object in 2 minutes; which one depends on what came before the recording',
  },
  {
    kinds: ['order', 'delay'],
    what: /^old claim [12]: Consolidatable True/,
    only: ['drift-blocked-budget-0', 'scale-down'],
    reason: 'the recorded claims were not of the same age',
  },
  {
    kinds: ['missing'],
    what: /^old claim 1: deletion/,
    only: ['expiry2'],
    reason: 'it is what the deed waits for here',
  },
];
