import { allowedDisruptions } from '../../cluster/allowed-disruptions.ts';
import { never, type Prediction, range, sum } from '../record/prediction.ts';
import type { Circumstances } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** What proves that no second one follows (facts 3.4). */
const quietSeconds = 60;

/** 4.1: one claim is marked, and replaced before it is drained. */
export function disruptionBudget(now: Circumstances): Prediction {
  const begins = sum(usual.driftSeen, usual.disruptionBegins);
  const node = sum(begins, usual.newNode);
  const drained = sum(node, range(now.preStopSeconds, now.graceSeconds));
  const before = allowedDisruptions(now.budgets, now.poolNodes);
  return {
    durationSeconds: sum(usual.frame, drained, usual.nodeGone, range(quietSeconds, quietSeconds)),
    downtimeSeconds: now.preStopSeconds >= usual.endpointLag.most ? never : usual.endpointLag,
    nodeReadySeconds: node,
    podReadySeconds: sum(drained, now.pulledStart),
    steps: [
      { afterSeconds: usual.driftSeen, what: 'the claim is drifted', because: 'its hash is not the pool’s' },
      {
        afterSeconds: begins,
        what: 'one node is tainted',
        because: `budget "1" allows 1 of ${now.poolNodes} nodes; ${now.budgets.join(', ') || '10%'} allowed ${before}`,
      },
      { afterSeconds: node, what: 'its replacement is ready', because: 'EC2 takes 45 to 120 s' },
      { afterSeconds: drained, what: 'its pods have moved', because: 'Karpenter drains only then' },
      { afterSeconds: sum(drained, usual.nodeGone), what: 'it is gone', because: 'instances end in tens of seconds' },
    ],
  };
}
