import { goodSamples, holdSeconds } from '../frame.ts';
import { type Range, range } from '../record/prediction.ts';

/** Good samples before, the hold, and good samples after, at a sample a second. */
const frameSeconds = 2 * goodSamples + holdSeconds;

/** Durations that no setting and no object states, in seconds; each with its source. */
export const typicalDurations = {
  /** The frame of every scenario; up to a minute more until the application is steady. */
  frame: range(frameSeconds, frameSeconds + 60),
  /** A new node, from NodeClaim to Initialized (docs/facts/aws.md, "A new instance"). */
  newNode: range(45, 120),
  /**
   * The start of a container whose image is on the node, and of one whose image is pulled (docs/facts/kubernetes.md,
   * "The start of a pod").
   */
  cachedStart: range(0, 2),
  pulledStart: range(1, 30),
  /** Until ingress-nginx uses a changed list of endpoints (docs/facts/ingress-nginx.md, "Learning of endpoints"). */
  endpointLag: range(0, 5),
  /** A change of an instance's state by EventBridge and SQS (docs/facts/aws.md, "The end of an instance"). */
  interruption: range(0, 10),
  /** How long pods may still answer after TerminateInstances (docs/facts/aws.md, "The end of an instance"). */
  powerOff: range(0, 10),
  /** The period of the node controller and of the cloud controller (docs/facts/kubernetes.md, "A node that fails"). */
  controllerPeriod: range(0, 5),
  /** PodGC: a loop of 20 s and a quarantine of 40 s (docs/facts/kubernetes.md, "A node that fails"). */
  podCollected: range(40, 60),
  /**
   * From a collected pod to its volume on another node, when the node that had it is dead (docs/facts/kubernetes.md, "A
   * node that fails").
   */
  heldVolume: range(360, 390),
  /** Until Karpenter sets Drifted (docs/facts/karpenter.md, "Drift of one NodeClaim"). */
  driftSeen: range(0, 5),
  /** Karpenter polls every 10 s and leaves a nominated node alone for 20 s (docs/facts/karpenter.md, "Disruption"). */
  disruptionBegins: range(0, 30),
  /** Karpenter polls every 10 s and validates for 15 s (docs/facts/karpenter.md, "Disruption"). */
  consolidationBegins: range(15, 25),
  /**
   * Karpenter drains for at least 5 s (docs/facts/karpenter.md, "Draining"); EC2 is shutting-down for tens of seconds.
   */
  nodeGone: range(5, 60),
  /** The `--interval` of external-dns (docs/facts/dns.md, "external-dns"). */
  recordLoop: range(0, 60),
  /** Until a change is INSYNC (docs/facts/aws.md, "Route 53"). */
  zonePropagation: range(10, 60),
  /** How long negative answers are kept by the SOA of Route 53 (docs/facts/aws.md, "Route 53"). */
  negativeTtl: range(0, 900),
  /**
   * 20,000 requests at concurrency 500 take 2 to 10 s (docs/facts/measuring.md, "Load"), with room for a slow
   * application.
   */
  load: range(2, 60),
} as const satisfies Record<string, Range>;
