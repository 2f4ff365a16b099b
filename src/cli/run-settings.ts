import { UsageError } from '../host/errors.ts';
import { nearest } from '../settings/nearest.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Scenario } from '../validation/scenario.ts';
import { scenarioRows, scenarios } from '../validation/scenarios/index.ts';
import { type Settings, validationSchema } from '../validation/settings.ts';
import { readConfiguration } from './configuration.ts';
import type { Context } from './context.ts';

/** The validation's settings: the file's, what the flags put over them, and what else to assume. Everything wrong is one `UsageError`. */
export async function readValidationSettings(
  context: Context,
  flags: Partial<Settings>,
  assumed: Partial<Settings> = {},
): Promise<Settings> {
  const { validation } = await readConfiguration(context);
  const read = readSettings(validationSchema, { ...assumed, ...(validation as object), ...flags }, 'validation');
  if ('mistakes' in read) throw new UsageError(read.mistakes);
  return read.settings;
}

/** What is wrong with names of scenarios, one sentence each. */
export function scenarioMistakes(names: readonly string[]): readonly string[] {
  const known = scenarioRows.map(({ name }) => name);
  return names.flatMap((name) => {
    if (scenarios.some((scenario) => scenario.name === name)) return [];
    if ((known as readonly string[]).includes(name)) return [`the scenario ${name} cannot be made by this version.`];
    return [unknownName('scenario', name, known)];
  });
}

/** Those that were asked for, in the table's order, from one of them on; all that there are without a choice. */
export function chosenScenarios(names: readonly string[], from?: string): readonly Scenario[] {
  const first = scenarios.findIndex(({ name }) => name === from);
  const rest = first === -1 ? scenarios : scenarios.slice(first);
  return names.length === 0 ? rest : rest.filter(({ name }) => names.includes(name));
}

/** `there is no scenario scale-upp; did you mean scale-up?` */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `there is no ${what} ${name}${meant === undefined ? `; there are ${known.join(', ')}.` : `; did you mean ${meant}?`}`;
}
