import { nodePoolField } from './node-pool-field.ts';

/** How long a node has to be without pod events before the autoscaler may consolidate it. */
export const setConsolidateAfter = nodePoolField('set-consolidate-after', 'consolidateAfter');
