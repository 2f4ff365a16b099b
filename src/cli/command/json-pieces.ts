/** So many elements of an array are made text at a time. */
const batch = 500;

/**
 * The text that `JSON.stringify` has for a record, in pieces: the outages of years would be many megabytes in one.
 * `shapes` are for the elements of the arrays with these names.
 */
export function* jsonPieces(record: object, shapes: Readonly<Record<string, Shape>> = {}): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(record)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* Array.isArray(value)
      ? elements(value, Object.hasOwn(shapes, key) ? shapes[key] : undefined)
      : [JSON.stringify(value)];
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

type Shape = (element: never) => unknown;

function* elements(all: readonly unknown[], shape: Shape = (element) => element): Generator<string> {
  for (let at = 0; at < all.length; at += batch) {
    const text = JSON.stringify((all.slice(at, at + batch) as never[]).map(shape));
    yield `${at === 0 ? '[' : ','}${text.slice(1, -1)}`;
  }
  yield all.length === 0 ? '[]' : ']';
}
