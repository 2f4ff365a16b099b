import type { Outage } from '../../src/validation/downtime/downtime.ts';
import type { LogView } from '../../src/validation/judge/log-view.ts';
import { watchedKinds } from '../../src/validation/record/digest.ts';
import type { ActionIntended, RunStarted, ValidationFact } from '../../src/validation/record/events.ts';
import type { WindowDowntime } from '../../src/validation/window-downtime.ts';
import { at, change, claim, node, pod } from './changes.ts';
import { settings } from './measured.ts';
import { downtime, episodesOf } from './results.ts';

/** Seconds after ten o'clock, as the journal writes them. */
export const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

/** The fact at that second. */
export const fact = (seconds: number, rest: object): ValidationFact =>
  ({ at: iso(seconds), ...rest }) as unknown as ValidationFact;

export function started(over: Partial<RunStarted> = {}): ValidationFact {
  const run = { id: 'test', kind: 'cluster', cluster: 'https://api.example' } as const;
  const tool = { name: 'holdfast', version: '0.0.0' } as const;
  return { at: iso(-300), type: 'run-started', tool, run, scenarios: [], partial: true, settings, ...over };
}

/** Two nodes of the pool with a pod each, watched from the start. */
export const watched: readonly ValidationFact[] = [
  change(-290, 'NodePool', 'pool', { budgets: [{ nodes: '10%' }] }, 'added'),
  ...['a', 'b'].flatMap((name) => [
    change(-290, 'Node', `node-${name}`, node(name), 'added'),
    change(-290, 'NodeClaim', `claim-${name}`, claim(name), 'added'),
    change(-290, 'Pod', `pod-${name}`, pod(name, { node: `node-${name}` }), 'added'),
    change(-290, 'IngressPod', `ingress-${name}`, pod(`i-${name}`), 'added'),
  ]),
  change(-290, 'Deployment', 'nginx-test', { replicas: 2, ready: 2 }, 'added'),
  change(-290, 'EndpointSlice', 'slice', { ready: 2, terminating: 0 }, 'added'),
  change(-290, 'PodDisruptionBudget', 'nginx-pdb', { healthy: 2, desired: 1, allowed: 1 }, 'added'),
  ...watchedKinds.map((kind) => fact(-289, { type: 'cluster-watched', kind })),
];

export const verified = fact(0, { type: 'application-verified', expectations: [] });

interface Made {
  readonly name: string;
  /**
   * When its window opens; it acts 1 s later, is at rest after 20 s, undone after 30 s, and the window closes after 60
   * s.
   */
  readonly from: number;
  readonly intended?: Partial<ActionIntended>;
  /** Further facts of the scenario. */
  readonly more?: readonly ValidationFact[];
}

/** The facts of a scenario from its start to its end. */
export function scenarioFacts({ name: scenario, from, intended = {}, more = [] }: Made): readonly ValidationFact[] {
  const id = `${scenario} 1`;
  return [
    fact(from - 40, { type: 'scenario-started', scenario }),
    fact(from, { type: 'window-opened', scenario }),
    fact(from, { type: 'round-opened', scenario, round: 0 }),
    fact(from + 1, {
      type: 'action-intended',
      id,
      scenario,
      action: 'delete-pod',
      subject: 'Pod a',
      intent: {},
      ...intended,
    }),
    fact(from + 1, { type: 'action-performed', id }),
    ...more,
    fact(from + 20, { type: 'scenario-settled', scenario }),
    fact(from + 30, { type: 'action-undone', id, state: 'not-needed', because: 'it is as before' }),
    fact(from + 60, { type: 'window-closed', scenario }),
    fact(from + 61, { type: 'scenario-finished', scenario }),
  ];
}

export const finished = (seconds: number): ValidationFact => fact(seconds, { type: 'run-finished' });

/** A run of these scenarios, from its first fact to its last, in the order of time. */
export function runOf(...facts: readonly (readonly ValidationFact[])[]): readonly ValidationFact[] {
  const all = [started(), ...watched, verified, ...facts.flat()];
  return [...all, finished(5000)].sort((a, b) => a.at.localeCompare(b.at));
}

/** A log with one good sample a second and these outages. */
export function logWith(outages: readonly Outage[] = [], over: Partial<WindowDowntime> = {}): LogView {
  return { outages, episodes: episodesOf(outages), downtimeIn: () => downtime(over) };
}

export function outage(from: number, seconds: number): Outage {
  const bounds = { seconds, lowerSeconds: seconds - 1, upperSeconds: seconds + 1 };
  return { from: iso(from), to: iso(from + seconds), ...bounds, samples: seconds, kinds: ['503'] };
}
