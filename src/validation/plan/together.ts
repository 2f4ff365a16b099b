import { scenarios } from '../scenarios/index.ts';
import { lacks } from '../scenarios/lacks.ts';
import type { Scenario, Shareable } from '../scenarios/scenario.ts';
import { dnsAutomationOf, ingressControllerOf, nodeLabels, poolOf } from '../scenarios/shared.ts';
import { hasKarpenter, type Settings } from '../settings.ts';

/**
 * Applications of one cluster: what each two share, and an order in which nothing that is shared is disturbed for both
 * at once.
 */
export interface Together {
  readonly pairs: readonly Pair[];
  /** Those of one step share nothing; the steps come one after the other. */
  readonly steps: readonly (readonly string[])[];
}
export interface Pair {
  readonly applications: readonly [string, string];
  /** Empty: what is done to one of them does not reach the other. */
  readonly shares: readonly Sharing[];
}
export interface Sharing {
  /** `the pool general-purpose-arm`. */
  readonly what: string;
  /** The scenarios of one that disturb it for the other too. */
  readonly scenarios: readonly string[];
}

/** `namespace/name`. */
export const nameOfApplication = ({ namespace, application }: Settings): string => `${namespace}/${application}`;

/** What objects of the cluster say two applications share, besides what the settings say. */
export type SharedObjects = (one: Settings, other: Settings) => readonly Sharing[];

export function together(all: readonly Settings[], inCluster: SharedObjects = () => []): Together {
  const pairs = all.flatMap((one, index) =>
    all.slice(index + 1).map(
      (other): Pair => ({
        applications: [nameOfApplication(one), nameOfApplication(other)],
        shares: distinct([
          ...rules.flatMap(({ of, what, disturbed }) => {
            const [a, b] = [of(one), of(other)];
            return a !== undefined && a === b ? [sharing(what(one), disturbed)] : [];
          }),
          ...inCluster(one, other),
        ]),
      }),
    ),
  );
  return { pairs, steps: stepsOf(all.map(nameOfApplication), pairs) };
}

/** What two applications may have in common: the same value for both. */
interface Rule {
  readonly of: (settings: Settings) => string | undefined;
  readonly what: (settings: Settings) => string;
  readonly disturbed: Shareable;
}

const rules: readonly Rule[] = [
  {
    of: poolOf,
    what: (settings) =>
      hasKarpenter(settings) ? `the pool ${settings.nodePool.name}` : `the nodes with ${nodeLabels(settings)}`,
    disturbed: 'nodes',
  },
  {
    of: (settings) => ingressControllerOf(settings) || undefined,
    what: ({ ingressController }) => `the ingress controller in ${ingressController.namespace}`,
    disturbed: 'ingress-controller',
  },
  {
    of: dnsAutomationOf,
    what: ({ dnsAutomation }) => `the DNS automation in ${dnsAutomation.namespace}, which the scenario pauses`,
    disturbed: 'dns-automation',
  },
  {
    of: ({ url }) => new URL(url).hostname,
    what: ({ url }) => `the name ${new URL(url).hostname}`,
    disturbed: 'host',
  },
  {
    of: ({ namespace, disruptionBudget }) =>
      disruptionBudget === null ? undefined : `${namespace}/${disruptionBudget}`,
    what: ({ namespace, disruptionBudget }) => budgetText(namespace, `${disruptionBudget}`),
    disturbed: 'budget',
  },
];

export const budgetText = (namespace: string, name: string): string =>
  `the budget ${namespace}/${name}, which counts the pods of both`;

/** With the scenarios of a whole run that disturb it. */
export const sharing = (what: string, disturbed: Shareable): Sharing => ({
  what,
  scenarios: scenarios.filter(({ disturbs = [] }) => disturbs.includes(disturbed)).map(({ name }) => name),
});

const distinct = (shares: readonly Sharing[]): readonly Sharing[] => [
  ...new Map(shares.map((one) => [one.what, one])).values(),
];

/** How one run of several applications makes a scenario. */
export interface Passes {
  readonly scenario: string;
  /**
   * Those of one group are disturbed at once, as far as they are on the node that is chosen; the groups one after the
   * other.
   */
  readonly groups: readonly (readonly string[])[];
}

export function passesOf(all: readonly Settings[], scenarios: readonly Scenario[]): readonly Passes[] {
  return scenarios.map((scenario) => {
    const able = all.filter((settings) => lacks(settings, scenario) === undefined);
    const key = (settings: Settings) => scenario.sharedBy?.(settings) ?? nameOfApplication(settings);
    const groups = [...Map.groupBy(able, key).values()].map((group) => group.map(nameOfApplication));
    return { scenario: scenario.name, groups };
  });
}

/** Each application into the first step in which it shares nothing. */
function stepsOf(names: readonly string[], pairs: readonly Pair[]): readonly (readonly string[])[] {
  const apart = new Set(
    pairs.filter(({ shares }) => shares.length > 0).flatMap(({ applications: [a, b] }) => [`${a} ${b}`, `${b} ${a}`]),
  );
  const steps: string[][] = [];
  for (const name of names) {
    const step = steps.find((one) => one.every((other) => !apart.has(`${name} ${other}`)));
    if (step === undefined) steps.push([name]);
    else step.push(name);
  }
  return steps;
}
