import { faultsAround } from './faults/around.ts';
import { cacheFaults } from './faults/caches.ts';
import { faultsOfRunsCutShort } from './faults/cut-short.ts';
import { databaseFaults } from './faults/database.ts';
import type { Fault } from './faults/fault.ts';
import { faultsOfFirstUse } from './faults/first-use.ts';
import { gitFaults } from './faults/git.ts';
import { hostFaults } from './faults/host.ts';
import { maintenanceFaults } from './faults/maintenance.ts';
import { releaseFaults } from './faults/releases.ts';
import { verificationFaults } from './faults/verification.ts';
import { faultsAroundEveryCommit } from './faults/whose-fault.ts';

/** The faults that any deploy may meet, by their numbers. */
export const faults: readonly Fault[] = [
  ...gitFaults,
  ...verificationFaults,
  ...cacheFaults,
  ...hostFaults,
  ...faultsAround,
];

/** Those, and the faults of one mode, one setting or one kind of end. */
export const allFaults: readonly Fault[] = [
  ...faults,
  ...releaseFaults,
  ...faultsOfRunsCutShort,
  ...databaseFaults,
  ...maintenanceFaults,
  ...faultsAroundEveryCommit,
  ...faultsOfFirstUse,
];
