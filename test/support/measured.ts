import type { ApplicationMeasurement } from '../../src/validation/measure/application.ts';
import type { Measurement } from '../../src/validation/measure/measure.ts';
import type { NewNode, PoolMeasurement } from '../../src/validation/measure/pool.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import { type Settings, validationSchema } from '../../src/validation/settings.ts';
import { bounded, downtime } from './results.ts';

export const settings: Settings = validationSchema.parse({});

export const armNode = (name: string, over: Readonly<Record<string, string>> = {}): NewNode => ({
  name,
  labels: {
    'kubernetes.io/arch': 'arm64',
    'kubernetes.io/os': 'linux',
    'karpenter.sh/capacity-type': 'on-demand',
    'karpenter.k8s.aws/instance-category': 'r',
    'karpenter.k8s.aws/instance-generation': '8',
    ...over,
  },
  holdsNewPod: true,
});

export const application = (over: Partial<ApplicationMeasurement> = {}): ApplicationMeasurement => ({
  readyAtRest: 2,
  wantedAtRest: 2,
  podReady: bounded(5),
  doubts: [],
  podRestarts: 0,
  deadlineExceeded: false,
  fewestReadyEndpoints: 1,
  podsLostAtOnce: 1,
  exits: [],
  ...over,
});

export const pool = (over: Partial<PoolMeasurement> = {}): PoolMeasurement => ({
  nodeReplacement: null,
  nodeReady: null,
  doubts: [],
  nodesReplaced: 0,
  maxConcurrentDisruptions: 0,
  newNodes: [[]],
  disruptedWithPods: [],
  taken: [],
  emptied: [],
  removed: [],
  ...over,
});

/** No downtime, two pods ready, nothing of the pool touched. */
export const measured = (over: Partial<Measurement> = {}): Measurement => ({
  downtime: downtime(),
  outagesBegun: { beforeUndo: 0, afterUndo: 0 },
  lacks: [],
  application: application(),
  pool: pool(),
  ...over,
});

/** Outcomes by the expectations' ids. */
export function outcomes(
  scenario: Pick<Scenario, 'judge'>,
  over: Partial<Measurement> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    scenario.judge(measured(over), settings).map(({ id, outcome }): [string, string] => [id, outcome]),
  );
}

/** What one expectation observed and advises. */
export function words(scenario: Pick<Scenario, 'judge'>, id: string, over: Partial<Measurement> = {}): string {
  const found = scenario.judge(measured(over), settings).find((one) => one.id === id);
  return `${found?.observed} | ${found?.advice ?? ''}`;
}
