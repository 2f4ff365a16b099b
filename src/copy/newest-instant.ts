import type { CopiedObject } from './copy.ts';

/** The newest instant that an object names, epoch milliseconds: a dump does not say when it was made. */
export function newestInstant(objects: ReadonlyMap<string, readonly CopiedObject[]>): number {
  let newest = 0;
  for (const ofKind of objects.values())
    for (const object of ofKind)
      for (const text of instantsOf(object)) newest = Math.max(newest, Date.parse(text) || 0);
  return newest;
}

function instantsOf(object: CopiedObject): readonly string[] {
  const { metadata, status, spec } = object as CopiedObject & {
    readonly status?: { readonly conditions?: readonly { readonly lastTransitionTime?: string }[] };
    readonly spec?: { readonly renewTime?: string };
  };
  const changed = (status?.conditions ?? []).flatMap(({ lastTransitionTime }) => lastTransitionTime ?? []);
  const created = metadata.creationTimestamp;
  return [
    ...(created === undefined ? [] : [created]),
    ...(spec?.renewTime === undefined ? [] : [spec.renewTime]),
    ...changed,
  ];
}
