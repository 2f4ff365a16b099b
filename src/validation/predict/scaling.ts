import { never, type PredictedStep, type Prediction, range, sum } from '../record/prediction.ts';
import type { Circumstances } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** 4.1: pods where there is room, and a node where there is not. */
export function scaleUp(now: Circumstances): Prediction {
  const onNewNode = sum(usual.newNode, now.pulledStart);
  const tooEarly: PredictedStep = {
    afterSeconds: now.cachedStart,
    what: 'traffic reaches pods that do not listen yet',
    because: 'there is no readiness probe: a container counts as ready when it has started',
  };
  return {
    durationSeconds: sum(usual.frame, usual.longerHold, range(now.cachedStart.least, onNewNode.most)),
    downtimeSeconds: now.hasReadinessProbe ? never : range(0, now.cachedStart.most + usual.endpointLag.most),
    nodeReadySeconds: usual.newNode,
    podReadySeconds: range(now.cachedStart.least, onNewNode.most),
    steps: [
      { afterSeconds: now.cachedStart, what: 'pods ready on nodes with room', because: 'the image is on their disks' },
      ...(now.hasReadinessProbe ? [] : [tooEarly]),
      { afterSeconds: usual.newNode, what: 'a new node, if capacity is lacking', because: 'EC2 takes 45 to 120 s' },
      { afterSeconds: onNewNode, what: 'pods ready on it', because: 'the image is pulled there first' },
    ],
  };
}

/** 4.1: what goes is told to stop at the moment when the news of it begins to spread. */
export function scaleDown(now: Circumstances): Prediction {
  const lag = usual.endpointLag.most;
  const covered = now.preStopSeconds >= lag;
  return {
    durationSeconds: sum(usual.frame, range(now.preStopSeconds, now.graceSeconds)),
    downtimeSeconds: covered ? never : range(0, lag - now.preStopSeconds),
    nodeReadySeconds: null,
    podReadySeconds: null,
    steps: [
      {
        afterSeconds: usual.endpointLag,
        what: covered
          ? 'the ingress controller forgets the pods while they still serve'
          : 'requests meet pods that are gone',
        because: `preStop is ${now.preStopSeconds} s, and ingress-nginx needs up to ${lag} s to learn of it`,
      },
      {
        afterSeconds: range(now.preStopSeconds, now.graceSeconds),
        what: 'the pods are gone',
        because: `preStop, and at most terminationGracePeriodSeconds ${now.graceSeconds}`,
      },
    ],
  };
}
