import { guards, manyIfUnknown, mustBeAvailable } from '../observe/owner-limits.ts';
import type { Rule } from './audited.ts';

/**
 * 4.2: a PodDisruptionBudget. Exactly one, because with two every eviction is a 500, and one that allows a disruption
 * (docs/facts/kubernetes.md, "Evictions and budgets").
 */
export const disruptionBudget: Rule = {
  name: 'disruption-budget',
  required: true,
  look: ({ application: { workload, budgets, autoscalers } }) => {
    const guarding = budgets.filter((budget) => guards(budget, workload));
    const names = guarding.map(({ metadata }) => metadata.name).join(', ');
    const replicas = manyIfUnknown(workload, autoscalers);
    const least = Math.max(0, ...guarding.map((budget) => mustBeAvailable(budget, replicas)));
    const verdict = {
      subject: workload,
      expected: 'one PodDisruptionBudget that keeps a pod and lets one go',
    };
    const missed = (observed: string, advice: string) => ({ ...verdict, outcome: 'missed', observed, advice }) as const;
    const idle = budgets.find(({ status }) => status?.expectedPods === 0);
    if (guarding.length === 0 && idle !== undefined)
      return {
        ...missed(
          `PodDisruptionBudget ${idle.metadata.name} selects no pod`,
          'give its selector the labels of the pods: without a budget a drain takes all of them at once',
        ),
        because: { kind: idle.kind, name: idle.metadata.name, field: 'spec.selector.matchLabels' },
      };
    if (guarding.length === 0)
      return missed('none', 'add one with minAvailable 1: without it a drain takes all pods at once');
    if (guarding.length > 1)
      return missed(`${names}`, 'keep one: the API server refuses every eviction of a pod with two');
    if (least === 0) return missed(`${names} keeps no pod`, 'set minAvailable to at least 1');
    if (least >= replicas)
      return missed(
        `${names} wants ${least} of ${replicas} replicas available`,
        'allow one disruption: else every drain waits for ever',
      );
    return { ...verdict, outcome: 'met', observed: `${names} wants ${least} of ${replicas} replicas available` };
  },
};
