import { nodePoolField } from './node-pool-field.ts';

/** Sets how long a node must be without pod events before the autoscaler may consolidate it. */
export const setConsolidateAfter = nodePoolField('set-consolidate-after', 'consolidateAfter');
