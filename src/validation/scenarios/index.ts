import type { Scenario } from '../scenario.ts';
import { nodeDrain } from './node-drain.ts';
import { scaleUp } from './scale-up.ts';
import { singleReplica } from './single-replica.ts';

/** A row of table 4.1. */
export type Row = Pick<Scenario, 'name' | 'title' | 'expected'> & Partial<Scenario>;

/** Table 4.1, in its order. A row that is only a row cannot be made yet: it is reported as not tested, never as met. */
export const scenarioRows = [
  scaleUp,
  {
    name: 'scale-down',
    title: 'Scale down',
    expected: 'pods terminate gracefully; no downtime; extra nodes may remain',
  },
  singleReplica,
  nodeDrain,
  {
    name: 'instance-kill',
    title: 'Instance hard kill',
    expected:
      'node NotReady; new ARM node provisioned; pods rescheduled; short recovery; target under 60 seconds total; measure node ready time, pod ready time, downtime seconds',
  },
  {
    name: 'disruption-budget',
    title: 'Disruption budget',
    expected: 'only one node replaced; no mass eviction; no downtime; revert afterwards',
  },
  {
    name: 'consolidation',
    title: 'Consolidation',
    expected: 'empty node removed; running node untouched; no downtime',
  },
  { name: 'load', title: 'Load', expected: 'no 5xx; CPU stable; no pod crashes' },
  {
    name: 'ingress-controller-failure',
    title: 'Ingress controller failure',
    expected: 'no downtime (needs at least 2 controller replicas); downtime means an ingress HA defect',
  },
  { name: 'dns-failure', title: 'DNS failure', expected: 'record how long clients fail and the TTL behavior' },
] as const satisfies readonly Row[];

/** The scenarios that can be made, in the table's order. */
export const scenarios: readonly Scenario[] = (scenarioRows as readonly Row[]).filter(
  (row): row is Scenario => 'plan' in row,
);
