import fc from 'fast-check';
import { anyJson, hostileScalars, hostileTexts, prototypeNames } from './values.ts';

type Path = readonly (string | number)[];

/** The object with one to three places removed, replaced, or given an unknown member. */
export function mutated(object: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(object);
  const one = fc.tuple(fc.constantFrom(...places), change);
  return fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((value, [path, make]) => changedAt(value, path, make), object));
}

type Change = (value: unknown) => unknown;

/** Stands for a member that is taken away. */
const removed = Symbol('removed');

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>(() => removed),
  hostileScalars.map(
    (scalar): Change =>
      () =>
        scalar,
  ),
  anyJson.map(
    (json): Change =>
      () =>
        json,
  ),
  fc.tuple(fc.oneof(fc.constantFrom(...prototypeNames, '$patch', 'unknown'), hostileTexts), hostileScalars).map(
    ([name, value]): Change =>
      (old) =>
        withOwn(old, name, value),
  ),
  fc.constantFrom<Change>(
    (old) => [old],
    (old) => [old, old],
    (old) => ({ value: old }),
    (old) => JSON.stringify(old),
    () => 0.5,
  ),
);

function withOwn(old: unknown, name: string, value: unknown): unknown {
  if (typeof old !== 'object' || old === null) return { [name]: value };
  return Array.isArray(old) ? [...old, value] : Object.fromEntries([...Object.entries(old), [name, value]]);
}

/** Every place in a value, its root first. */
export function placesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...members.flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

/** The value with what is at the place changed; the same value where an earlier change took the place away. */
function changedAt(value: unknown, [first, ...rest]: Path, make: Change): unknown {
  if (first === undefined) {
    const next = make(value);
    return next === removed ? undefined : next;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return value;
  const next = changedAt((value as Readonly<Record<string, unknown>>)[first], rest, make);
  if (Array.isArray(value))
    return value.flatMap((item, index) => (index === Number(first) ? (next === undefined ? [] : [next]) : [item]));
  const entries = Object.entries(value).filter(([key]) => key !== String(first));
  return Object.fromEntries(next === undefined ? entries : [...entries, [String(first), next]]);
}
