import { fulfils, requirementText } from '../../cluster/requirements.ts';
import type { Requirement } from '../../cluster/specs.ts';
import type { Finding } from '../finding.ts';
import { requirementsOf } from '../manifests/manifests.ts';
import { isRequirementLabel, type NodeDigest } from '../record/digest.ts';
import type { History } from '../record/history.ts';
import type { Settings } from '../settings.ts';

/**
 * Compares every node of the watched pool that was ready during the run with its requirements: those of 2.2 (arm64,
 * linux, on-demand, category r, generation > 6) unless the settings or the manifests have others. One finding for each
 * node that misses one; otherwise a single good finding, or none without nodes.
 */
export function nodeRequirementFindings(history: History, settings: Pick<Settings, 'nodePool'>): readonly Finding[] {
  const requirements = requirementsOf(settings).filter(({ key }) => isRequirementLabel(key));
  const pools = new Set(history.changes.flatMap(({ kind, name }) => (kind === 'NodePool' ? [name] : [])));
  const nodes = readyNodes(history, pools);
  const wrong = [...nodes].flatMap(([name, node]) => findingsOf(name, node, requirements));
  if (wrong.length > 0 || nodes.size === 0) return wrong;
  const observed = `${nodes.size} nodes: ${[...nodes.keys()].join(', ')}`;
  return [
    {
      ...findingAbout(`nodes of NodePool ${[...pools].join(', ')}`, requirements),
      severity: 'info',
      observed,
      advice: '',
    },
  ];
}

/** A node has all of its labels only when it is ready: the kubelet sets some, and Karpenter the others. */
function readyNodes({ changes }: History, pools: ReadonlySet<string>): ReadonlyMap<string, NodeDigest> {
  const nodes = new Map<string, NodeDigest>();
  for (const { kind, change, name, digest } of changes) {
    if (kind !== 'Node' || change === 'deleted') continue;
    if (digest.ready && pools.has(digest.labels['karpenter.sh/nodepool'] ?? '')) nodes.set(name, digest);
  }
  return nodes;
}

function findingsOf(name: string, { labels }: NodeDigest, requirements: readonly Requirement[]): readonly Finding[] {
  const missed = requirements.filter((requirement) => !fulfils(labels, requirement));
  if (missed.length === 0) return [];
  return [
    {
      ...findingAbout(`Node ${name}`, requirements),
      severity: 'error',
      observed: missed.map(({ key }) => `${key} is ${labels[key] ?? 'absent'}`).join(', '),
      advice: 'look at the requirements of the NodePool, and at what changes it or the nodes',
    },
  ];
}

const findingAbout = (
  subject: string,
  requirements: readonly Requirement[],
): Pick<Finding, 'id' | 'subject' | 'expected'> => ({
  id: 'node-requirements',
  subject,
  expected: requirements.map(requirementText).join('; '),
});
