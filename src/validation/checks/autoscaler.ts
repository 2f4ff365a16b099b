import { componentPods } from './component-pods.ts';
import type { Check } from './index.ts';

/** "The autoscaler pods … must be healthy." */
export const autoscaler: Check = {
  name: 'autoscaler',
  mandatory: true,
  look: (site, { autoscaler: place }) =>
    componentPods(
      site,
      { id: 'autoscaler', component: 'autoscaler', advice: 'start Karpenter: without it no node is replaced' },
      place,
    ),
};
