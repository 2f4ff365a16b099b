import { never, type Prediction, range, sum } from '../record/prediction.ts';
import type { Circumstances } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** kubectl asks again after 5 s when a budget refuses an eviction (facts 3.2). */
const evictionRetrySeconds = 5;

/** 4.1: evicted one by one as the budget allows; a new node where the pods fit nowhere else. */
export function nodeDrain(now: Circumstances): Prediction {
  const leaving = range(now.preStopSeconds, now.graceSeconds + evictionRetrySeconds);
  const onNewNode = sum(usual.newNode, now.pulledStart);
  const together = now.applicationNodes === 1;
  const safe = now.preStopSeconds >= usual.endpointLag.most && (!together || now.hasReadinessProbe);
  return {
    durationSeconds: sum(usual.frame, range(leaving.least, leaving.most + onNewNode.most)),
    downtimeSeconds: safe ? never : range(0, together ? onNewNode.most : usual.endpointLag.most),
    nodeReadySeconds: sum(range(0, leaving.most), usual.newNode),
    podReadySeconds: range(now.cachedStart.least, leaving.most + onNewNode.most),
    steps: [
      {
        afterSeconds: leaving,
        what: 'the pods have left the node',
        because: together
          ? 'all replicas are on one node: the budget lets one go at a time'
          : `the replicas are on ${now.applicationNodes} nodes`,
      },
      {
        afterSeconds: sum(leaving, usual.newNode),
        what: 'a new node, where they fit nowhere else',
        because: 'EC2 takes 45 to 120 s',
      },
      {
        afterSeconds: sum(leaving, onNewNode),
        what: 'the pods are ready again',
        because: 'the image is pulled there first',
      },
    ],
  };
}
