import { UsageError } from '../../host/errors.ts';
import { nearest } from '../../settings/nearest.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { scenarios } from '../../validation/scenarios/index.ts';
import type { Scenario } from '../../validation/scenarios/scenario.ts';
import { type Settings, validationSchema } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';
import { readConfiguration } from './configuration.ts';

/** The validation's settings: the file's, what the flags put over them, and what else to assume. Everything wrong is one `UsageError`. */
export async function readValidationSettings(
  context: Context,
  flags: Partial<Settings>,
  assumed: Partial<Settings> = {},
): Promise<Settings> {
  const { validation, mistakes } = await readConfiguration(context);
  const read = readSettings(validationSchema, { ...assumed, ...validation, ...flags }, 'validation');
  if ('settings' in read && mistakes.length === 0) return read.settings;
  throw new UsageError([...mistakes, ...('mistakes' in read ? read.mistakes : [])]);
}

/** What is wrong with a choice of scenarios, one sentence each: names that are none, or a choice that leaves nothing to do. */
export function scenarioMistakes(names: readonly string[], from?: string): readonly string[] {
  const known: readonly string[] = scenarios.map(({ name }) => name);
  const unknown = [...names, ...(from === undefined ? [] : [from])].filter((name) => !known.includes(name));
  if (unknown.length > 0) return unknown.map((name) => unknownName('scenario', name, known));
  if (chosenScenarios(names, from).length > 0) return [];
  return [`--scenario ${names.join(' ')} with --from ${from} leaves no scenario: ${from} comes after it.`];
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
