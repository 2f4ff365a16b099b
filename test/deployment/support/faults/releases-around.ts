import { deploymentTest, type Fault, guard, proof } from './fault.ts';

const wayBack = (name: string) => deploymentTest('releases-way-back', name);
const proved = (name: string) => deploymentTest('killed-when-proved', name);
const around = (name: string) => deploymentTest('releases-around', name);

/**
 * Faults on the way back to a release, and of what is around releases: backups, permissions, `doctor`, `status` and
 * `--dry-run`.
 */
export const faultsAroundReleases: readonly Fault[] = [
  guard(
    128,
    'a kill while old releases are removed undoes a verified deploy',
    wayBack('a run that is killed while it removes old releases counts as ended: nothing is undone'),
  ),
  guard(
    129,
    'the outcome is not on the disk, and what a repair needs is gone',
    wayBack('where the outcome cannot be written, the release that a repair would go back to stays'),
  ),
  guard(
    130,
    'a release cannot be recorded as good, and nobody is told',
    wayBack('a release that cannot be recorded as good is logged, and the deploy is verified all the same'),
  ),
  guard(
    131,
    'the release that was live before is removed, and a quarantined one kept',
    deploymentTest('releases/prune', 'the good releases that were live last are kept, whenever they were made'),
  ),
  guard(
    132,
    'a release of a quarantined commit is kept instead of one that a rollback may go to',
    deploymentTest(
      'releases/prune',
      'a release of a quarantined commit is removed before one that a rollback may go to',
    ),
  ),
  guard(
    133,
    'the first release fails over a checkout that cannot be built again',
    wayBack('the first release over the checkout itself '),
  ),
  guard(
    134,
    'the live release was taken away by hand',
    wayBack('where the live release was removed by hand, a bad commit is rolled back to the last verified one'),
  ),
  guard(
    135,
    'a restored release is nobody’s',
    around('after the restore of a backup its live release is a release again, here and on another machine'),
  ),
  guard(
    136,
    'a backup holds no file of the live release',
    around('releases that do not lie in the checkout are in its backup, and come back with it'),
  ),
  guard(
    137,
    'an ACL lets another user write compiled views, and the release has none',
    around('who may write compiled views by an ACL may in those of each release'),
  ),
  guard(138, 'permissions cannot be given, and nobody is told', around('permissions that ')),
  guard(
    139,
    'doctor takes what the application writes for a mistake',
    around('doctor ignores the owners of files that the application itself writes in a release'),
  ),
  guard(
    140,
    '--dry-run prints what cannot be run',
    around('what --dry-run prints makes a release that is served, with what is shared'),
  ),
  guard(
    141,
    'the folder of the releases is the checkout, or git’s own',
    around(
      'a folder of releases that lies in the checkout by another name is refused before anything is touched: exit 2',
    ),
  ),
  guard(
    142,
    'status shows a commit that nobody gets',
    around('status shows the release that visitors get also where the mode was forgotten, and says so: exit 1'),
  ),
  guard(
    143,
    'a release that is not whole has filled the disk',
    wayBack('a release that fills the disk while it is made is removed at once, so that the rollback can be recorded'),
  ),
  guard(
    144,
    'what could not be removed is called removed',
    wayBack('an unfinished release that a repair cannot remove is not reported as removed'),
  ),
  guard(
    145,
    'status calls a deploy killed that goes on',
    around('a deploy under way in another mode is not reported as killed'),
  ),
  {
    number: 146,
    fault: 'a release that was proved is not known to be, because its run was killed before it had written that down',
    proofs: [
      proof(proved('stays live, and a rollback may go to it')),
      proof(
        proved(
          'the very first release over the checkout itself keeps the link, also when the next commit fails before',
        ),
      ),
    ],
  },
];
