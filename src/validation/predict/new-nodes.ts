import type { Circumstances } from './circumstances.ts';
import type { Predictable } from './predict.ts';

/** Nodes that the autoscaler may start for a part of a run. */
export interface NewNodes {
  /** `phase 3`, or a scenario's name. */
  readonly of: string;
  readonly nodes: number;
}

/** The parts of a run that may need new nodes, in their order: a node that one of them leaves has room in the next. */
export function newNodesOf(
  scenarios: readonly (Predictable & { readonly name: string })[],
  now: Circumstances,
  phase3: number,
): readonly NewNodes[] {
  let { poolNodes } = now;
  const parts = [{ of: 'phase 3', nodes: phase3 }];
  for (const { name, newNodes } of scenarios) {
    const nodes = newNodes?.({ ...now, poolNodes }) ?? 0;
    if (now.keepsEmptyNodes) poolNodes += nodes;
    parts.push({ of: name, nodes });
  }
  return parts.filter(({ nodes }) => nodes > 0);
}
