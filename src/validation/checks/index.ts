import { adoption } from './adoption.ts';
import { anotherRun } from './another-run.ts';
import { application } from './application.ts';
import { autoscaler } from './autoscaler.ts';
import { autoscalerLeader } from './autoscaler-leader.ts';
import { certificate } from './certificate.ts';
import type { Check } from './check.ts';
import { clocks } from './clocks.ts';
import { cloudInstances } from './cloud-instances.ts';
import { cloudZone } from './cloud-zone.ts';
import { dnsAutomation } from './dns-automation.ts';
import { dnsRecord } from './dns-record.ts';
import { httpRoute } from './http-route.ts';
import { ingressAddress } from './ingress-address.ts';
import { nodeClaims } from './node-claims.ts';
import { nodeClass } from './node-class.ts';
import { nodePools } from './node-pools.ts';
import { nodesAtRest } from './nodes-at-rest.ts';
import { otherWriters } from './other-writers.ts';
import { permissions } from './permissions.ts';
import { poolBudgets } from './pool-budgets.ts';

/**
 * Phase 1 of 4.1: the checks of the specification in its order, then checks of what else would make a run meaningless.
 */
export const checks: readonly Check[] = [
  ingressAddress,
  dnsAutomation,
  autoscaler,
  autoscalerLeader,
  nodePools,
  nodeClass,
  nodeClaims,
  poolBudgets,
  nodesAtRest,
  dnsRecord,
  certificate,
  clocks,
  permissions,
  adoption,
  application,
  httpRoute,
  otherWriters,
  cloudInstances,
  cloudZone,
  anotherRun,
];
