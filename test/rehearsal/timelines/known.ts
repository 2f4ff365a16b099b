import type { Difference } from './compare.ts';

/** A difference that is known, and why it is there. The list may only get shorter: an entry that no timeline needs fails the test. */
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
    kinds: ['extra', 'missing'],
    what: /^old claim 1: (Consolidatable True|Event Normal DisruptionBlocked: Node is deleting)/,
    only: ['drift-two-budget-2'],
    reason:
      'in the recording that node was older than the other: consolidatable before, and without such an event in the last 2 minutes',
  },
];
