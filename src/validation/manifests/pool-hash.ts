/** Annotations in which Karpenter keeps the hash of a NodePool's template, on the NodePool and on its NodeClaims. */
export const hashAnnotation = 'karpenter.sh/nodepool-hash';
export const hashVersionAnnotation = 'karpenter.sh/nodepool-hash-version';
/**
 * 2.1 and section 9: "the node pool hash annotation carries hash-version v3". The drift of one NodeClaim works for this
 * version.
 */
export const hashVersion = 'v3';
