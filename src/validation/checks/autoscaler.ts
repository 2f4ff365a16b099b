import type { Check } from './check.ts';
import { componentPods } from './component-pods.ts';

/** "The autoscaler pods … must be healthy." */
export const autoscaler: Check = {
  name: 'autoscaler',
  mandatory: true,
  look: (run) =>
    componentPods(
      run,
      { id: 'autoscaler', component: 'autoscaler', advice: 'start Karpenter: without it no node is replaced' },
      run.settings.autoscaler,
    ),
};
