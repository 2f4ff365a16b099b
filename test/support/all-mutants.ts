import { apiServerAwayMutants } from './api-server-away-mutants.ts';
import { auditMutants } from './audit-mutants.ts';
import { boundsMutants } from './bounds-mutants.ts';
import { judgeMutants } from './judge-mutants.ts';
import { lockMutants } from './lock-mutants.ts';
import type { SourceMutant } from './source-mutant.ts';
import { undoMutants } from './undo-mutants.ts';

/** Every condition that `test/campaign/judge-mutants.ts` takes away. */
export const allMutants: readonly SourceMutant[] = [
  ...judgeMutants,
  ...boundsMutants,
  ...auditMutants,
  ...undoMutants,
  ...apiServerAwayMutants,
  ...lockMutants,
];
