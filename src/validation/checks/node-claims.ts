import type { NodeClaim } from '../../cluster/autoscaler.ts';
import { condition, isTrue } from '../../cluster/pods.ts';
import { parseDuration } from '../../settings/duration.ts';
import { claimSelector } from '../observe/snapshot.ts';
import { runSeconds } from '../predict/predict.ts';
import { readCircumstances } from '../predict/read-circumstances.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/**
 * Karpenter deletes a NodeClaim that has not registered by then (docs/facts/karpenter.md, "The life of a NodeClaim").
 */
const registeredWithinSeconds = 900;

/**
 * No NodeClaim is drifted, unregistered, being deleted, or expiring before the run ends: its replacement would not be
 * the run's.
 */
export const nodeClaims: Check = {
  name: 'node-claims',
  mandatory: true,
  ofKarpenter: true,
  async look({ site: { cluster, host }, settings, scenarios }) {
    const assertion = {
      id: 'node-claims',
      subject: `NodeClaims of ${settings.nodePool.name}`,
      expected: 'none drifted, stuck, or expiring during the run',
    };
    const claims = await cluster.list('NodeClaim', { labelSelector: claimSelector(settings) });
    const { most } = runSeconds(scenarios, await readCircumstances(cluster, settings), settings);
    const now = host.clock.wallAt();
    const troubles = claims.flatMap((claim) => troublesOf(claim, now, most));
    if (troubles.length === 0)
      return asExpected(
        assertion,
        `${claims.length} ${claims.length === 1 ? 'NodeClaim' : 'NodeClaims'}, none in trouble`,
      );
    const observed = troubles.map(({ text }) => text).join('; ');
    const advice = 'let Karpenter finish its replacements first, then run again';
    return { ...notAsExpected(assertion, observed, advice), rules: troubles.flatMap(({ rule }) => rule ?? []) };
  },
};

interface Trouble {
  readonly text: string;
  /** Whose field of the NodePool is why, if one is. */
  readonly rule?: 'node-claims' | 'consolidation-policy';
}

function troublesOf(claim: NodeClaim, now: number, longestSeconds: number): readonly Trouble[] {
  const { name, deletionTimestamp, creationTimestamp = '' } = claim.metadata;
  const ageSeconds = (now - Date.parse(creationTimestamp)) / 1000;
  const expiresInSeconds = (parseDuration(claim.spec.expireAfter ?? '') ?? Number.POSITIVE_INFINITY) - ageSeconds;
  const drifted = isTrue(claim, 'Drifted');
  const registered = isTrue(claim, 'Registered');
  return [
    ...(deletionTimestamp === undefined ? [] : [deletion(claim)]),
    ...(drifted ? [{ text: `${name} is drifted (${condition(claim, 'Drifted')?.reason ?? 'no reason given'})` }] : []),
    ...(!registered && ageSeconds > registeredWithinSeconds
      ? [{ text: `${name} has not registered for ${Math.round(ageSeconds)} s` }]
      : []),
    ...(expiresInSeconds < longestSeconds
      ? [{ text: `${name} expires ${inMinutes(expiresInSeconds)}`, rule: 'node-claims' as const }]
      : []),
  ];
}

/**
 * Karpenter writes its reason into the condition DisruptionReason; without one somebody else deleted it, or it has
 * expired, and the two are distinguished.
 */
function deletion(claim: NodeClaim): Trouble {
  const text = `${claim.metadata.name} is being deleted`;
  const reason = isTrue(claim, 'DisruptionReason') ? condition(claim, 'DisruptionReason')?.reason : undefined;
  if (reason === undefined) return { text };
  const isConsolidated = reason === 'Empty' || reason === 'Underutilized';
  return { text: `${text} (${reason})`, ...(isConsolidated ? { rule: 'consolidation-policy' as const } : {}) };
}

function inMinutes(seconds: number): string {
  return seconds <= 0 ? 'now' : `in ${Math.ceil(seconds / 60)} min`;
}
