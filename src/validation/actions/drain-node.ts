import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';
import { type Cordon, prepareCordon, setCordoned, uncordonByHand, undoCordon } from './cordon.ts';
import { chooseForDrain } from './drain-filter.ts';
import { evictAll } from './evict-all.ts';

export interface DrainTarget {
  readonly node: string;
}

/**
 * `kubectl drain --ignore-daemonsets --delete-emptydir-data` by kubectl's rules (docs/facts/kubernetes.md, "Draining a
 * node"): cordons the node, evicts all pods at once, and waits until they are gone. The undo uncordons the node; the
 * pods that moved stay where they are.
 */
export const drainNode: Action<DrainTarget, Cordon> = {
  name: 'drain-node',
  async prepare(site, { node }) {
    const cordon = await prepareCordon(site, node);
    if (cordon !== undefined) return cordon;
    throw new OperationError({ tried: 'Draining', on: `Node ${node}`, reason: 'there is none' });
  },
  async perform(site, cordon, signal) {
    const { node } = cordon;
    await setCordoned(site, cordon, true);
    await evictAll(site, node, await podsToEvict(site, node), signal);
  },
  async verify(site, { node }) {
    const left = await podsToEvict(site, node);
    return {
      id: 'drained',
      expected: `no pod left on ${node} but those of DaemonSets`,
      outcome: left.length === 0 ? 'met' : 'not-met',
      observed: left.length === 0 ? 'none left' : `${left.map(({ name }) => name).join(', ')} left`,
    };
  },
  undo: undoCordon,
  takes: ({ node }) => [node],
  nodes: ({ node }) => [node],
  // A drained node is empty, or holds too little.
  replacedFor: ['Empty', 'Underutilized'],
  evicts: true,
  subject: ({ node }) => `Node ${node}`,
  byHand: uncordonByHand,
};

async function podsToEvict(site: Site, node: string) {
  const pods = await site.cluster.list('Pod', { fieldSelector: `spec.nodeName=${node}` });
  const choice = chooseForDrain(pods);
  if (choice.fatal.length === 0) return choice.evict;
  throw new OperationError({
    tried: 'Draining',
    on: `Node ${node}`,
    reason: choice.fatal.join('; '),
    next: 'Nothing was evicted, as with kubectl; give these pods a controller or move them first',
  });
}
