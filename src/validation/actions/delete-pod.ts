import type { PodIdentity } from '../../cluster/cluster.ts';
import type { Action } from './action.ts';

/**
 * Deletes one pod, and only that one (uid precondition). There is nothing to undo: its ReplicaSet creates another pod.
 */
export const deletePod: Action<PodIdentity, PodIdentity> = {
  name: 'delete-pod',
  prepare: async (_site, target) => target,
  async perform({ cluster }, { namespace, name, uid }) {
    await cluster.delete('Pod', { namespace, name }, { uid });
  },
  async verify({ cluster }, { namespace, name, uid }) {
    const pod = await cluster.get('Pod', { namespace, name });
    const terminating = pod === undefined || pod.metadata.uid !== uid || pod.metadata.deletionTimestamp !== undefined;
    return {
      id: 'pod-deleted',
      expected: `pod ${name} terminating or gone`,
      outcome: terminating ? 'met' : 'not-met',
      observed: terminating ? 'it is' : 'it is still there',
    };
  },
  undo: async () => ({ state: 'not-needed', because: 'its controller makes another pod' }),
  subject: ({ namespace, name }) => `Pod ${namespace}/${name}`,
  byHand: ({ namespace }) => `kubectl -n ${namespace} get pods`,
};
