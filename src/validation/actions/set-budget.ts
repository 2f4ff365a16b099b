import { nodePoolField } from './node-pool-field.ts';

/** The pool's disruption budgets, all of them: with one list no other budget can decide. */
export const setBudget = nodePoolField('set-budget', 'budgets');
