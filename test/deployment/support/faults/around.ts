import { deploymentTest, type Fault, mutant, notificationTest, proof } from './fault.ts';

/** Faults of what is around a deploy: notifiers, secrets, backups, steps and its own word. */
export const faultsAround: readonly Fault[] = [
  {
    number: 51,
    fault: 'a notifier is down',
    proofs: [
      proof(
        deploymentTest('notify', 'notifiers that fail change no outcome, and each has its line'),
        mutant('notification/notifier', 'if (!(error instanceof OperationError)) throw error;', 'throw error;'),
      ),
    ],
  },
  {
    number: 52,
    fault: 'a branch or a commit holds a mention for the chat or a header for the mail',
    proofs: [
      proof(
        notificationTest(
          'notifiers',
          'Slack gets a POST of JSON with the one string field text, its three characters escaped',
        ),
        mutant('notification/slack', ".replaceAll('<', '&lt;')"),
      ),
    ],
  },
  {
    number: 53,
    fault: 'git prints the password of the remote',
    proofs: [
      proof(
        notificationTest('redactor', 'text that has the form of a secret is redacted without being known'),
        mutant('notification/redactor', 'return shapes.reduce(', 'return shapes.slice(99).reduce('),
      ),
      proof(
        deploymentTest('secrets', 'no secret is in any output, nor in any file but those that a person wrote it into'),
        mutant('notification/redactor', '  secrets.forEach(add);\n'),
      ),
    ],
  },
  {
    number: 54,
    fault: 'the backup is readable by others, or not whole',
    proofs: [
      proof(
        deploymentTest(
          'clean-and-backup',
          'the backup keeps permissions and owners, is whole before it has its name, and is made before the switch',
        ),
        mutant('deployment/backup/backup', 'umask: 0o077', 'umask: 0o022'),
      ),
      proof(
        deploymentTest(
          'clean-and-backup',
          'an incomplete backup ends the deploy before anything is touched, and leaves no archive',
        ),
        mutant('deployment/backup/backup', 'if (exitCode > 1) await', 'if (exitCode > 9) await'),
      ),
      proof(
        deploymentTest('clean-and-backup', 'a backup directory in the checkout is refused, and nothing is touched'),
        mutant(
          'deployment/backup/backup',
          `if (folder !== directory && !folder.startsWith(\`\${directory}/\`)) return folder;`,
          'return folder;',
        ),
      ),
    ],
  },
  {
    number: 55,
    fault: 'a hostile archive is restored',
    proofs: [
      proof(
        deploymentTest('clean-and-backup', 'hostile archives are refused before anything is touched'),
        mutant('deployment/backup/members', 'if (!isInside(path)) return', "if (path === '') return"),
      ),
    ],
  },
  {
    number: 56,
    fault: 'cleaning takes uploads and secrets',
    proofs: [
      proof(
        deploymentTest(
          'clean-and-backup',
          'the pre-step: hard reset, then untracked files and folders are moved aside; what is ignored stays',
        ),
        mutant('deployment/clean/clean', "'--exclude-standard', "),
      ),
    ],
  },
  {
    number: 57,
    fault: 'files belong to another user',
    proofs: [
      proof(
        deploymentTest(
          'clean-and-backup',
          'the pre-step asks one narrowly allowed command for the files of other users',
        ),
        mutant('deployment/clean/clean', '  await resetOwnership(run);\n'),
      ),
    ],
  },
  {
    number: 58,
    fault: 'a step hangs',
    proofs: [
      proof(
        deploymentTest('host-faults', 'a step that hangs is ended after its time, and is a failed verification'),
        mutant(
          'deployment/caches/run-steps',
          'step.timeout === undefined ? {} : { timeoutSeconds: step.timeout }',
          '{ timeoutSeconds: 60 }',
        ),
      ),
    ],
  },
  {
    number: 59,
    fault: 'trouble after the end makes a success a failure',
    proofs: [
      proof(
        deploymentTest('host-faults', 'an error after the outcome is decided does not change it'),
        mutant('deployment/run-shell', 'await shell.tidy?.().catch(logError);', 'await shell.tidy?.();'),
      ),
    ],
  },
  {
    number: 60,
    fault: 'a failure is reported as a success',
    proofs: [
      proof(
        deploymentTest('host-faults', 'a reset that exits 0 at another commit is a failed one'),
        mutant('deployment/deploy', 'if (newCommit !== to) {', "if (newCommit === '') {"),
      ),
    ],
  },
  {
    number: 61,
    fault: 'nobody knows that there will be no rollback',
    proofs: [
      proof(
        deploymentTest('first-deploy', 'the first deploy makes the checkout where'),
        mutant(
          'deployment/record-commits',
          "  await run.log.line('INFO', 'No previous commit: there is nothing to roll back to');\n",
        ),
      ),
    ],
  },
  {
    number: 62,
    fault: 'after a kill HEAD is not what it says',
    proofs: [
      proof(
        deploymentTest('trust', 'before any verified commit the target is where the killed run came from'),
        mutant('deployment/trust', 'base: trust.base ?? reset.from', 'base: trust.base ?? ""'),
      ),
      proof(
        deploymentTest(
          'crash',
          'after a kill the repair does not rely on HEAD: files that the new commit added are removed, and files that it replaced come back',
        ),
        mutant('deployment/repair/repair', '  if (target === undefined) {', '  if (resets.length >= 0) {'),
        mutant('deployment/undo-failed-reset', 'for (const place of others) if', 'for (const place of []) if'),
        mutant(
          'deployment/undo-failed-reset',
          'isOld && place !== target ? await strays(run, place, target) : []',
          '[]',
        ),
        mutant('deployment/repair/repair', '  await returnKeptFiles(run, runIds);\n'),
      ),
    ],
  },
];
