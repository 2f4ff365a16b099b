import { type Range, range } from '../record/prediction.ts';

/** How long things take that no setting says, in seconds; each with where it comes from (facts 4.0). */
export const usual = {
  /** Frame of every scenario: 30 good samples before, a hold of 10 s, 30 good samples after (run-scenario.ts). */
  frame: range(70, 130),
  /** Scale up is held 30 s longer (scale-up.ts). */
  longerHold: range(30, 30),
  /** EC2: NodeClaim to Initialized; 45 to 120 s are typical (facts 3.4). */
  newNode: range(45, 120),
  /** A container whose image is on the disk (facts 4.3), and one whose image is pulled (facts 4.3, 10 to 30 s). */
  cachedStart: range(0, 2),
  pulledStart: range(1, 30),
  /** ingress-nginx: sync limiter 3.3 s and Lua 1 s (facts 3.8). */
  endpointLag: range(0, 5),
  /** EC2 state change by EventBridge and SQS (facts 4.5). */
  interruption: range(0, 10),
  /** After TerminateInstances pods may answer for seconds (facts 4.5). */
  powerOff: range(0, 10),
  /** Node controller's and cloud controller's period (facts 4.0). */
  controllerPeriod: range(0, 5),
  /** PodGC: 20 s loop and 40 s quarantine (facts 4.0). */
  podCollected: range(40, 60),
  /** Karpenter's watch of NodeClaims (facts 3.4). */
  driftSeen: range(0, 5),
  /** Karpenter: poll 10 s, a nominated node is left alone for 20 s (facts 3.3). */
  disruptionBegins: range(0, 30),
  /** Karpenter: poll 10 s, validation 15 s (facts 3.3). */
  consolidationBegins: range(15, 25),
  /** Karpenter drains for at least 5 s; EC2 shutting-down takes tens of seconds (facts 3.3). */
  nodeGone: range(5, 60),
  /** external-dns `--interval` (facts 3.7). */
  recordLoop: range(0, 60),
  /** Route 53: INSYNC within tens of seconds (facts 4.10). */
  zonePropagation: range(10, 60),
  /** Route 53's own SOA: negative answers are kept for 900 s (facts 4.0). */
  negativeTtl: range(0, 900),
  /** `hey -n 20000 -c 500`: 2 to 10 s (facts S13), and room for a slow application. */
  load: range(2, 60),
} as const satisfies Record<string, Range>;
