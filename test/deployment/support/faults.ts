import { faultsAround } from './faults/around.ts';
import { cacheFaults } from './faults/caches.ts';
import type { Fault } from './faults/fault.ts';
import { gitFaults } from './faults/git.ts';
import { hostFaults } from './faults/host.ts';
import { verificationFaults } from './faults/verification.ts';

/** All faults that a deploy may meet, by their numbers. */
export const faults: readonly Fault[] = [
  ...gitFaults,
  ...verificationFaults,
  ...cacheFaults,
  ...hostFaults,
  ...faultsAround,
];
