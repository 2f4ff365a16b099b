import type { NodeClaim } from '../../cluster/autoscaler.ts';
import { condition, isTrue } from '../../cluster/pods.ts';
import { parseDuration } from '../../settings/duration.ts';
import { claimSelector } from '../observe/snapshot.ts';
import { runSeconds } from '../predict/predict.ts';
import { readCircumstances } from '../predict/read-circumstances.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/** Karpenter deletes a NodeClaim that has not registered by then (docs/facts/karpenter.md, "The life of a NodeClaim"). */
const registeredWithinSeconds = 900;

/** No NodeClaim is drifted, unregistered, being deleted, or expiring before the run ends: its replacement would not be the run's. */
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
    return notAsExpected(assertion, troubles.join('; '), 'let Karpenter finish its replacements first, then run again');
  },
};

function troublesOf(claim: NodeClaim, now: number, longestSeconds: number): readonly string[] {
  const { name, deletionTimestamp, creationTimestamp = '' } = claim.metadata;
  const ageSeconds = (now - Date.parse(creationTimestamp)) / 1000;
  const expiresInSeconds = (parseDuration(claim.spec.expireAfter ?? '') ?? Number.POSITIVE_INFINITY) - ageSeconds;
  const drifted = isTrue(claim, 'Drifted');
  const registered = isTrue(claim, 'Registered');
  return [
    ...(deletionTimestamp === undefined ? [] : [`${name} is being deleted`]),
    ...(drifted ? [`${name} is drifted (${condition(claim, 'Drifted')?.reason ?? 'no reason given'})`] : []),
    ...(!registered && ageSeconds > registeredWithinSeconds
      ? [`${name} has not registered for ${Math.round(ageSeconds)} s`]
      : []),
    ...(expiresInSeconds < longestSeconds ? [`${name} expires ${inMinutes(expiresInSeconds)}`] : []),
  ];
}

function inMinutes(seconds: number): string {
  return seconds <= 0 ? 'now' : `in ${Math.ceil(seconds / 60)} min`;
}
