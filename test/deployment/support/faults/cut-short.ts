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
  guard(
    203,
    'the disk becomes full in the middle of a reset',
    deploymentTest('full-disk', 'a disk that becomes full in the middle of a reset: exit 5, and the next run repairs'),
    mutant(
      'deployment/deploy',
      `  if (!(await resetTree(run, 'reset', to, prepared))) {
    await run.progress.advance({ type: 'reset-failed' });
    await undoFailedReset(run, change, edited);`,
      `  if (!(await resetTree(run, 'reset', to, prepared))) {
    await run.progress.advance({ type: 'reset-failed' });`,
    ),
  ),
  guard(
    204,
    'the disk becomes full in the middle of an automatic rollback',
    deploymentTest(
      'full-disk',
      'a disk that becomes full in the middle of an automatic rollback: exit 5, and the next run repairs',
    ),
    mutant('deployment/automatic-rollback', "if (run.progress.state !== 'rolling-back') throw error;", 'throw error;'),
  ),
  guard(
    205,
    'a first release that was never live is told as rolled back',
    deploymentTest('releases', 'the very first release that fails leaves visitors what they had before: nothing'),
    mutant('deployment/automatic-rollback', ', ...untouched });', ' });'),
  ),
];
