import type { Node } from '../../cluster/resources.ts';
import { OperationError } from '../../host/errors.ts';
import type { Action } from '../action.ts';
import type { Site } from '../scenario.ts';
import { chooseForDrain } from './drain-filter.ts';
import { evictAll } from './evict-all.ts';

export interface DrainTarget {
  readonly node: string;
}
interface DrainIntent extends DrainTarget {
  readonly uid: string;
  /** What `spec.unschedulable` was: only a node that we cordoned is uncordoned. */
  readonly wasCordoned: boolean;
}

/**
 * `kubectl drain --ignore-daemonsets --delete-emptydir-data` by kubectl's own rules (facts 3.2): cordon, choose, evict all at
 * once, wait until they are gone. Undone by uncordoning; the pods that moved stay where they are.
 */
export const drainNode: Action<DrainTarget, DrainIntent> = {
  name: 'drain-node',
  async prepare(site, { node }) {
    const found = await nodeOf(site, node);
    if (found === undefined)
      throw new OperationError({ tried: 'Draining', on: `Node ${node}`, cameBack: 'there is none' });
    return { node, uid: found.metadata.uid ?? '', wasCordoned: isCordoned(found) };
  },
  async perform(site, { node }, signal) {
    await setCordoned(site, node, true);
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
  async undo(site, { node, uid, wasCordoned }) {
    const before = await nodeOf(site, node);
    if (before === undefined || before.metadata.uid !== uid)
      return { state: 'not-needed', because: `node ${node} is gone` };
    if (wasCordoned) return { state: 'not-needed', because: 'it was cordoned before the run' };
    if (!isCordoned(before)) return { state: 'not-needed', because: 'it is schedulable, as before' };
    await setCordoned(site, node, false);
    const after = await nodeOf(site, node);
    return after !== undefined && isCordoned(after)
      ? { state: 'failed', because: `node ${node} is still cordoned after uncordoning it` }
      : { state: 'undone', because: 'it is schedulable again' };
  },
  subject: ({ node }) => `Node ${node}`,
  byHand: ({ node }) => `kubectl uncordon ${node}`,
};

const nodeOf = (site: Site, name: string) => site.cluster.get('Node', { name });
const isCordoned = (node: Node): boolean => node.spec?.unschedulable === true;

async function setCordoned(site: Site, name: string, cordoned: boolean): Promise<void> {
  // Null removes the field, as uncordoning with kubectl does.
  const value = { spec: { unschedulable: cordoned ? true : null } };
  await site.cluster.patch('Node', { name }, { type: 'strategic', value });
}

async function podsToEvict(site: Site, node: string) {
  const pods = await site.cluster.list('Pod', { fieldSelector: `spec.nodeName=${node}` });
  const choice = chooseForDrain(pods);
  if (choice.fatal.length === 0) return choice.evict;
  throw new OperationError({
    tried: 'Draining',
    on: `Node ${node}`,
    cameBack: choice.fatal.join('; '),
    next: 'Nothing was evicted, as with kubectl; give these pods a controller or move them first',
  });
}
