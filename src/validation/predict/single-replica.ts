import { type Prediction, range, sum } from '../record/prediction.ts';
import type { Circumstances } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** 4.1: nobody serves between the end of the old endpoint and the news of the new one. */
export function singleReplica(now: Circumstances): Prediction {
  const ready = now.cachedStart;
  const lag = usual.endpointLag.most;
  return {
    durationSeconds: sum(usual.frame, range(ready.least, Math.max(ready.most, now.graceSeconds))),
    downtimeSeconds: range(Math.max(0, ready.least - lag), ready.most + lag),
    nodeReadySeconds: null,
    podReadySeconds: ready,
    steps: [
      { afterSeconds: usual.endpointLag, what: '503: no endpoint', because: 'the only pod is not ready any more' },
      { afterSeconds: ready, what: 'the new pod is ready', because: 'its image is on the disk' },
      {
        afterSeconds: sum(ready, usual.endpointLag),
        what: '200 again',
        because: `ingress-nginx learns of the new endpoint within ${lag} s`,
      },
    ],
  };
}
