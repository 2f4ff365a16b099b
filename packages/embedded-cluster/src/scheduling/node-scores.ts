/** A score for each of the feasible nodes, in their order: from 0 to `maxNodeScore`. */
export type Scores = readonly number[];

/** framework.MaxNodeScore. */
export const maxNodeScore = 100;
