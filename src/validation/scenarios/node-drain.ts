import { applicationAtRest } from '../observe/snapshot.ts';
import { chooseVictim } from '../observe/victim.ts';
import { noDowntime, podsReady } from './expectations.ts';
import type { Scenario } from './scenario.ts';

/** 4.1, fourth row: drain a node as `kubectl drain --ignore-daemonsets --delete-emptydir-data` does. */
export const nodeDrain = {
  name: 'node-drain',
  title: 'Manual node drain',
  expected: 'pods rescheduled; no downtime with at least 2 replicas',
  baseline: { appReplicas: 2 },
  plan: (before, settings) => {
    const victim = chooseVictim(before, settings);
    return 'inconclusive' in victim ? victim : { actions: [{ action: 'drain-node', target: { node: victim.node } }] };
  },
  settled: (now) => applicationAtRest(now, 2),
  // As for scale-up: a new node, and a pod on it.
  settleWithinSeconds: 450,
  replaces: true,
  mayRemoveEmptyNodes: false,
  mayLoseEndpoints: false,
  judge: (measured) => [
    podsReady(measured, 2),
    noDowntime(measured, 'spread the replicas over nodes, and give the application a PodDisruptionBudget'),
  ],
} as const satisfies Scenario;
