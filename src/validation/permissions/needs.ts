import { kindPlaces } from '../../cluster/kinds.ts';
import type { Settings } from '../settings.ts';

/** Verbs on one resource, as RBAC writes them. */
export interface Need {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly namespace?: string;
  /** Whether an undo needs it. */
  readonly undoes?: boolean;
}

export const karpenter = 'karpenter.sh';

export const scaling = ({ namespace, applicationKind }: Settings): Need => ({
  group: 'apps',
  resource: kindPlaces[applicationKind].plural,
  verbs: ['patch'],
  namespace,
  undoes: true,
});
export const patchingPools: Need = { group: karpenter, resource: 'nodepools', verbs: ['patch'], undoes: true };
/** Cordoning and uncordoning. */
export const cordoning: Need = { group: '', resource: 'nodes', verbs: ['get', 'patch'], undoes: true };
