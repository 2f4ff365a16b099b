import { never, type Prediction, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import type { Circumstances } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** 4.1, Load: a closed loop that is over after seconds, and few of the monitor's samples with it (facts S13). */
export function load(_now: Circumstances, { load: { requests, concurrency } }: Settings): Prediction {
  return {
    durationSeconds: sum(usual.frame, usual.load, range(0, 60)),
    downtimeSeconds: never,
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: usual.load,
        what: `${requests} requests are answered`,
        because: `${concurrency} at a time, as fast as they are answered`,
      },
    ],
  };
}

/** The controller's own chart: readiness every 10 s (facts 3.8). */
const controllerReady = range(1, 30);

/** 4.1, Ingress controller failure. */
export function ingressControllerFailure({ ingressReplicas, ingressNodes }: Circumstances): Prediction {
  const alone = ingressReplicas < 2;
  return {
    durationSeconds: sum(usual.frame, range(0, 300)),
    downtimeSeconds: alone ? range(1, controllerReady.most) : never,
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: range(0, alone ? controllerReady.most : 0),
        what: alone ? 'nobody answers' : 'the other controllers answer',
        because: `${ingressReplicas} controller replicas on ${ingressNodes} nodes`,
      },
      { afterSeconds: controllerReady, what: 'the new pod is ready', because: 'its readiness probe' },
    ],
  };
}

/** 4.1, DNS failure: resolvers keep what they know, good or bad, for its TTL. */
export function dnsFailure(_now: Circumstances, { dns: { ttl } }: Settings): Prediction {
  const back = sum(usual.recordLoop, usual.zonePropagation);
  const known = sum(back, usual.negativeTtl);
  return {
    durationSeconds: sum(usual.frame, range(back.least, known.most + ttl)),
    downtimeSeconds: range(0, known.most),
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: range(0, ttl),
        what: 'clients begin to fail',
        because: `resolvers keep the record for its TTL of ${ttl} s`,
      },
      {
        afterSeconds: back,
        what: 'the record is back',
        because: 'external-dns looks once in 60 s, and the zone has to be in sync',
      },
      {
        afterSeconds: known,
        what: 'the last client succeeds again',
        because: `"no such name" is kept for the zone's negative TTL, ${usual.negativeTtl.most} s in Route 53 unless set`,
      },
    ],
  };
}
