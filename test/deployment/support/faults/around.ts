import { deploymentTest, type Fault, notificationTest, proof } from './fault.ts';

/** Faults of what is around a deploy: notifiers, secrets, backups, steps and its own word. */
export const faultsAround: readonly Fault[] = [
  {
    number: 51,
    fault: 'a notifier is down',
    proofs: [proof(deploymentTest('notify', 'notifiers that fail change no outcome, and each has its line'))],
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
      ),
    ],
  },
  {
    number: 53,
    fault: 'git prints the password of the remote',
    proofs: [
      proof(notificationTest('redactor', 'text that has the form of a secret is redacted without being known')),
      proof(
        deploymentTest('secrets', 'no secret is in any output, nor in any file but those that a person wrote it into'),
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
      ),
      proof(
        deploymentTest(
          'clean-and-backup',
          'an incomplete backup ends the deploy before anything is touched, and leaves no archive',
        ),
      ),
      proof(
        deploymentTest('clean-and-backup', 'a backup directory in the checkout is refused, and nothing is touched'),
      ),
    ],
  },
  {
    number: 55,
    fault: 'a hostile archive is restored',
    proofs: [proof(deploymentTest('clean-and-backup', 'hostile archives are refused before anything is touched'))],
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
      ),
    ],
  },
  {
    number: 58,
    fault: 'a step hangs',
    proofs: [
      proof(deploymentTest('host-faults', 'a step that hangs is ended after its time, and is a failed verification')),
    ],
  },
  {
    number: 59,
    fault: 'trouble after the end makes a success a failure',
    proofs: [proof(deploymentTest('host-faults', 'an error after the outcome is decided does not change it'))],
  },
  {
    number: 60,
    fault: 'a failure is reported as a success',
    proofs: [proof(deploymentTest('host-faults', 'a reset that exits 0 at another commit is a failed one'))],
  },
  {
    number: 61,
    fault: 'nobody knows that there will be no rollback',
    proofs: [proof(deploymentTest('first-deploy', 'the first deploy makes the checkout where'))],
  },
  {
    number: 62,
    fault: 'after a kill HEAD is not what it says',
    proofs: [
      proof(deploymentTest('trust', 'before any verified commit the target is where the killed run came from')),
      proof(
        deploymentTest(
          'crash',
          'after a kill the repair does not rely on HEAD: files that the new commit added are removed, and files that it replaced come back',
        ),
      ),
    ],
  },
];
