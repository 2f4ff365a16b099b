import type { Check } from './check.ts';
import { componentPods } from './component-pods.ts';

/** "The autoscaler pods … must be healthy." */
export const autoscaler: Check = {
  name: 'autoscaler',
  mandatory: true,
  ofKarpenter: true,
  look: (run) =>
    componentPods(
      run,
      {
        id: 'autoscaler',
        component: 'autoscaler',
        advice:
          'start Karpenter: without it no node is replaced; a cluster that has none needs validation.autoscaler.kind: none',
      },
      run.settings.autoscaler,
    ),
};
