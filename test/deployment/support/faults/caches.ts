import { deploymentTest, type Fault, proof } from './fault.ts';

/** Faults of caches and the runtime. */
export const cacheFaults: readonly Fault[] = [
  {
    number: 31,
    fault: 'what is cached keeps the framework from starting',
    proofs: [
      proof(
        deploymentTest(
          'caches',
          'artisan starts although what is cached names a class that the new commit does not have',
        ),
      ),
    ],
  },
  {
    number: 32,
    fault: 'a clear says that it succeeded, and cleared nothing',
    proofs: [proof(deploymentTest('caches', 'a clear that says it succeeded and cleared nothing is found'))],
  },
  {
    number: 33,
    fault: 'a cache cannot be built',
    proofs: [proof(deploymentTest('full', 'a cache step that fails is a failed verification'))],
  },
  {
    number: 34,
    fault: 'cache:clear fails, because its store is down',
    proofs: [
      proof(
        deploymentTest(
          'caches',
          'a cache:clear whose store is down is a failed verification, or only a warning where the settings say so',
        ),
      ),
    ],
  },
  {
    number: 35,
    fault: 'cache:clear empties the store of queues and sessions',
    whyNot:
      "The application's stores are its own: cache:clear is a step that the settings can leave out (deployment.caches.clear).",
  },
  {
    number: 36,
    fault: 'a request meets half a cache file',
    proofs: [
      proof(
        deploymentTest('caches', 'laravel-atomic renames its caches into place also where the commands run one by one'),
      ),
      // A file of the commit is one too, for whoever asks while git writes it.
      proof(
        deploymentTest(
          'placement',
          'no visitor meets a changed file that is absent or cut off, in a deploy, in its rollback and in one by hand',
        ),
      ),
    ],
  },
  {
    number: 37,
    fault: 'php-fpm goes on running the old code, and starting it afresh would cut requests',
    proofs: [
      proof(
        deploymentTest(
          'opcache-forgets',
          'old code is forgotten while no request runs, and a request that runs for long is not waited for',
        ),
      ),
      proof(deploymentTest('laravel', 'where files are never looked at again, FastCGI still brings the new code')),
      proof(
        deploymentTest(
          'saturated-pool',
          'a reload command that fails for the new commit alone is not the commit’s fault either',
        ),
      ),
      proof(
        deploymentTest(
          'serving-pools',
          'a pool is proved to serve the checkout by its web server or its own section, also through links and other notations',
        ),
      ),
      proof(deploymentTest('opcache', 'such a pool that is not known to be ours is a warning')),
      proof(
        deploymentTest('pool-script', 'nothing of ours stays compiled, also where the request has waited for a worker'),
      ),
      proof(
        deploymentTest(
          'pool-script',
          'compiled files below .git are no proof that a pool serves the checkout, and are forgotten',
        ),
      ),
    ],
  },
  {
    number: 38,
    fault: 'workers keep the new code after the rollback',
    proofs: [
      proof(
        deploymentTest(
          'caches',
          'steps before and after the caches, in the deploy and in the rollback, where their files changed',
        ),
      ),
      proof(
        deploymentTest(
          'git-faults',
          'the steps of the settings follow the commit in the repair of a killed deploy too',
        ),
      ),
    ],
  },
  {
    number: 39,
    fault: 'new files cannot be read by the web server',
    proofs: [
      proof(
        deploymentTest(
          'modes',
          'a changed file gets the mode that git gives, not the one that a pull with another umask left',
        ),
      ),
      proof(deploymentTest('cache-modes', ': with umask 077 php-fpm as another user reads the new caches')),
      proof(deploymentTest('cache-modes', ' php-fpm reads the caches of files that are new')),
      proof(deploymentTest('modes-releases', 'releases: with umask 077 php-fpm as another user reads the new release')),
      proof(
        deploymentTest('tasks', 'with umask 077 what composer and the build make has the permissions of the checkout'),
      ),
      proof(deploymentTest('cache-modes', 'a cache that only the group may read stays so, whatever the umask is')),
      proof(
        deploymentTest(
          'blast-radius',
          'new files get the permissions of the present ones, whatever the umask of this process is',
        ),
      ),
      proof(deploymentTest('blast-radius', 'files that a rollback writes get them too, automatic and by hand')),
      proof(
        deploymentTest(
          'placement',
          'paths that become a folder or a file, or lie behind a link, are left to git: no link leads out of the checkout',
        ),
      ),
      proof(
        deploymentTest(
          'placement',
          'a folder that gives its files another group gives it to what a deploy writes there',
        ),
      ),
      proof(
        deploymentTest(
          'placement',
          'a folder that gives its files an ACL gives it to what a deploy and its rollback write there',
        ),
      ),
      proof(
        deploymentTest(
          'placement',
          'an ACL that the whole checkout hands down stops no file from being renamed into its place',
        ),
      ),
    ],
  },
];
