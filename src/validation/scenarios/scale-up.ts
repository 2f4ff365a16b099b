import { noDowntime, podsReady } from '../expectations.ts';
import type { Scenario } from '../scenario.ts';
import { applicationAtRest } from '../snapshot.ts';

const replicas = 5;

/** 4.1, first row: set replicas 5; pods increase and nobody notices. */
export const scaleUp = {
  name: 'scale-up',
  title: 'Scale up',
  expected: 'pods increase; if capacity is lacking a new ARM node is provisioned; no downtime; log stays 200',
  baseline: { appReplicas: 2 },
  plan: (_before, { namespace, application }) => ({
    actions: [{ action: 'scale', target: { namespace, name: application, replicas } }],
  }),
  settled: (now) => applicationAtRest(now, replicas),
  // A new node takes 60 to 120 s on EC2 (facts 4.0, 4.1), an image pull 10 to 30 s more; three times their sum.
  settleWithinSeconds: 450,
  replaces: false,
  mayReplaceNodes: 0,
  mayLoseEndpoints: false,
  judge: (measured) => [
    podsReady(measured, replicas),
    noDowntime(measured, 'traffic came before the pods could serve: give the container a readiness probe'),
  ],
} as const satisfies Scenario;
