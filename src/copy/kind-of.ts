import { keptKinds } from './kept-kinds.ts';

const byPlural = new Map(Object.entries(keptKinds).map(([kind, { plural }]) => [plural, kind]));
/** Names of folders in support bundles (troubleshoot, pkg/collect/cluster_resources.go) that are no plurals. */
const otherNames: Readonly<Record<string, string>> = { pvcs: 'PersistentVolumeClaim', pvs: 'PersistentVolume' };

/**
 * The kind of an object that does not say it itself: an item of a list has it from the list, `PodList`, or from the
 * folder or the file that it is in, `pod-disruption-budgets/default.json`.
 */
export function kindOf(
  object: { readonly kind?: unknown },
  list: string | undefined,
  path: string,
): string | undefined {
  if (typeof object.kind === 'string' && object.kind !== '') return object.kind;
  const ofList = /^\s*"?kind"?\s*:\s*"?([A-Za-z0-9]+)List"?\s*,?\s*$/m.exec(list ?? '')?.[1];
  if (ofList !== undefined && ofList !== '') return ofList;
  const inLine = /"kind"\s*:\s*"([A-Za-z0-9]+)List"/.exec(list ?? '')?.[1];
  return inLine ?? kindByPath(path);
}

function kindByPath(path: string): string | undefined {
  const names = path.split('/').slice(-3).reverse();
  for (const name of names) {
    const plain = name
      .replace(/\.(ya?ml|json)(\.gz)?$/, '')
      .replaceAll('-', '')
      .toLowerCase();
    const kind = byPlural.get(plain) ?? otherNames[plain];
    if (kind !== undefined) return kind;
  }
  return undefined;
}
