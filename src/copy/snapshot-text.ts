import type { Copy } from './copy.ts';
import { headerLine } from './snapshot-format.ts';

/** A snapshot as text, in pieces: the header, then an object a line. */
export function* snapshotText({ takenAt, kubernetes, objects, kindsRead = [], namespaces }: Copy): Generator<string> {
  const kinds = Object.fromEntries(kindsRead.map((kind) => [kind, objects.get(kind)?.length ?? 0]));
  yield headerLine({ takenAt, kubernetes, kinds, namespaces });
  for (const kind of kindsRead) for (const object of objects.get(kind) ?? []) yield `${JSON.stringify(object)}\n`;
}
