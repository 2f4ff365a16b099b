import { deploymentTest, type Fault, guard } from './fault.ts';
import { healthBeforeFaults } from './health-before.ts';
import { faultsAroundReleases } from './releases-around.ts';

const releases = (name: string) => deploymentTest('releases', name);
const made = 'a good commit is completed in a folder of its own, and then made live by one link';
const shared = 'a shared path is the same file in every release, byte for byte, whatever a commit has there';
const refused = 'a checkout where releases cannot be is refused before anything is touched: exit 2';
const order = 'a release is complete, on the disk and recorded as ready before one rename makes it live';
const killed = releases('a release whose run was killed ');

/** Faults that only the mode `releases` meets, numbered after those of every deploy. */
export const releaseFaults: readonly Fault[] = [
  guard(101, 'git cleans the releases away', releases(made)),
  guard(102, 'a kill leaves a folder that nobody knows', releases(order)),
  guard(103, 'a loss of power takes what is shown already', releases(order)),
  guard(
    104,
    'a half-made release stays',
    releases('a commit whose files git cannot write ends the deploy: exit 1, and nothing is left of it'),
  ),
  guard(105, 'the tracked files under a shared path look like local edits', releases(shared)),
  guard(106, "the commit's own files take the place of the shared ones", releases(shared)),
  guard(
    107,
    'a link in the commit leads out of the release',
    releases('a commit whose folder is a link cannot make us link or remove anything elsewhere'),
  ),
  guard(
    108,
    'nothing is shared where nothing was there yet',
    releases('the very first deploy makes the checkout, and its files are only in the release'),
  ),
  guard(
    109,
    'the new release takes the compiled views of the old one',
    deploymentTest(
      'laravel-releases',
      'a broken commit of a real Laravel is found, and the old release still has its own compiled views',
    ),
  ),
  guard(
    110,
    'the web server names the link',
    deploymentTest(
      'laravel-releases',
      'behind a web server that gives php-fpm the path of the link no commit is verified, because the old release would go on',
    ),
  ),
  guard(
    111,
    'a release that cannot be prepared is shown',
    releases('a commit whose caches cannot be built never becomes live'),
  ),
  guard(
    112,
    'the very first release fails',
    releases('the very first release that fails leaves visitors what they had before: nothing'),
  ),
  guard(
    113,
    'a way back builds in the old release',
    releases('a broken commit is rolled back to the release before, whose caches are unchanged, and is quarantined'),
  ),
  guard(
    114,
    'steps that are only for a way back, or only where something changed',
    releases('steps run in the release before it is live, whatever has changed, and steps for rollbacks in a rollback'),
  ),
  guard(
    115,
    'nothing is new, and no release is live yet',
    releases('nothing new leaves the live release alone with --if-changed, and makes another one without it'),
  ),
  guard(
    116,
    'a person has edited the live release',
    releases('edits in the live release are kept aside, or stop the deploy with localEdits: refuse'),
  ),
  guard(117, 'something else is where the link has to be, or the mode was forgotten', releases(refused)),
  guard(
    118,
    'old releases fill the disk, or the wrong ones go',
    releases('old releases are removed, but never the live one, and never a folder without a record'),
  ),
  guard(
    119,
    'the live release, the last verified one or a good one goes',
    deploymentTest('releases/prune', 'neither the live release nor the one that was verified last is ever removed'),
  ),
  guard(
    120,
    'what failed pushes out what is good',
    deploymentTest(
      'releases/prune',
      'of releases that were never verified only the newest is kept, and no good one is removed for it',
    ),
  ),
  guard(
    121,
    'a release is brought back that was never whole',
    deploymentTest(
      'releases/prune',
      'a commit goes live again from its newest good release, and never from an unfinished one',
    ),
  ),
  guard(
    122,
    'a rollback by hand is deployed again by a timer',
    releases('rollback makes the last verified release live again, at once and through the same health check'),
  ),
  guard(
    123,
    'the basic variant shows what it could not build',
    releases('the basic variant makes live what it has built, without a check, and nothing that it could not build'),
  ),
  guard(124, 'a killed run is forgotten', killed),
  guard(
    125,
    'settings that contradict each other',
    deploymentTest('mode-releases', 'everything that contradicts the mode releases is listed at once'),
  ),
  guard(
    126,
    'opcache fills up with releases that are gone',
    deploymentTest('laravel-releases', 'php-fpm drops the compiled files of a release that is removed'),
  ),
  guard(
    127,
    'a record is cut off in the middle, or is somebody else’s',
    deploymentTest(
      'releases/release',
      'a text that is no record, or names another folder than its own, is no release: nothing of it is ever removed',
    ),
  ),
  ...faultsAroundReleases,
  ...healthBeforeFaults,
];
