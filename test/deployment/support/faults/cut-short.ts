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
  guard(
    206,
    'a signal changes what has happened, is lost, or leaves an event that cannot happen',
    deploymentTest(
      'state-model',
      'each reachable state and each event lead where the table of 3.3 and the contract say',
    ),
    mutant(
      'deployment/interruption',
      "  if (to === 'returned') return [event, { type: 'interruption-deferred', signal }];\n",
    ),
    mutant('deployment/interruption', " || to === 'rollback-failed'"),
    mutant('deployment/interruption', '  if (next(to, interrupted) !== undefined) return [event, interrupted];\n'),
    mutant('deployment/interruption', '? [event] : [interrupted]', '? [interrupted] : [interrupted]'),
    mutant('deployment/interruption', '? [event] : [interrupted]', '? [event] : [event]'),
    mutant('deployment/interruption', "['verified', 'unchanged', 'updated']", "['verified', 'updated']"),
  ),
  guard(
    207,
    'the exit code of a signal says that all is put back where it is not',
    deploymentTest('state-model', 'a run to which a signal came ends with 128+n where it was put back or finished'),
    mutant('deployment/exit-code', "  if (state === 'rollback-failed') return exitCodes[state];\n"),
    mutant('deployment/exit-code', 'return !isUnhealthy && ', 'return '),
    mutant('deployment/exit-code', "!isUnhealthy && !(state === 'updated' && hasFailed)", '!isUnhealthy'),
  ),
];
