import { labelsOf } from '../../settings/pod-selector.ts';
import { hasIngress, hasKarpenter, type Settings } from '../settings.ts';

/** Applications of one cluster: what each two share, and an order in which nothing that is shared is disturbed for both at once. */
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

export function together(all: readonly Settings[]): Together {
  const pairs = all.flatMap((one, index) =>
    all.slice(index + 1).map(
      (other): Pair => ({
        applications: [nameOfApplication(one), nameOfApplication(other)],
        shares: rules.flatMap(({ of, what, scenarios }) => {
          const [a, b] = [of(one), of(other)];
          return a !== undefined && a === b ? [{ what: what(one), scenarios }] : [];
        }),
      }),
    ),
  );
  return { pairs, steps: stepsOf(all.map(nameOfApplication), pairs) };
}

/** What two applications may have in common: the same value for both. */
interface Rule {
  readonly of: (settings: Settings) => string | undefined;
  readonly what: (settings: Settings) => string;
  readonly scenarios: readonly string[];
}

const rules: readonly Rule[] = [
  {
    of: poolKey,
    what: (settings) =>
      hasKarpenter(settings) ? `the pool ${settings.nodePool.name}` : `the nodes with ${nodeLabels(settings)}`,
    // Scale up cordons nodes of the pool, to make capacity lacking.
    scenarios: ['scale-up', 'node-drain', 'instance-kill', 'disruption-budget', 'consolidation'],
  },
  {
    of: (settings) => (hasIngress(settings) ? keyOf(settings.ingressController) : undefined),
    what: ({ ingressController }) => `the ingress controller in ${ingressController.namespace}`,
    scenarios: ['load', 'ingress-controller-failure'],
  },
  {
    of: ({ dnsAutomation }) => keyOf(dnsAutomation),
    what: ({ dnsAutomation }) => `the DNS automation in ${dnsAutomation.namespace}, which the scenario pauses`,
    scenarios: ['dns-failure'],
  },
  {
    of: ({ url }) => new URL(url).hostname,
    what: ({ url }) => `the name ${new URL(url).hostname}`,
    scenarios: ['dns-failure'],
  },
  {
    of: ({ namespace, disruptionBudget }) =>
      disruptionBudget === null ? undefined : `${namespace}/${disruptionBudget}`,
    what: ({ namespace, disruptionBudget }) =>
      `the budget ${namespace}/${disruptionBudget}, which counts the pods of both`,
    scenarios: ['node-drain', 'disruption-budget', 'consolidation'],
  },
];

function poolKey(settings: Settings): string | undefined {
  if (hasKarpenter(settings)) return `pool ${settings.nodePool.name}`;
  const labels = Object.entries(labelsOf(nodeLabels(settings)) ?? {}).toSorted(([a], [b]) => a.localeCompare(b));
  return `nodes ${JSON.stringify(labels)}`;
}

const nodeLabels = ({ nodePool }: Settings): string => nodePool.selector ?? `role=${nodePool.role}`;

const keyOf = ({ namespace, selector }: Settings['dnsAutomation']): string => `${namespace} ${selector}`;

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
