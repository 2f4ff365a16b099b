import { deploymentTest, type Fault, proof } from './fault.ts';

/** Faults of verification and rollback. */
export const verificationFaults: readonly Fault[] = [
  {
    number: 18,
    fault: 'health is anything but 200',
    proofs: [proof(deploymentTest('full', 'is not 200: rolled back'))],
  },
  {
    number: 19,
    fault: 'the application is slow to start, or flaps',
    proofs: [proof(deploymentTest('health', 'several good answers have to be in a row'))],
  },
  {
    number: 20,
    fault: 'the site is unhealthy after the rollback too',
    proofs: [
      proof(deploymentTest('rollback', 'the site is still unhealthy after the rollback: exit 4')),
      proof(deploymentTest('unproved-live', 'an unhealthy commit that a person asked for stays')),
      proof(
        deploymentTest(
          'unproved-live',
          'a rollback to the last verified commit that ends unhealthy names no better one',
        ),
      ),
    ],
  },
  {
    number: 21,
    fault: 'the reset of the rollback fails',
    proofs: [
      proof(deploymentTest('rollback', 'a rollback of a deploy that cannot be done: exit 5, with the exact commands')),
      proof(deploymentTest('rollback', 'a rollback of a deploy that cannot be done: exit 5, with the exact commands')),
      proof(deploymentTest('unproved-live', 'after a rollback that failed status and doctor name the live commit')),
      proof(deploymentTest('unproved-live', 'doctor --repair ends with 1 where the repaired commit is unhealthy')),
    ],
  },
  {
    number: 22,
    fault: 'the caches of the rollback cannot be rebuilt',
    proofs: [
      proof(
        deploymentTest(
          'rollback',
          'a cache step that fails in the rollback is logged, manifests may keep the framework from starting',
        ),
      ),
    ],
  },
  {
    number: 23,
    fault: 'the site was down before the deploy',
    proofs: [
      proof(
        deploymentTest(
          'truthful-health',
          'a site that was down before the deploy is logged, and with baseline refuse nothing is touched',
        ),
      ),
    ],
  },
  {
    number: 24,
    fault: 'the site cannot be reached from here',
    proofs: [
      proof(deploymentTest('truthful-health', 'a site that cannot be reached from here is logged before the deploy')),
      proof(
        deploymentTest(
          'signals',
          'a health request that a signal breaks off is not told as a site that cannot be reached',
        ),
      ),
    ],
  },
  {
    number: 25,
    fault: 'the old code answers',
    proofs: [
      proof(
        deploymentTest(
          'truthful-health',
          'proof of the commit by a header: the old commit is a failed verification, the new one passes',
        ),
      ),
    ],
  },
  {
    number: 26,
    fault: 'maintenance mode was forgotten',
    proofs: [proof(deploymentTest('truthful-health', 'maintenance mode is logged'))],
  },
  {
    number: 27,
    fault: 'a timer deploys the bad commit every minute',
    proofs: [
      proof(
        deploymentTest('quarantine', 'a failed commit is not deployed again by a timer, until the branch moves on'),
      ),
      proof(deploymentTest('quarantine', '--again deploys it once more, and a commit that then passes is free again')),
    ],
  },
  {
    number: 28,
    fault: 'the commit to roll back to is bad itself',
    proofs: [
      proof(deploymentTest('trust', 'an unproved commit of a killed run is no target: the last verified one is')),
      proof(
        deploymentTest(
          'rollback',
          'a rollback goes to the last verified commit where the previous commit was never verified, and both are logged',
        ),
      ),
    ],
  },
  {
    number: 29,
    fault: 'there is nothing new',
    proofs: [proof(deploymentTest('full', '--if-changed does nothing where the branch has not moved'))],
  },
  {
    number: 30,
    fault: 'a migration has run before the rollback',
    proofs: [proof(deploymentTest('git-faults', 'a migration is not undone, and the rollback says so'))],
  },
];
