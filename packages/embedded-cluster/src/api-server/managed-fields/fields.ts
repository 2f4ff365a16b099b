/**
 * A set of fields as in FieldsV1 (meta/v1): `f:` a member, `k:` an item of a list by its keys, `v:` a value of a set.
 * An empty object is a field of the set; `.` means that the object that contains it is in the set too.
 */
export type Fields = { readonly [step: string]: Fields };

/** A set of one field: the value itself. */
export const leaf: Fields = Object.freeze({});
/** The step that means the object which contains it. */
export const self = '.';

/** The fields in either set. Returns `a` itself if `b` adds nothing. */
export function union(a: Fields, b: Fields): Fields {
  if (a === b) return a;
  const [mine, theirs] = [open(a), open(b)];
  let joined: Record<string, Fields> | undefined;
  for (const step in theirs) {
    const known = mine[step];
    const child = theirs[step] as Fields;
    const next = known === undefined || step === self ? (known ?? child) : union(known, child);
    if (next === known) continue;
    joined ??= { ...mine };
    joined[step] = next;
  }
  return joined === undefined ? a : closed(joined);
}

/** The fields in `a` and not in `b`; undefined if there are none. Returns `a` itself if `b` removes nothing. */
export function difference(a: Fields | undefined, b: Fields | undefined): Fields | undefined {
  if (b === undefined) return a;
  return filtered(a, b, (step, mine, theirs) => {
    if (theirs === undefined) return mine;
    return step === self ? undefined : difference(mine, theirs);
  });
}

/** The fields in both sets; undefined if there are none. */
export function intersection(a: Fields | undefined, b: Fields | undefined): Fields | undefined {
  if (b === undefined) return undefined;
  return filtered(a, b, (step, mine, theirs) => {
    if (theirs === undefined) return undefined;
    return step === self ? mine : intersection(mine, theirs);
  });
}

/** The fields in `a` of which no part is in `b`: an object stays out if `b` has any member of it. */
export function unclaimed(a: Fields | undefined, b: Fields | undefined): Fields | undefined {
  if (b === undefined) return a;
  return filtered(a, b, (step, mine, theirs) => (step === self ? undefined : unclaimed(mine, theirs)));
}

/** Every field as a path: `.spec.containers[name="nginx"].image`. */
export function paths(fields: Fields, prefix = ''): readonly string[] {
  return Object.entries(open(fields)).flatMap(([step, child]) =>
    step === self ? [prefix] : paths(child, prefix + stepText(step)),
  );
}

function stepText(step: string): string {
  const text = step.slice(2);
  if (step.startsWith('f:')) return `.${text}`;
  if (step.startsWith('v:')) return `[=${text}]`;
  const keys = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
}

function filtered(
  a: Fields | undefined,
  b: Fields | undefined,
  keep: (step: string, mine: Fields, theirs: Fields | undefined) => Fields | undefined,
): Fields | undefined {
  if (a === undefined) return undefined;
  const [mine, theirs] = [open(a), b === undefined ? {} : open(b)];
  const kept: Record<string, Fields> = {};
  let changed = false;
  for (const step in mine) {
    const child = mine[step] as Fields;
    const next = keep(step, child, theirs[step]);
    changed ||= next !== child;
    if (next !== undefined) kept[step] = next;
  }
  if (!changed) return a;
  return Object.keys(kept).length === 0 ? undefined : closed(kept);
}

/** With the value itself written as the step `.`. */
function open(fields: Fields): Fields {
  for (const _ in fields) return fields;
  return opened;
}
const opened: Fields = Object.freeze({ [self]: leaf });

function closed(fields: Fields): Fields {
  const steps = Object.keys(fields);
  return steps.length === 1 && steps[0] === self ? leaf : Object.freeze(fields);
}
