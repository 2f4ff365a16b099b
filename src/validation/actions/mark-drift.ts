import type { NodeClaim } from '../../cluster/autoscaler.ts';
import { ApiError } from '../../cluster/cluster.ts';
import { condition, isTrue } from '../../cluster/pods.ts';
import { poll } from '../../cluster/poll.ts';
import { OperationError } from '../../host/errors.ts';
import { hashAnnotation, hashVersion, hashVersionAnnotation } from '../manifests/pool-hash.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface DriftTarget {
  readonly nodeClaim: string;
}
export interface DriftIntent extends DriftTarget {
  readonly uid: string;
  readonly node: string;
  readonly original: string;
}

/** Cannot be one of Karpenter's hashes, which are numbers. */
const testHash = 'holdfast-drift-test';
/**
 * Karpenter sets Drifted within seconds (docs/facts/karpenter.md, "Drift of one NodeClaim"); after this the recipe has
 * failed.
 */
const driftedWithinSeconds = 30;
/** The status of a NodeClaim changes often: an update that conflicts is repeated on the newest version. */
const attempts = 5;

/**
 * Makes Karpenter see exactly one NodeClaim as drifted, by a hash annotation that differs from its pool's
 * (docs/facts/karpenter.md, "Drift of one NodeClaim"). The undo restores the original hash; a NodeClaim that is being
 * replaced needs no undo.
 */
export const markDrift: Action<DriftTarget, DriftIntent> = {
  name: 'mark-drift',
  async prepare(site, { nodeClaim }) {
    const claim = await site.cluster.get('NodeClaim', { name: nodeClaim });
    const trouble = driftTrouble(claim);
    if (claim === undefined || trouble !== undefined)
      throw new OperationError({ tried: 'Marking as drifted', on: `NodeClaim ${nodeClaim}`, reason: trouble ?? '' });
    const { uid = '', annotations } = claim.metadata;
    return { nodeClaim, uid, node: claim.status?.nodeName ?? '', original: annotations?.[hashAnnotation] ?? '' };
  },
  async perform(site, { nodeClaim, uid, original }) {
    await swapHash(site, { nodeClaim, uid }, original, testHash);
  },
  verify: (site, intent) => awaitDrifted(site, intent),
  async undo(site, { nodeClaim, uid, original }) {
    const claim = await site.cluster.get('NodeClaim', { name: nodeClaim });
    if (claim === undefined || claim.metadata.uid !== uid || claim.metadata.deletionTimestamp !== undefined)
      return { state: 'not-needed', because: 'the claim was replaced, and its annotation goes with it' };
    const now = hashOf(claim);
    if (now === original) return { state: 'not-needed', because: 'its hash is as before' };
    if (now !== testHash)
      return { state: 'kept', because: `somebody set its hash to ${now} meanwhile; before the run it was ${original}` };
    await swapHash(site, { nodeClaim, uid }, testHash, original);
    const after = await site.cluster.get('NodeClaim', { name: nodeClaim });
    return after !== undefined && hashOf(after) === testHash
      ? { state: 'failed', because: `its hash is still ${testHash} after setting ${original}` }
      : { state: 'undone', because: `its hash is ${original} again` };
  },
  takes: ({ nodeClaim }, claims) =>
    claims.flatMap(({ metadata, status }) => (metadata.name === nodeClaim ? (status?.nodeName ?? []) : [])),
  nodes: ({ node }) => [node],
  replacedFor: ['Drifted'],
  subject: ({ nodeClaim }) => `NodeClaim ${nodeClaim}`,
  byHand: ({ nodeClaim, original }) =>
    `kubectl annotate nodeclaim ${nodeClaim} --overwrite ${hashAnnotation}=${original}`,
};

const hashOf = (claim: NodeClaim): string => claim.metadata.annotations?.[hashAnnotation] ?? '';

/** Why the recipe would not work on this NodeClaim; undefined if it would. */
function driftTrouble(claim: NodeClaim | undefined): string | undefined {
  if (claim === undefined) return 'there is none';
  if (claim.metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (!isTrue(claim, 'Initialized')) return 'it is not Initialized';
  if (isTrue(claim, 'Drifted')) return `it is drifted already: ${condition(claim, 'Drifted')?.reason}`;
  const version = claim.metadata.annotations?.[hashVersionAnnotation];
  if (hashOf(claim) === '' || version !== hashVersion)
    return `its hash has version ${version ?? 'none'}, and the recipe is known for ${hashVersion} alone`;
  return undefined;
}

/**
 * Sends uid and resourceVersion, so that another object of that name, or a change of somebody else, is a conflict
 * (409).
 */
async function swapHash(
  { cluster }: Site,
  { nodeClaim, uid }: Pick<DriftIntent, 'nodeClaim' | 'uid'>,
  from: string,
  to: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const claim = await cluster.get('NodeClaim', { name: nodeClaim });
    if (claim === undefined || claim.metadata.uid !== uid || hashOf(claim) !== from)
      throw new OperationError({
        tried: 'Changing the hash of',
        on: `NodeClaim ${nodeClaim}`,
        reason: 'it is not as it was',
      });
    const { resourceVersion } = claim.metadata;
    const value = { metadata: { uid, resourceVersion, annotations: { [hashAnnotation]: to } } };
    try {
      await cluster.patch('NodeClaim', { name: nodeClaim }, { type: 'merge', value });
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || attempt === attempts) throw error;
    }
  }
}

async function awaitDrifted(site: Site, { nodeClaim }: DriftIntent) {
  const expected = `Karpenter sees ${nodeClaim} as drifted within ${driftedWithinSeconds} s`;
  let observed = '';
  const met = await poll({ site }, driftedWithinSeconds, async () => {
    const claim = await site.cluster.get('NodeClaim', { name: nodeClaim });
    const reason = claim && isTrue(claim, 'Drifted') ? condition(claim, 'Drifted')?.reason : undefined;
    observed = `Drifted: ${reason ?? 'it is gone already'}`;
    return reason !== undefined || claim === undefined;
  });
  if (met) return { id: 'drifted', expected, outcome: 'met', observed } as const;
  const advice = 'this version of Karpenter may hash otherwise: tell us its version';
  return { id: 'drifted', expected, outcome: 'inconclusive', observed: 'it does not', advice } as const;
}
