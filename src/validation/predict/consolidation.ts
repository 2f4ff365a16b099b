import { never, type Prediction, range, sum } from '../record/prediction.ts';
import { type Circumstances, consolidateAfterSeconds } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** 4.1: an empty node goes when it has been empty for `consolidateAfter`. */
export function consolidation(now: Circumstances): Prediction {
  const empty = range(now.preStopSeconds, now.graceSeconds);
  const begins = sum(empty, range(consolidateAfterSeconds, consolidateAfterSeconds), usual.consolidationBegins);
  return {
    durationSeconds: sum(usual.frame, begins, usual.nodeGone),
    downtimeSeconds: now.preStopSeconds >= usual.endpointLag.most ? never : usual.endpointLag,
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      { afterSeconds: empty, what: 'a node without pods', because: 'one replica is left' },
      {
        afterSeconds: begins,
        what: 'it is tainted',
        because: `consolidateAfter ${consolidateAfterSeconds / 60}m since its last pod event, poll 10 s, validation 15 s`,
      },
      { afterSeconds: sum(begins, usual.nodeGone), what: 'it is gone', because: 'instances end in tens of seconds' },
    ],
  };
}
