import type { Means } from '../opcache/means.ts';

/** The two commits of a run, and what was found out before it. */
export interface Change {
  readonly from: string;
  readonly to: string;
  readonly kind: 'deploy' | 'rollback';
  readonly means: Means;
}
