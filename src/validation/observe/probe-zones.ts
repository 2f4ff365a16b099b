import { isCordoned, isNodeReady } from '../../cluster/pods.ts';
import type { Node, Pod } from '../../cluster/resources.ts';
import { labelsMatch } from '../../settings/pod-selector.ts';
import { applicationsOf } from '../applications.ts';
import { probesOf, type Settings } from '../settings.ts';
import { isPoolNode } from './snapshot.ts';

/** The zones of a cluster: those in which a probe pod has a node that the run does not disturb, and the others. */
export interface ProbeZones {
  readonly zones: readonly string[];
  readonly without: readonly { readonly zone: string; readonly because: string }[];
}

export const zoneLabel = 'topology.kubernetes.io/zone';
const noZone = 'the zone without a name';

/**
 * Chooses the nodes for probe pods. A node of a pool of the run's applications is excluded because the run may drain,
 * terminate or replace it. A node with a pod of the application is excluded because both share its network. `pods` are
 * those of all of them.
 */
export function probeZones(nodes: readonly Node[], pods: readonly Pod[], settings: Settings): ProbeZones {
  const byZone = Map.groupBy(nodes, zoneOf);
  const used = new Set(pods.map(({ spec }) => spec.nodeName));
  const all = [...byZone].toSorted(([a], [b]) => a.localeCompare(b));
  const judged = all.map(([zone, there]) => ({ zone, because: whyNone(there, used, settings) }));
  return {
    zones: judged.flatMap(({ zone, because }) => (because === undefined ? [zone] : [])),
    without: judged.flatMap(({ zone, because }) => (because === undefined ? [] : [{ zone, because }])),
  };
}

const zoneOf = ({ metadata }: Node): string => metadata.labels?.[zoneLabel] ?? noZone;

/**
 * Why a zone has no node for a probe: the reason of the filter that removed the last one; undefined if a node is left.
 */
function whyNone(nodes: readonly Node[], used: ReadonlySet<string | undefined>, settings: Settings) {
  const { nodeSelector } = probesOf(settings);
  const all = applicationsOf(settings);
  const steps: readonly (readonly [because: string, fits: (node: Node) => boolean])[] = [
    ['its nodes name no zone', (node) => zoneOf(node) !== noZone],
    ['no node of it is ready and takes pods', (node) => isNodeReady(node) && !isCordoned(node)],
    ['its nodes are all of the pool that the run disturbs', (node) => !all.some((one) => isPoolNode(node, one))],
    ['its other nodes all hold pods of the application', ({ metadata }) => !used.has(metadata.name)],
    [
      `no other node of it has the labels ${nodeSelector}`,
      ({ metadata }) => nodeSelector === undefined || labelsMatch(metadata.labels, nodeSelector),
    ],
  ];
  let left = nodes;
  for (const [because, fits] of steps) {
    left = left.filter(fits);
    if (left.length === 0) return because;
  }
  return undefined;
}
