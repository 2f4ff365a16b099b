import { deploymentTest, type Fault, proof } from './fault.ts';

/** Faults of the machine and the process. */
export const hostFaults: readonly Fault[] = [
  {
    number: 40,
    fault: 'the disk is full',
    proofs: [
      proof(deploymentTest('blast-radius', 'for the commit and a rollback, nothing is touched')),
      proof(deploymentTest('blast-radius', 'for the commit and a rollback, nothing is touched')),
    ],
  },
  {
    number: 41,
    fault: 'the deploy is killed, or the machine loses power',
    proofs: [
      proof(deploymentTest('crash', 'a loss of power: files with other contents and a broken index are repaired')),
      proof(deploymentTest('first-deploy', 'a first deploy that was killed is finished by the next one')),
      proof(
        deploymentTest(
          'first-deploy',
          'after a first deploy that failed the next commit is deployed, and no rollback goes to the empty tree',
        ),
      ),
      proof(
        deploymentTest(
          'placement',
          'a run that is killed between two files is repaired, and its staged files are removed',
        ),
      ),
      proof(deploymentTest('crash', 'commands that a killed deploy has left running are ended first')),
      proof(
        deploymentTest(
          'killed-when-proved',
          'a deploy that was killed after its commit was verified, before its end was recorded, counts as ended',
        ),
      ),
    ],
  },
  {
    number: 42,
    fault: 'the deploy is asked to stop',
    proofs: [
      proof(deploymentTest('signals', 'while the caches are rebuilt: rolled back, exit')),
      proof(deploymentTest('signals', 'a signal during the repair')),
    ],
  },
  {
    number: 43,
    fault: 'the connection of the person who deploys is lost',
    proofs: [proof(deploymentTest('signals', 'a lost connection does not stop a deploy'))],
  },
  {
    number: 44,
    fault: 'two deploys at once',
    proofs: [
      proof(
        deploymentTest(
          'two-at-once',
          'two at once: one deploys, the other gets exit 6, hears who deploys and why, and its lines stay together',
        ),
      ),
      proof(
        deploymentTest(
          'lock',
          'whichever process is killed at any point, two never hold the lock, and it is never stuck',
        ),
      ),
    ],
  },
  {
    number: 45,
    fault: 'the lock is of another machine, of another container, or of an earlier boot',
    proofs: [
      proof(
        deploymentTest('owner', 'an owner on another machine is never known to be dead, nor one in another container'),
      ),
      proof(deploymentTest('owner', 'an owner of an earlier boot is dead, whatever runs now')),
      proof(deploymentTest('owner', 'an owner is dead whose process id now belongs to a process with another start')),
      proof(deploymentTest('lock', 'only the owner releases a lock')),
    ],
  },
  {
    number: 46,
    fault: 'a child inherits the lock',
    whyNot: "The lock is a file with its owner's name in it, and no descriptor that a child could inherit.",
  },
  {
    number: 47,
    fault: 'the log becomes full, or is a symbolic link',
    proofs: [
      proof(
        deploymentTest(
          'host-faults',
          'a log on a disk that becomes full does not stop the deploy half-way, and is reported once',
        ),
      ),
      proof(deploymentTest('refusals', 'is found before anything is touched: a mistake of the settings')),
      proof(deploymentTest('secrets', 'neither a commit subject nor a command can forge a line of the log')),
    ],
  },
  {
    number: 48,
    fault: 'APP_DIR lies in another checkout',
    proofs: [proof(deploymentTest('refusals', 'is not the top of a checkout: exit 2, one sentence, nothing touched'))],
  },
  {
    number: 49,
    fault: 'the clock jumps',
    proofs: [proof(deploymentTest('host-faults', 'a clock that jumps changes no duration'))],
  },
  {
    number: 50,
    fault: 'a program is not on the path of the timer',
    proofs: [proof(deploymentTest('doctor', 'doctor names each program that is not on the path of the deploy'))],
  },
];
