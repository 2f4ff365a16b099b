import { deploymentTest, type Fault, guard, mutant } from './fault.ts';

const whoseFault = (name: string) => deploymentTest('whose-fault', name);

/** What an operator meets beside the commit: git left in the middle, a log in the wrong place, a step that nothing runs. */
export const faultsOfFirstUse: readonly Fault[] = [
  guard(
    331,
    'a step that fails at both commits alike is called the fault of the new one',
    whoseFault(
      'a step that fails in the rollback in the same way is not the commit’s fault: no quarantine, and the message says so',
    ),
    mutant('deployment/automatic-rollback', 'failures.some((failure) => isSame(failure, failed))', 'false'),
  ),
  guard(
    332,
    'new packages or migrations stay unapplied, and nobody is told',
    whoseFault('what changed and no step applies is warned of before, in the log and in status; nothing is run for it'),
    mutant('deployment/deploy', '      await warnOfUnapplied(run, previousCommit, newCommit);\n'),
    mutant('deployment/unapplied-changes', "  run.journal.record({ type: 'warned', warnings });\n"),
  ),
  guard(
    333,
    'a rollback is told with the status of the health check that came after it',
    deploymentTest(
      'message',
      'a rollback is told with the status of the check that failed, and with that of the one after it as such',
    ),
    mutant('deployment/message', 'isBack === -1 || events.indexOf(check) < isBack', 'true'),
    mutant('deployment/message', 'isBack === -1 ? undefined : checks', 'true ? undefined : checks'),
  ),
  guard(
    334,
    'a restore begins that cannot end',
    deploymentTest(
      'clean-and-backup',
      'a restore that could not end is refused before a service is stopped, with everything in the way',
    ),
    mutant('deployment/restore', 'if (obstacles.length > 0)', 'if (false)'),
  ),
  guard(
    335,
    'a merge or a rebase that a person began is met by a deploy, or undone by them after it',
    deploymentTest(
      'unfinished-git',
      'in progress is named by doctor, and mended by --repair, which keeps the edits aside',
    ),
    mutant('deployment/git-state', '[...(await locks(examined)), ...(await unfinished(examined))]', 'locks(examined)'),
    mutant('deployment/reset-tree', '  if (isReset && begun !== undefined) await giveUp(run, begun);\n'),
  ),
  guard(
    336,
    'nobody knows of the lock that a dead git has left',
    deploymentTest(
      'unfinished-git',
      'the index.lock of a dead git is named by doctor as such, and removed by --repair',
    ),
    mutant('deployment/git-state', '...(await locks(examined)), ', ''),
    mutant('deployment/git-leftovers', '  for (const lock of locks) await run.host.files.remove(lock);\n'),
  ),
  guard(
    337,
    'visitors can read the log of the deploys',
    deploymentTest('log-file', 'a log in what visitors can read is refused before anything is written: exit 2'),
    mutant('deployment/log-file', '(await troubleInWebRoot(files, settings, path)) ?? ', ''),
    mutant(
      'deployment/log-file',
      '(await troubleInWebRoot(files, settings, await wouldBe(files, logFile))) ??',
      'undefined ??',
    ),
  ),
  guard(
    338,
    'the log is a file that every deploy resets',
    deploymentTest('log-file', 'a file that git tracks cannot be the log: exit 2, and it stays as it is'),
    mutant('deployment/log-file', ' ?? (await troubleWithGit(host, settings, path));', ';'),
  ),
  guard(
    339,
    'the folder of the log is missing, and nobody says how it is made',
    deploymentTest('log-file', 'a log whose folder is missing: the sentence has the command that makes it'),
    mutant('deployment/log-file', 'await makingFolder(files, folder)', "''"),
  ),
  guard(
    340,
    'a body that drips keeps the listener busy',
    deploymentTest('listener', 'a request whose body drips is cut off after 10 s with a 408'),
    { file: 'packaging/webhook-listener.js', guard: 'requestTimeout: 10_000', without: 'requestTimeout: 20_000' },
  ),
  guard(
    341,
    'a timer that finds nothing new fills the log and the journal',
    deploymentTest('idle-timer', 'a timer that finds nothing new adds one line to the log and nothing to the journal'),
    mutant('deployment/run-shell', "  log.condense(end.type === 'unchanged' ? 'INFO' : 'ERROR', sentence(end));\n"),
    mutant('deployment/run-shell', 'await state?.forget().catch', 'await Promise.resolve().catch'),
  ),
  guard(
    342,
    'a reset that failed is not undone, or nobody knows what is on the disk',
    deploymentTest('undo-failed-reset', 'a failed reset whose undo failed too says what is on disk, exit 5, and'),
    mutant('deployment/undo-failed-reset', ', ...(await onDisk(run, from, [to]))', ''),
  ),
];
