import type { NodeClaim, NodePool } from '../kubernetes/autoscaler.ts';
import { meetsAll } from '../scheduling/requirements.ts';
import { wellKnown } from './well-known.ts';

export type DriftReason = 'NodePoolDrifted' | 'RequirementsDrifted';

/** Why a claim no longer matches its pool; undefined while it does (pkg/controllers/nodeclaim/disruption/drift.go). */
export function driftOf(claim: NodeClaim, pool: NodePool, respectsRequirements = true): DriftReason | undefined {
  const own = claim.metadata.annotations ?? {};
  const wanted = pool.metadata.annotations ?? {};
  const hashes = [own[wellKnown.hash], wanted[wellKnown.hash]];
  const versions = [own[wellKnown.hashVersion], wanted[wellKnown.hashVersion]];
  const isComparable = [...hashes, ...versions].every((one) => one !== undefined) && versions[0] === versions[1];
  if (isComparable && hashes[0] !== hashes[1]) return 'NodePoolDrifted';
  if (!respectsRequirements) return undefined;
  return meetsAll(claim.metadata.labels ?? {}, pool.spec.template.spec.requirements)
    ? undefined
    : 'RequirementsDrifted';
}
