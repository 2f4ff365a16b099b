import { UsageError } from '../../host/errors.ts';
import { nearest } from '../../settings/nearest.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { applicationMistakes, applicationsOf } from '../../validation/applications.ts';
import { allScenarios, furtherScenarios, scenarios } from '../../validation/scenarios/index.ts';
import { lacks } from '../../validation/scenarios/lacks.ts';
import type { Scenario } from '../../validation/scenarios/scenario.ts';
import { type Settings, validationSchema } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';
import { readConfiguration } from './configuration.ts';
import { requestMistakes } from './request-mistakes.ts';

/** Settings that the command line gives; of `load` single ones. */
export type TypedSettings = Omit<Partial<Settings>, 'load'> & { readonly load?: Partial<Settings['load']> };

/** The settings of validation: flags win over the file, the file over `assumed`. All mistakes are one `UsageError`. */
export async function readValidationSettings(
  context: Context,
  flags: TypedSettings,
  assumed: Partial<Settings> = {},
): Promise<Settings> {
  const { validation, mistakes } = await readConfiguration(context);
  const read = readSettings(validationSchema, withTyped({ ...assumed, ...validation }, flags), 'validation');
  const unseen = await Promise.all(
    monitorsIn(validation).map(async ({ at, monitor }) =>
      (await requestMistakes(context.host.files, monitor)).map((mistake) => `${at}.monitor.${mistake}`),
    ),
  );
  const all = [
    ...mistakes,
    ...('mistakes' in read ? read.mistakes : applicationMistakes(read.settings)),
    ...unseen.flat(),
  ];
  if ('settings' in read && all.length === 0) return read.settings;
  throw new UsageError(all);
}

/** How the address of each application is asked, as it is written. */
function monitorsIn(validation: object): readonly { readonly at: string; readonly monitor: unknown }[] {
  const { monitor, applications } = validation as Partial<Record<string, unknown>>;
  const further: readonly unknown[] = Array.isArray(applications) ? applications : [];
  return [
    { at: 'validation', monitor },
    ...further.map((one, index) => ({
      at: `validation.applications.${index}`,
      monitor: (one as { readonly monitor?: unknown } | null)?.monitor,
    })),
  ];
}

function withTyped(written: { readonly load?: unknown }, { load, ...flags }: TypedSettings): object {
  if (load === undefined) return { ...written, ...flags };
  const before = typeof written.load === 'object' ? written.load : {};
  return { ...written, ...flags, load: { ...before, ...load } };
}

/** The mistakes of a choice of scenarios, one sentence each: unknown names, or no scenario left. */
export function scenarioMistakes(names: readonly string[], from?: string): readonly string[] {
  const known: readonly string[] = allScenarios.map(({ name }) => name);
  const unknown = [...names, ...(from === undefined ? [] : [from])].filter((name) => !known.includes(name));
  if (unknown.length > 0) return unknown.map((name) => unknownName('scenario', name, known));
  if (from !== undefined && !scenarios.some(({ name }) => name === from))
    return [`--from begins a whole run later, and ${from} is in none: name it with --scenario.`];
  if (chosenScenarios(names, from).length > 0) return [];
  return [
    `--scenario ${names.join(' ')} with --from ${from} leaves no scenario: ${from} comes later in the order of the scenarios.`,
  ];
}

/** The scenarios named, or those of table 4.1 without a name, in their order, without those before `from`. */
export function chosenScenarios(names: readonly string[], from?: string): readonly Scenario[] {
  const chosen = names.length === 0 ? scenarios : allScenarios.filter(({ name }) => names.includes(name));
  const order = allScenarios.map(({ name }) => name);
  return chosen.filter(({ name }) => from === undefined || order.indexOf(name) >= order.indexOf(from));
}

/**
 * The scenarios named, or all, that this cluster can have for one of the applications at least: without Karpenter those
 * that disturb its objects, without an Ingress the one that disturbs its controller, are left out where nobody named
 * them, and are a `UsageError` where somebody did.
 */
export function scenariosOn(settings: Settings, names: readonly string[], from?: string): readonly Scenario[] {
  const chosen = inOrder(settings, [...chosenScenarios(names, from), ...(names.length === 0 ? ofOwner(settings) : [])]);
  const lacking = chosen.flatMap((scenario) => {
    const what = lackedByAll(settings, scenario);
    return what === undefined ? [] : [`scenario ${scenario.name} needs ${what}.`];
  });
  if (names.length > 0 && lacking.length > 0) throw new UsageError(lacking);
  return chosen.filter((scenario) => lackedByAll(settings, scenario) === undefined);
}

/** Those that a whole run has beside the table's. */
const ofOwner = ({ manifests }: Settings): readonly Scenario[] =>
  manifests === 'none' ? furtherScenarios.filter((one) => one.ofOwner) : [];

/**
 * On an application of its owner those that set no replicas come first: scaling spreads the pods, and what follows
 * would say something else than it does alone.
 */
const inOrder = ({ manifests }: Settings, chosen: readonly Scenario[]): readonly Scenario[] =>
  manifests === 'none' ? chosen.toSorted((one, other) => setsReplicas(one) - setsReplicas(other)) : chosen;

const setsReplicas = ({ baseline: { orMore } }: Scenario): number => (orMore ? 0 : 1);

/** What the first application lacks for it, if none of them has what it needs. */
export function lackedByAll(settings: Settings, scenario: Scenario): string | undefined {
  const what = applicationsOf(settings).map((one) => lacks(one, scenario));
  return what.includes(undefined) ? undefined : what[0];
}

/** `there is no scenario scale-upp; did you mean scale-up?` */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `there is no ${what} ${name}; ${meant === undefined ? `known are ${known.join(', ')}.` : `did you mean ${meant}?`}`;
}
