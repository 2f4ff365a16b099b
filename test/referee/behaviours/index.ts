import type { Behaviour } from './behaviour.ts';
import { disruptions } from './disruptions.ts';
import { kinds } from './kinds.ts';
import { provisioning } from './provisioning.ts';
import { rollouts } from './rollouts.ts';

/** What somebody may do to a cluster that no recording of Karpenter shows. */
export const behaviours: readonly Behaviour[] = [...rollouts, ...kinds, ...provisioning, ...disruptions];
