import { nodePoolField } from './node-pool-field.ts';

/** Replaces the whole list of the pool's disruption budgets, so that no other budget applies. */
export const setBudget = nodePoolField('set-budget', 'budgets');
