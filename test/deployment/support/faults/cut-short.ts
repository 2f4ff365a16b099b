import { deploymentTest, type Fault, guard, hostTest } from './fault.ts';

/**
 * Runs and undos that are cut short: by a connection that is lost, by a disk that is full, by a file that nobody may
 * change.
 */
export const faultsOfRunsCutShort: readonly Fault[] = [
  guard(
    201,
    'a terminal that goes ends a command between its fork and its setsid',
    hostTest('command', 'signals to the process group of this program, as of a terminal that goes, end no command'),
  ),
  guard(
    202,
    'an SSH connection is lost in the middle of a run',
    deploymentTest('lost-connection', 'an SSH connection that is lost stops neither a deploy nor a rollback'),
  ),
  guard(
    203,
    'the disk becomes full in the middle of a reset',
    deploymentTest('full-disk', 'a disk that becomes full in the middle of a reset: exit 5, and the next run repairs'),
  ),
  guard(
    204,
    'the disk becomes full in the middle of an automatic rollback',
    deploymentTest(
      'full-disk',
      'a disk that becomes full in the middle of an automatic rollback: exit 5, and the next run repairs',
    ),
  ),
  guard(
    205,
    'a first release that was never live is reported as rolled back',
    deploymentTest('releases', 'the very first release that fails leaves visitors what they had before: nothing'),
  ),
  guard(
    206,
    'a signal changes what has happened, is lost, or leaves an event that cannot happen',
    deploymentTest(
      'state-model',
      'each reachable state and each event lead where the table of 3.3 and the contract say',
    ),
  ),
  guard(
    207,
    'the exit code of a signal says that all is put back where it is not',
    deploymentTest('state-model', 'a run to which a signal came ends with 128+n where it was put back or finished'),
  ),
];
