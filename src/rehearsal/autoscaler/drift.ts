import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import { meetsAll } from '../scheduling/requirements.ts';
import { words } from './words.ts';

export type DriftReason = 'NodePoolDrifted' | 'RequirementsDrifted';

/** Why a claim no longer is what its pool asks for; undefined while it is (pkg/controllers/nodeclaim/disruption/drift.go). */
export function driftOf(claim: NodeClaim, pool: NodePool, heedsRequirements = true): DriftReason | undefined {
  const [ours, theirs] = [claim.metadata.annotations ?? {}, pool.metadata.annotations ?? {}];
  const hashes = [ours[words.hash], theirs[words.hash]];
  const versions = [ours[words.hashVersion], theirs[words.hashVersion]];
  const isComparable = [...hashes, ...versions].every((one) => one !== undefined) && versions[0] === versions[1];
  if (isComparable && hashes[0] !== hashes[1]) return 'NodePoolDrifted';
  if (!heedsRequirements) return undefined;
  return meetsAll(claim.metadata.labels ?? {}, pool.spec.template.spec.requirements)
    ? undefined
    : 'RequirementsDrifted';
}
