import { deploymentTest, type Fault, guard } from './fault.ts';

const whoseFault = (name: string) => deploymentTest('whose-fault', name);

/** What is around every commit, and no commit's fault: its environment file, the programs of the caches. */
export const faultsAroundEveryCommit: readonly Fault[] = [
  guard(
    323,
    'a deploy without .env builds caches without it, and quarantines the commit',
    whoseFault(
      'a Laravel whose .env is broken or missing: nothing is deployed, exit 2, and the commit is not quarantined',
    ),
  ),
  guard(
    324,
    'a deploy whose caches need a program that is not there is rolled back in the sight of visitors',
    whoseFault('where PHP is missing nothing is deployed, exit 2, and the commit is not quarantined'),
  ),
  guard(
    325,
    'a rollback builds caches without .env, and calls them verified',
    whoseFault('a rollback builds no caches without .env or PHP'),
  ),
  guard(
    326,
    'a rollback to a release that is there is refused for want of a .env that it does not need',
    whoseFault('a rollback builds no caches without .env or PHP'),
  ),
  guard(
    327,
    'the first deploy by --clone builds caches without .env',
    whoseFault('a checkout that --clone makes waits for its .env, and later deploys for a whole one'),
  ),
  guard(
    328,
    'a checkout that only holds releases is not seen as an application, and misses no .env',
    whoseFault('a checkout that --clone makes waits for its .env, and later deploys for a whole one'),
  ),
  guard(
    329,
    'a php-fpm pool that was busy, and then refuses to forget the old code, costs a good commit',
    deploymentTest('saturated-pool', ' and was busy costs no good commit: its opcache looks at the files by itself'),
  ),
  guard(
    330,
    'a busy php-fpm pool that would run the old code for ever turns out to refuse when the tree is the new one',
    deploymentTest(
      'saturated-pool',
      'a busy pool that would run the old code for ever is waited for before anything is touched, and refused if it refuses',
    ),
  ),
  guard(
    343,
    'a busy php-fpm pool of which only its address is known turns out to refuse when the tree is the new one',
    deploymentTest(
      'saturated-pool',
      'a pool that only the settings know, such as one in a container, is waited for before anything is touched, and refused if it refuses',
    ),
  ),
];
