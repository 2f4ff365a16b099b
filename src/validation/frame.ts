/**
 * Good samples in a row, before each scenario and after its undo (docs/facts/measuring.md, "Quiet before and after a
 * scenario").
 */
export const goodSamples = 30;

/**
 * How long the effect of a scenario lasts before it is undone, unless the scenario says otherwise. Twice what
 * ingress-nginx needs to learn of new endpoints (docs/facts/ingress-nginx.md, "Learning of endpoints"), so that they
 * have had traffic by then.
 */
export const holdSeconds = 10;

/**
 * How long the nodes are watched after the node pool was applied. Two polls of Karpenter and its validation delay take
 * 35 s (docs/facts/karpenter.md, "Disruption"), so a disruption that applying caused shows by then.
 */
export const harmWithinSeconds = 60;
