import { type PresetName, presets } from './presets.ts';
import { type TaskName, tasksOn } from './tasks.ts';

/** The parts of the settings that name steps, before they are validated. */
export type GivenSteps = Readonly<Partial<Record<'caches' | 'steps' | TaskName, unknown>>>;

/**
 * Steps that a reader, a rollback or `failedStep` could not tell apart, one sentence each: the same failure of two
 * steps would look like one that both commits have. The same command without a name is the same step twice.
 */
export function stepNameTrouble(given: GivenSteps, preset: PresetName): readonly string[] {
  const named = [...givenSteps(given), ...ownSteps(given, preset)];
  return named.flatMap((step, index) => {
    if (step.place === undefined) return [];
    if (reserved.has(step.name)) return [`${said(step)}, which is a step of holdfast itself: ${another}.`];
    const others = [...named.slice(0, index), ...named.slice(index).filter(({ place }) => place === undefined)];
    const same = others.find((other) => other.name === step.name && (step.isNamed || other.isNamed));
    return same === undefined ? [] : [`${said(step)}, as is ${same.place ?? 'a step of the preset'}: ${another}.`];
  });
}

/** The name of a step that has none: its command in one line. */
export function nameOfCommand(words: readonly string[]): string {
  return words
    .join(' ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
}

/** Names by which a run tells that the application cannot start, and that visitors get another release. */
const reserved: ReadonlySet<string> = new Set(['start', 'switch']);
const another = 'give it another name';

interface NamedStep {
  readonly name: string;
  readonly isNamed: boolean;
  /** Absent where the preset has it. */
  readonly place?: string;
}

const said = ({ place, name }: NamedStep): string => `deployment.${place}.name is ${JSON.stringify(name)}`;

const lists = [
  ['caches', 'clear'],
  ['caches', 'rebuild'],
  ['steps', 'before'],
  ['steps', 'after'],
] as const;

function givenSteps(given: GivenSteps): readonly NamedStep[] {
  return lists.flatMap(([group, list]) =>
    listIn(given[group], list).flatMap((step, index) => nameIn(step, `${group}.${list}.${index}`)),
  );
}

/** Those of the preset that the settings leave as they are. */
function ownSteps(given: GivenSteps, preset: PresetName): readonly NamedStep[] {
  const { caches } = presets[preset] ?? presets.none;
  const left = (['clear', 'rebuild'] as const).filter((list) => memberOf(given.caches, list) === undefined);
  const steps = [...left.flatMap((list) => [...caches[list]]), ...tasksOn(given, preset)];
  return steps.map(({ name }) => ({ name, isNamed: true }));
}

function nameIn(step: unknown, place: string): readonly NamedStep[] {
  const [name, command] = [memberOf(step, 'name'), memberOf(step, 'command')];
  if (typeof name === 'string') return name.trim() === '' ? [] : [{ name, isNamed: true, place }];
  const words = Array.isArray(command) ? command.filter((word) => typeof word === 'string') : [];
  return words.length === 0 ? [] : [{ name: nameOfCommand(words), isNamed: false, place }];
}

function listIn(group: unknown, list: string): readonly unknown[] {
  const steps = memberOf(group, list);
  return Array.isArray(steps) ? steps : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
