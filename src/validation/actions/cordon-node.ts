import { isCordoned } from '../../cluster/pods.ts';
import { OperationError } from '../../host/errors.ts';
import type { Action } from './action.ts';
import { type Cordon, nodeOf, prepareCordon, setCordoned, uncordonByHand, undoCordon } from './cordon.ts';

/** Cordons a node, so that no new pod uses its spare capacity; the pods on it stay. */
export const cordonNode: Action<{ readonly node: string }, Cordon> = {
  name: 'cordon-node',
  async prepare(site, { node }) {
    const cordon = await prepareCordon(site, node);
    if (cordon !== undefined) return cordon;
    throw new OperationError({ tried: 'Cordoning', on: `Node ${node}`, reason: 'there is none' });
  },
  async perform(site, cordon) {
    if (!cordon.wasCordoned) await setCordoned(site, cordon, true);
  },
  async verify(site, { node }) {
    const found = await nodeOf(site, node);
    const keepsAway = found === undefined || isCordoned(found);
    return {
      id: 'cordoned',
      expected: `no new pods on ${node}`,
      outcome: keepsAway ? 'met' : 'inconclusive',
      observed: keepsAway ? 'it is cordoned' : 'it is schedulable',
      advice: keepsAway ? '' : 'something uncordons nodes: pause it',
    };
  },
  undo: undoCordon,
  subject: ({ node }) => `Node ${node}`,
  byHand: uncordonByHand,
};
