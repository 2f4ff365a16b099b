import { deploymentTest, type Fault, guard, hostTest, mutant } from './fault.ts';

/** Runs and undos that are cut short: by a connection that is lost, by a disk that is full, by a file that nobody may change. */
export const faultsOfRunsCutShort: readonly Fault[] = [
  guard(
    201,
    'a terminal that goes ends a command between its fork and its setsid',
    hostTest('command', 'signals to the process group of this program, as of a terminal that goes, end no command'),
    mutant('host/command', 'starts < mostStarts && endedBeforeItsProgram(child)', 'starts < 1'),
  ),
  guard(
    202,
    'an SSH connection is lost in the middle of a run',
    deploymentTest('lost-connection', 'an SSH connection that is lost stops neither a deploy nor a rollback'),
    mutant('deployment/signals', "['SIGINT', 'SIGTERM', 'SIGHUP']", "['SIGINT', 'SIGTERM']"),
  ),
];
