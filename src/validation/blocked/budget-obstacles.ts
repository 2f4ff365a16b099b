import { podsWanted } from '../../cluster/workload.ts';
import { guards, mustBeAvailable } from '../observe/owner-limits.ts';
import { inWorkload, type Obstacle, type Stuck } from './obstacle.ts';

/** Why a pod never leaves its node: the API server refuses each eviction, or Karpenter asks for none. */
export function evictionObstacles(stuck: Stuck): readonly Obstacle[] {
  return [...budgetObstacles(stuck), ...doNotDisrupt(stuck)];
}

function budgetObstacles({ workload, budgets, pods }: Stuck): readonly Obstacle[] {
  const guarding = budgets.filter((budget) => guards(budget, workload));
  const [first, second] = guarding;
  if (first === undefined) return [];
  if (second !== undefined)
    return [
      {
        because: { kind: first.kind, name: second.metadata.name, field: 'spec.selector' },
        observed: `PodDisruptionBudgets ${guarding.map(({ metadata }) => metadata.name).join(' and ')} select the same pods: the API server refuses every eviction of a pod with two`,
        advice: 'keep one of them',
      },
    ];
  const replicas = podsWanted(workload) ?? pods.length;
  const kept = mustBeAvailable(first, replicas);
  if (kept < replicas) return [];
  const { metadata, spec } = first;
  const member = spec.maxUnavailable === undefined ? 'minAvailable' : 'maxUnavailable';
  return [
    {
      because: { kind: first.kind, name: metadata.name, field: `spec.${member}` },
      observed: `PodDisruptionBudget ${metadata.name} (${member} ${spec[member]}) keeps ${kept} of ${replicas} pods: no eviction is ever allowed`,
      advice:
        replicas === 1
          ? 'run 2 replicas: a budget of one pod lets it never go'
          : 'let the budget allow one: maxUnavailable 1',
    },
  ];
}

const annotation = 'karpenter.sh/do-not-disrupt';

function doNotDisrupt({ workload }: Stuck): readonly Obstacle[] {
  if (workload.spec.template.metadata?.annotations?.[annotation] !== 'true') return [];
  return [
    {
      because: inWorkload(workload, 'spec.template.metadata.annotations'),
      observed: `the pods have the annotation ${annotation}: Karpenter never replaces their node, unless its NodePool has a terminationGracePeriod`,
      advice: 'take the annotation away, or give the NodePool a terminationGracePeriod',
    },
  ];
}
