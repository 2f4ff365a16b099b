import { type Copy, ofKind } from '../copy/copy.ts';
import { type Action, type ChangedWorkload, changedKinds } from './answer-shape.ts';

export type ActionKind = Action['kind'];
export interface Asked {
  readonly kind: ActionKind;
  /** Nodes; of `rollout` and `scale` the workload, and the number of replicas. */
  readonly names: readonly string[];
  readonly zone: string | undefined;
}

type Read = { readonly action: Action } | { readonly mistakes: readonly string[] };

/** The action on what the copy has; every mistake is a sentence. */
export function readAction(copy: Copy, { kind, names, zone }: Asked): Read {
  if (kind === 'drain' || kind === 'lose') return onNodes(copy, kind, names, zone);
  const [name = '', count = ''] = names;
  const workload = workloadNamed(copy, name);
  if (typeof workload === 'string') return { mistakes: [workload] };
  return { action: kind === 'rollout' ? { kind, workload } : { kind, workload, replicas: Number(count) } };
}

function onNodes(copy: Copy, kind: 'drain' | 'lose', names: readonly string[], zone: string | undefined): Read {
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

/** `Deployment/web` or `Deployment/shop/web`: the one of that name, or the sentence that says why there is none. */
function workloadNamed(copy: Copy, text: string): ChangedWorkload | string {
  const [kindText = '', ...path] = text.split('/');
  const kind = changedKinds.find((one) => one.toLowerCase() === kindText.toLowerCase());
  const name = path.at(-1) ?? '';
  if (kind === undefined || path.length > 2 || name === '')
    return `'${text}' is no workload: name it KIND/NAME or KIND/NAMESPACE/NAME, with ${changedKinds.join(' or ')}.`;
  const all = ofKind(copy, kind).map(({ metadata }) => ({ kind, namespace: metadata.namespace ?? '', ...metadata }));
  const found = all.filter((one) => one.name === name && (path.length === 1 || one.namespace === path[0]));
  const [first, second] = found;
  if (first === undefined)
    return `there is no ${kind} ${path.join('/')} in the copy: ${some(all.map((one) => `${one.namespace}/${one.name}`))}.`;
  if (second !== undefined)
    return `there are several: name one of ${found.map((one) => `${kind}/${one.namespace}/${one.name}`).join(', ')}.`;
  return { kind, namespace: first.namespace, name };
}

function some(names: readonly string[]): string {
  if (names.length === 0) return 'it has none';
  const sorted = names.toSorted();
  return `it has ${sorted.slice(0, 5).join(', ')}${sorted.length > 5 ? ` and ${sorted.length - 5} more` : ''}`;
}
