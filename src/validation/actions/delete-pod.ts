import type { PodIdentity } from '../../cluster/cluster.ts';
import type { Action } from './action.ts';

/** Deletes one pod, and only that one (uid precondition). Its ReplicaSet makes another: there is nothing to undo. */
export const deletePod: Action<PodIdentity, PodIdentity> = {
  name: 'delete-pod',
  prepare: async (_site, target) => target,
  async perform({ cluster }, { namespace, name, uid }) {
    await cluster.delete('Pod', { namespace, name }, { uid });
  },
  async verify({ cluster }, { namespace, name, uid }) {
    const pod = await cluster.get('Pod', { namespace, name });
    const going = pod === undefined || pod.metadata.uid !== uid || pod.metadata.deletionTimestamp !== undefined;
    return {
      id: 'pod-deleted',
      expected: `pod ${name} terminating or gone`,
      outcome: going ? 'met' : 'not-met',
      observed: going ? 'it is' : 'it is still there',
    };
  },
  undo: async () => ({ state: 'not-needed', because: 'its controller makes another pod' }),
  subject: ({ namespace, name }) => `Pod ${namespace}/${name}`,
  byHand: ({ namespace }) => `kubectl -n ${namespace} get pods`,
};
