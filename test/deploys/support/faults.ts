/** A fault that a deploy may meet, the test that shows what is done about it, and what that test would find missing. */
export interface Fault {
  readonly number: number;
  readonly fault: string;
  readonly shownBy: { readonly file: string; readonly name: string } | { readonly whyNot: string };
  /** The guard, as it stands in the source, and the source without it. */
  readonly mutant?: { readonly file: string; readonly guard: string; readonly without: string };
}

const deploys = (file: string, name: string) => ({ file: `test/deploys/${file}.test.ts`, name });
const unit = (file: string, name: string) => ({ file: `test/deployment/${file}.test.ts`, name });
const mutant = (file: string, guard: string, without = '') => ({ file: `src/${file}.ts`, guard, without });

export const faults: readonly Fault[] = [
  {
    number: 1,
    fault: 'the remote cannot be reached',
    shownBy: deploys('full', 'a remote that cannot be reached ends it: exit 1, the tree untouched'),
    mutant: mutant(
      'deployment/deploy',
      "  if (exitCode !== 0) {\n    await run.progress.advance({ type: 'fetch-failed' });",
      "  if (exitCode === -1) {\n    await run.progress.advance({ type: 'fetch-failed' });",
    ),
  },
  {
    number: 2,
    fault: 'the fetch hangs',
    shownBy: deploys('git-faults', 'a fetch that hangs is ended with all that it started'),
    mutant: mutant('deployment/run', '?? run.settings.commandTimeout;', '?? 120;'),
  },
  {
    number: 3,
    fault: 'the branch is gone upstream, and still known here',
    shownBy: deploys('full', 'a branch that was deleted upstream ends it, although the old one is still known here'),
    mutant: mutant(
      'deployment/deploy',
      "  if (exitCode !== 0) {\n    await run.progress.advance({ type: 'fetch-failed' });",
      "  if (exitCode === -1) {\n    await run.progress.advance({ type: 'fetch-failed' });",
    ),
  },
  {
    number: 4,
    fault: 'the branch was forced to another history',
    shownBy: deploys('full', 'a branch that was forced to another history is followed'),
    mutant: mutant('deployment/fetch', `\`+refs/heads/\${branch}:refs/remotes`, `\`refs/heads/\${branch}:refs/remotes`),
  },
  {
    number: 5,
    fault: 'a branch is named like an option, or like a tag',
    shownBy: unit('branch', 'what git refuses is refused, and so is what looks like an option'),
    mutant: mutant('deployment/branch', "    !name.startsWith('-') &&\n"),
  },
  {
    number: 6,
    fault: 'a branch that is gone is in the way of the new name',
    shownBy: deploys('git-faults', 'a branch whose name lies under one that is gone upstream is fetched'),
    mutant: mutant('deployment/deploy', 'first.exitCode !== 0 && isHindered(first.stderr)', 'false'),
  },
  {
    number: 7,
    fault: 'HEAD has no commit yet',
    shownBy: deploys('refusals', 'a checkout that has no commit yet: nothing is touched'),
    mutant: mutant(
      'deployment/record-commits',
      '  if (commit !== undefined) return commit;\n  throw',
      "  if (commit !== 'x') return commit ?? 'HEAD';\n  throw",
    ),
  },
  {
    number: 8,
    fault: 'tracked files were edited on the server',
    shownBy: deploys('blast-radius', 'local edits are kept as a patch that brings them back'),
    mutant: mutant('deployment/blast-radius/blast-radius', '  await keepEdits(run, edited);\n'),
  },
  {
    number: 9,
    fault: 'files that git does not track are in the way',
    shownBy: deploys('blast-radius', 'what the reset overwrites or deletes without a word is named and copied aside'),
    mutant: mutant('deployment/blast-radius/blast-radius', '  await keepFiles(run, taken);\n'),
  },
  {
    number: 10,
    fault: 'a killed git has left its locks',
    shownBy: deploys('crash', 'a loss of power: files with other contents and a broken index are repaired'),
    mutant: mutant('deployment/repair/repair', 'await removeGitLocks(run);', '[] as string[];'),
  },
  {
    number: 11,
    fault: 'not run as the owner of the checkout',
    shownBy: deploys('refusals', 'not run as the owner: exit 2 naming the user'),
    mutant: mutant('deployment/checkout', 'if (stranger !== undefined) return { event: refused(stranger) };'),
  },
  {
    number: 12,
    fault: 'submodules stay where they were',
    shownBy: deploys('git-faults', 'submodules follow the commit, in the deploy and in the rollback'),
    mutant: mutant(
      'deployment/follow-up',
      "if (await isThere(run, '.gitmodules')) {",
      "if (await isThere(run, '.nothing')) {",
    ),
  },
  {
    number: 13,
    fault: 'pointers are served in the place of large files',
    shownBy: deploys(
      'git-faults',
      'large files that git-lfs cannot bring are a failed verification: no pointer is served',
    ),
    mutant: mutant(
      'deployment/follow-up',
      'if (!(await hasLargeFiles(run))) return undefined;',
      'if (run !== undefined) return undefined;',
    ),
  },
  {
    number: 14,
    fault: 'git forgets the commit that a rollback needs',
    shownBy: deploys('git-faults', 'the commit to roll back to survives a clean-up of git after a forced push'),
    mutant: mutant('deployment/references', `  await files.replace(\`\${gitFolder}/\${name}\`, \`\${commit}\\n\`);\n`),
  },
  {
    number: 15,
    fault: 'git cleans up in the background during the deploy',
    shownBy: unit(
      'commands',
      'every git command runs without hooks, without a file system monitor and without a clean-up in the background',
    ),
    mutant: mutant('deployment/git', "  ...['-c', 'gc.auto=0'],\n"),
  },
  {
    number: 16,
    fault: 'an inherited GIT_DIR points to another repository',
    shownBy: deploys('refusals', 'another git directory in the environment is not followed'),
    mutant: mutant('deployment/environment', "(!name.startsWith('GIT_') || isTransport(name)) &&"),
  },
  {
    number: 17,
    fault: 'the checkout holds hooks',
    shownBy: deploys('refusals', 'hooks of the checkout are not run'),
    mutant: mutant('deployment/git', "  ...['-c', 'core.hooksPath=/dev/null'],\n"),
  },
  {
    number: 18,
    fault: 'health is anything but 200',
    shownBy: deploys('full', 'is not 200: rolled back'),
    mutant: mutant(
      'deployment/health',
      'if (answer.status !== 200) return { status: answer.status };',
      'if (answer.status >= 400) return { status: answer.status };',
    ),
  },
  {
    number: 19,
    fault: 'the application is slow to start, or flaps',
    shownBy: unit('health', 'several good answers have to be in a row'),
    mutant: mutant('deployment/health', 'if (inARow >= rules.consecutive)', 'if (inARow >= 1)'),
  },
  {
    number: 20,
    fault: 'the site is unhealthy after the rollback too',
    shownBy: deploys('rollback', 'the site is still unhealthy after the rollback: exit 4'),
    mutant: mutant(
      'deployment/roll-back',
      'return progress.advance(await healthOf(run, commit));',
      'return progress.state;',
    ),
  },
  {
    number: 21,
    fault: 'the reset of the rollback fails',
    shownBy: deploys('rollback', 'a rollback of a deploy that cannot be done: exit 5, with the exact commands'),
    mutant: mutant(
      'deployment/roll-back',
      'if (!(await resetBack(run, commit))) {',
      'await resetBack(run, commit);\n  if (Math.random() > 1) {',
    ),
  },
  {
    number: 22,
    fault: 'the caches of the rollback cannot be rebuilt',
    shownBy: deploys('rollback', 'a cache step that fails in the rollback is told, and the rollback goes on'),
    mutant: mutant('deployment/roll-back', 'if (failure !== undefined) await run.progress.advance(failure);'),
  },
  {
    number: 23,
    fault: 'the site was down before the deploy',
    shownBy: deploys(
      'truthful-health',
      'a site that was down before the deploy is told, and with refuse nothing is touched',
    ),
    mutant: mutant('deployment/baseline', '  if (status === 200) return true;', '  return true;'),
  },
  {
    number: 24,
    fault: 'the site cannot be reached from here',
    shownBy: deploys(
      'truthful-health',
      'a site that cannot be reached from here is told before it looks like a bad commit',
    ),
    mutant: mutant('deployment/baseline', 'status === 0\n', 'status === -1\n'),
  },
  {
    number: 25,
    fault: 'the old code answers',
    shownBy: deploys(
      'truthful-health',
      'proof of the commit by a header: the old commit is a failed verification, the new one passes',
    ),
    mutant: mutant('deployment/proof', 'return isSameCommit(served, commit)', 'return served !== commit'),
  },
  {
    number: 26,
    fault: 'maintenance mode was forgotten',
    shownBy: deploys('truthful-health', 'maintenance mode is seen'),
    mutant: mutant('deployment/baseline', '  if (run.settings.php) await tellMaintenance(run);\n'),
  },
  {
    number: 27,
    fault: 'a timer deploys the bad commit every minute',
    shownBy: deploys('quarantine', 'a failed commit is not deployed again by a timer, until the branch moves on'),
    mutant: mutant('deployment/deploy', 'if (because === undefined || again) return false;', 'return false;'),
  },
  {
    number: 28,
    fault: 'the commit to roll back to is bad itself',
    shownBy: unit('trust', 'what a killed run left unproved is no target: the commit that last passed health is'),
    mutant: mutant(
      'deployment/trust',
      'return isDoubtful ? (trust.base ?? previousCommit) : previousCommit;',
      'return previousCommit;',
    ),
  },
  {
    number: 29,
    fault: 'there is nothing new',
    shownBy: deploys('full', '--if-changed does nothing where the branch has not moved'),
    mutant: mutant(
      'deployment/deploy',
      'if (ifChanged && newCommit === previousCommit)',
      'if (ifChanged && newCommit === "")',
    ),
  },
  {
    number: 30,
    fault: 'a migration has run before the rollback',
    shownBy: deploys('git-faults', 'what a migration did stays, and the rollback says so'),
    mutant: mutant('deployment/roll-back', '  await tellWhatStays(run);\n'),
  },
  {
    number: 31,
    fault: 'what is cached keeps the framework from starting',
    shownBy: deploys(
      'caches',
      'artisan starts although what is cached names a class that the new commit does not have',
    ),
    mutant: mutant('deployment/caches/rebuild-caches', 'if (removed.length === 0) return first;', 'return first;'),
  },
  {
    number: 32,
    fault: 'a clear says that it succeeded, and cleared nothing',
    shownBy: deploys('caches', 'a clear that says it succeeded and cleared nothing is found'),
    mutant: mutant(
      'deployment/caches/run-steps',
      'step.leaves !== undefined && wrong.length > 0',
      'step.leaves !== undefined && wrong.length > 99',
    ),
  },
  {
    number: 33,
    fault: 'a cache cannot be built',
    shownBy: deploys('full', 'a cache step that fails is a failed verification'),
    mutant: mutant('deployment/caches/run-steps', `  if (exitCode !== 0) return \`exit code \${exitCode}\`;\n`),
  },
  {
    number: 34,
    fault: 'cache:clear fails, because its store is down',
    shownBy: deploys(
      'caches',
      'steps before and after the caches, in the deploy and in the rollback, where their files changed',
    ),
    mutant: mutant('deployment/caches/run-steps', "if (step.onFailure !== 'warn') return", 'return'),
  },
  {
    number: 35,
    fault: 'cache:clear empties the store of queues and sessions',
    shownBy: {
      whyNot:
        "The application's stores are its own: cache:clear is a step that the settings can leave out (deployment.caches.clear).",
    },
  },
  {
    number: 36,
    fault: 'a request meets half a cache file',
    shownBy: deploys('caches', 'laravel-atomic makes the same caches and leaves nothing beside them'),
    mutant: mutant(
      'deployment/caches/publish',
      '  for (const { from, to } of publications) {',
      '  for (const { from, to } of publications.slice(99)) {',
    ),
  },
  {
    number: 37,
    fault: 'php-fpm goes on running the old code, and starting it afresh would cut requests',
    shownBy: deploys('laravel', 'where files are never looked at again, FastCGI still brings the new code'),
    mutant: mutant('deployment/verify', ' ??\n    (await refresh(run, change.means));', ';'),
  },
  {
    number: 38,
    fault: 'workers keep the new code after the rollback',
    shownBy: deploys(
      'caches',
      'steps before and after the caches, in the deploy and in the rollback, where their files changed',
    ),
    mutant: mutant('deployment/roll-back', '  await tell(run, await runSteps(run, around.after));\n'),
  },
  {
    number: 39,
    fault: 'new files cannot be read by the web server',
    shownBy: deploys(
      'blast-radius',
      'new files get the permissions of their neighbours, whatever the mask of this process is',
    ),
    mutant: mutant('deployment/deploy', 'umask === undefined ? {} : { umask }', '{}'),
  },
  {
    number: 40,
    fault: 'the disk is full',
    shownBy: deploys('blast-radius', 'for the commit and a rollback, nothing is touched'),
    mutant: mutant('deployment/blast-radius/space', 'if (bytes < neededBytes)', 'if (bytes < 0)'),
  },
  {
    number: 41,
    fault: 'the deploy is killed, or the machine loses power',
    shownBy: deploys('crash', 'a loss of power: files with other contents and a broken index are repaired'),
    mutant: mutant(
      'deployment/repair/repair',
      '  if (last === undefined) return run;',
      '  if (last !== undefined) return run;',
    ),
  },
  {
    number: 42,
    fault: 'the deploy is asked to stop',
    shownBy: deploys('signals', 'while the caches are rebuilt: put back, exit'),
    mutant: mutant('deployment/signals', '      received = name;\n'),
  },
  {
    number: 43,
    fault: 'the connection of the person who deploys is lost',
    shownBy: deploys('signals', 'a lost connection does not stop a deploy'),
    mutant: mutant('deployment/signals', "    if (name === 'SIGHUP') return;\n"),
  },
  {
    number: 44,
    fault: 'two deploys at once',
    shownBy: deploys('lock', 'two at once: one deploys, the other gets exit 6 and its lines stay together'),
    mutant: mutant(
      'deployment/lock',
      'if (await files.create(path, JSON.stringify(self)))',
      'if ((await files.create(path, JSON.stringify(self))) || path)',
    ),
  },
  {
    number: 45,
    fault: 'the lock is of another machine, of another container, or of an earlier boot',
    shownBy: deploys(
      'lock',
      'the lock of another machine, of another container or of nobody we can read is never broken',
    ),
    mutant: mutant('deployment/owner', '  if (owner.hostName !== self.hostName) return false;\n'),
  },
  {
    number: 46,
    fault: 'a child inherits the lock',
    shownBy: {
      whyNot: "The lock is a file with its owner's name in it, and no descriptor that a child could inherit.",
    },
  },
  {
    number: 47,
    fault: 'the log becomes full, or is a symbolic link',
    shownBy: deploys(
      'host-faults',
      'a log that becomes full in the middle does not stop a deploy half-way, and is told',
    ),
    mutant: mutant(
      'deployment/deployment-log',
      '    } catch (error) {\n',
      '    } catch (error) {\n      if (path) throw error;\n',
    ),
  },
  {
    number: 48,
    fault: 'APP_DIR lies in another checkout',
    shownBy: deploys('refusals', 'is not the top of a checkout: exit 2, one sentence, nothing touched'),
    mutant: mutant('deployment/checkout', 'if (topLevel !== directory) {', "if (topLevel === '') {"),
  },
  {
    number: 49,
    fault: 'the clock jumps',
    shownBy: deploys('host-faults', 'a clock that jumps changes no duration'),
    mutant: mutant(
      'deployment/verify',
      'const startedSeconds = run.host.clock.monotonicSeconds();',
      'const startedSeconds = run.host.clock.wallAt() / 1000;',
    ),
  },
  {
    number: 50,
    fault: 'a program is not on the path of the timer',
    shownBy: deploys('doctor', 'doctor finds nothing wrong with a healthy checkout, and touches nothing'),
    mutant: mutant('deployment/doctor/doctor', 'programs, health', 'health'),
  },
  {
    number: 51,
    fault: 'a notifier is down',
    shownBy: deploys('notify', 'notifiers that fail change no outcome, and each has its line'),
    mutant: mutant('notification/notifier', 'if (!(error instanceof OperationError)) throw error;', 'throw error;'),
  },
  {
    number: 52,
    fault: 'a branch or a commit holds a mention for the chat or a header for the mail',
    shownBy: {
      file: 'test/notification/notifiers.test.ts',
      name: 'Slack gets a POST of JSON with the one string field text, its three characters escaped',
    },
    mutant: mutant('notification/slack', ".replaceAll('<', '&lt;')"),
  },
  {
    number: 53,
    fault: 'git prints the password of the remote',
    shownBy: {
      file: 'test/notification/redactor.test.ts',
      name: 'what has the shape of a secret goes without being known',
    },
    mutant: mutant('notification/redactor', 'return shapes.reduce(', 'return shapes.slice(99).reduce('),
  },
  {
    number: 54,
    fault: 'the backup is readable by others, or not whole',
    shownBy: deploys(
      'clean-and-backup',
      'the backup keeps permissions and owners, is whole before it has its name, and is made before the switch',
    ),
    mutant: mutant('deployment/backup/backup', 'umask: 0o077', 'umask: 0o022'),
  },
  {
    number: 55,
    fault: 'a hostile archive is restored',
    shownBy: deploys('clean-and-backup', 'hostile archives are refused before anything is touched'),
    mutant: mutant('deployment/backup/members', 'if (!isInside(path, top)) return', "if (path === '') return"),
  },
  {
    number: 56,
    fault: 'cleaning takes uploads and secrets',
    shownBy: deploys(
      'clean-and-backup',
      'the pre-step: hard reset, then untracked files and folders are moved aside; what is ignored stays',
    ),
    mutant: mutant('deployment/clean/clean', "'--exclude-standard', "),
  },
  {
    number: 57,
    fault: 'files belong to another user',
    shownBy: deploys('clean-and-backup', 'the pre-step asks one narrowly allowed command for the files of other users'),
    mutant: mutant('deployment/clean/clean', '  await resetOwnership(run);\n'),
  },
  {
    number: 58,
    fault: 'a step hangs',
    shownBy: deploys('host-faults', 'a step that hangs is ended after its time, and is a failed verification'),
    mutant: mutant(
      'deployment/caches/run-steps',
      'step.timeout === undefined ? {} : { timeoutSeconds: step.timeout }',
      '{ timeoutSeconds: 60 }',
    ),
  },
  {
    number: 59,
    fault: 'trouble after the end makes a success a failure',
    shownBy: deploys('host-faults', 'trouble after the outcome is fixed changes nothing of it'),
    mutant: mutant('deployment/guarded', 'if (next(progress.state, failed) !== undefined) await', 'await'),
  },
  {
    number: 60,
    fault: 'a failure is reported as a success',
    shownBy: deploys('host-faults', 'a reset that says it succeeded and is somewhere else is a failed one'),
    mutant: mutant('deployment/deploy', 'if (newCommit !== to) {', "if (newCommit === '') {"),
  },
  {
    number: 61,
    fault: 'nobody knows that there will be no rollback',
    shownBy: deploys('first', 'the first deploy makes the checkout where'),
    mutant: mutant(
      'deployment/record-commits',
      "  await run.log.line('INFO', 'No previous commit: there is nothing to roll back to');\n",
    ),
  },
  {
    number: 62,
    fault: 'after a kill HEAD is not what it says',
    shownBy: unit('trust', 'before any verified commit the target is where the killed run came from'),
    mutant: mutant('deployment/trust', 'base: trust.base ?? reset.from', 'base: trust.base ?? ""'),
  },
];
