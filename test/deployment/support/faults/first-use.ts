import { deploymentTest, type Fault, guard } from './fault.ts';

const whoseFault = (name: string) => deploymentTest('whose-fault', name);

/**
 * What an operator meets beside the commit: git left in the middle, a log in the wrong place, a step that nothing runs.
 */
export const faultsOfFirstUse: readonly Fault[] = [
  guard(
    331,
    'a step that fails at both commits alike is called the fault of the new one',
    whoseFault(
      'a step that fails in the rollback in the same way is not the commit’s fault: no quarantine, and the message says so',
    ),
  ),
  guard(
    332,
    'new packages or migrations stay unapplied, and nobody is told',
    whoseFault('what changed and no step applies is warned of before, in the log and in status; nothing is run for it'),
  ),
  guard(
    333,
    'a rollback is reported with the status of the health check that came after it',
    deploymentTest(
      'message',
      'a rollback is reported with the status of the check that failed, and with that of the one after it as such',
    ),
  ),
  guard(
    334,
    'a restore begins that cannot end',
    deploymentTest(
      'clean-and-backup',
      'a restore that could not end is refused before a service is stopped, with everything in the way',
    ),
  ),
  guard(
    335,
    'a merge or a rebase that a person began is met by a deploy, or undone by them after it',
    deploymentTest(
      'unfinished-git',
      'in progress is named by doctor, and repaired by --repair, which keeps the edits aside',
    ),
  ),
  guard(
    336,
    'nobody knows of the lock that a dead git has left',
    deploymentTest(
      'unfinished-git',
      'the index.lock of a dead git is named by doctor as such, and removed by --repair',
    ),
  ),
  guard(
    337,
    'visitors can read the log of the deploys',
    deploymentTest('log-file', 'a log in what visitors can read is refused before anything is written: exit 2'),
  ),
  guard(
    338,
    'the log is a file that every deploy resets',
    deploymentTest('log-file', 'a file that git tracks cannot be the log: exit 2, and it stays as it is'),
  ),
  guard(
    339,
    'the folder of the log is missing, and nobody says how it is made',
    deploymentTest('log-file', 'a log whose folder is missing: the sentence has the command that makes it'),
  ),
  guard(
    340,
    'a body that drips keeps the listener busy',
    deploymentTest('listener', 'a request whose body drips is cut off after 10 s with a 408'),
  ),
  guard(
    341,
    'a timer that finds nothing new fills the log and the journal',
    deploymentTest('idle-timer', 'a timer that finds nothing new adds one line to the log and nothing to the journal'),
  ),
  guard(
    342,
    'a reset that failed is not undone, or nobody knows what is on the disk',
    deploymentTest('undo-failed-reset', 'a failed reset whose undo failed too says what is on disk, exit 5, and'),
  ),
];
