import { deploymentTest, type Fault, proof } from './fault.ts';

/** Faults of git and its remote. */
export const gitFaults: readonly Fault[] = [
  {
    number: 1,
    fault: 'the remote cannot be reached',
    proofs: [
      proof(deploymentTest('full', 'a remote that cannot be reached ends the deploy: exit 1, the tree untouched')),
    ],
  },
  {
    number: 2,
    fault: 'the fetch hangs',
    proofs: [
      proof(deploymentTest('git-faults', 'a fetch that hangs is ended with all that it started')),
      proof(
        deploymentTest('git-faults', "the checkout's own ssh command keeps its deploy key, and is told not to ask"),
      ),
    ],
  },
  {
    number: 3,
    fault: 'the branch is gone upstream, and still known here',
    proofs: [
      proof(
        deploymentTest(
          'full',
          'a branch that was deleted upstream ends the deploy, although origin/BRANCH still exists here',
        ),
      ),
    ],
  },
  {
    number: 4,
    fault: 'the branch was forced to another history',
    proofs: [
      proof(
        deploymentTest(
          'git-faults',
          'a branch that was force-pushed is followed, and the commits that it drops are counted',
        ),
      ),
    ],
  },
  {
    number: 5,
    fault: 'a branch is named like an option, or like a tag',
    proofs: [
      proof(
        deploymentTest('branch', 'a branch name that git refuses is refused, and one that looks like an option too'),
      ),
      proof(deploymentTest('full', 'a tag with the name of the branch changes nothing')),
    ],
  },
  {
    number: 6,
    fault: 'a branch that is gone is in the way of the new name',
    proofs: [
      proof(deploymentTest('git-faults', 'a branch below the name of a branch that was deleted upstream is fetched')),
    ],
  },
  {
    number: 7,
    fault: 'HEAD has no commit yet',
    proofs: [proof(deploymentTest('refusals', 'a checkout that has no commit yet: nothing is touched'))],
  },
  {
    number: 8,
    fault: 'tracked files were edited on the server',
    proofs: [proof(deploymentTest('blast-radius', 'local edits are kept as a patch that brings them back'))],
  },
  {
    number: 9,
    fault: 'files that git does not track are in the way',
    proofs: [
      proof(
        deploymentTest(
          'blast-radius',
          'untracked files that the reset overwrites or deletes are logged and copied aside',
        ),
      ),
      proof(deploymentTest('blast-radius', 'files that the reset overwrote come back when the deploy is rolled back')),
    ],
  },
  {
    number: 10,
    fault: 'a killed git has left its locks',
    proofs: [
      proof(
        deploymentTest('git-faults', 'the lock of a killed git is removed, and never one that a running git may hold'),
      ),
      proof(deploymentTest('placement', 'nothing is touched where another git takes the index meanwhile')),
    ],
  },
  {
    number: 11,
    fault: 'not run as the owner of the checkout',
    proofs: [proof(deploymentTest('refusals', 'not run as the owner: exit 2 naming the user'))],
  },
  {
    number: 12,
    fault: 'submodules stay where they were',
    proofs: [
      proof(deploymentTest('git-faults', 'submodules follow the commit, in the deploy and in the rollback')),
      proof(deploymentTest('git-faults', 'submodules follow the commit in the repair of a killed deploy too')),
    ],
  },
  {
    number: 13,
    fault: 'pointers are served instead of large files',
    proofs: [
      proof(
        deploymentTest(
          'git-faults',
          'large files without git-lfs are refused before anything is touched: no pointer is served',
        ),
      ),
    ],
  },
  {
    number: 14,
    fault: 'git forgets the commit that a rollback needs',
    proofs: [
      proof(deploymentTest('git-faults', 'the commit to roll back to survives a clean-up of git after a forced push')),
    ],
  },
  {
    number: 15,
    fault: 'git cleans up in the background during the deploy',
    proofs: [
      proof(
        deploymentTest(
          'commands',
          'every git command runs without hooks, without a file system monitor and without a clean-up in the background',
        ),
      ),
    ],
  },
  {
    number: 16,
    fault: 'an inherited GIT_DIR points to another repository',
    proofs: [proof(deploymentTest('refusals', 'another git directory in the environment is not followed'))],
  },
  {
    number: 17,
    fault: 'the checkout holds hooks',
    proofs: [proof(deploymentTest('refusals', 'hooks of the checkout are not run'))],
  },
];
