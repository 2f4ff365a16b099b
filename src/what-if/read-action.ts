import { type Copy, ofKind } from '../copy/copy.ts';
import type { Action } from './answer-shape.ts';

export interface Asked {
  readonly kind: 'drain' | 'lose';
  readonly names: readonly string[];
  readonly zone: string | undefined;
}

/** The action on nodes that the copy has; every mistake is a sentence. */
export function readAction(
  copy: Copy,
  { kind, names, zone }: Asked,
): { readonly action: Action } | { readonly mistakes: readonly string[] } {
  const nodes = ofKind(copy, 'Node');
  const known = new Set(nodes.map(({ metadata }) => metadata.name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    return { mistakes: unknown.map((name) => `there is no node ${name} in the copy: ${some([...known])}.`) };
  if (zone === undefined) return { action: { kind, nodes: [...new Set(names)] } };
  const zoneOf = (node: (typeof nodes)[number]) => node.metadata.labels?.['topology.kubernetes.io/zone'];
  const inZone = nodes.filter((node) => zoneOf(node) === zone).map(({ metadata }) => metadata.name);
  if (inZone.length > 0) return { action: { kind, nodes: inZone } };
  const zones = [...new Set(nodes.flatMap((node) => zoneOf(node) ?? []))];
  return { mistakes: [`no node of the copy is in the zone ${zone}: ${some(zones)}.`] };
}

function some(names: readonly string[]): string {
  if (names.length === 0) return 'it has none';
  const sorted = names.toSorted();
  return `it has ${sorted.slice(0, 5).join(', ')}${sorted.length > 5 ? ` and ${sorted.length - 5} more` : ''}`;
}
