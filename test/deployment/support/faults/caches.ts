import { deploymentTest, type Fault, mutant, proof } from './fault.ts';

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
        mutant('deployment/caches/rebuild-caches', 'if (removed.length === 0) return first;', 'return first;'),
      ),
    ],
  },
  {
    number: 32,
    fault: 'a clear says that it succeeded, and cleared nothing',
    proofs: [
      proof(
        deploymentTest('caches', 'a clear that says it succeeded and cleared nothing is found'),
        mutant(
          'deployment/caches/run-steps',
          'step.leaves !== undefined && wrong.length > 0',
          'step.leaves !== undefined && wrong.length > 99',
        ),
      ),
    ],
  },
  {
    number: 33,
    fault: 'a cache cannot be built',
    proofs: [
      proof(
        deploymentTest('full', 'a cache step that fails is a failed verification'),
        mutant('deployment/caches/run-steps', '  if (exitCode !== 0) return exitTrouble(exitCode, stdout + stderr);\n'),
      ),
    ],
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
        mutant('deployment/caches/run-steps', "if (step.onFailure !== 'warn') return", 'return'),
        mutant(
          'deployment/caches/run-steps',
          "if (step.onFailure !== 'warn') return { type",
          "if (step.onFailure === 'never') return { type",
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
        mutant(
          'deployment/caches/publish',
          '  for (const { from, to } of publications) {',
          '  for (const { from, to } of publications.slice(99)) {',
        ),
      ),
      // A file of the commit is one too, for whoever asks while git writes it.
      proof(
        deploymentTest(
          'placement',
          'no visitor meets a changed file that is absent or cut off, in a deploy, in its rollback and in one by hand',
        ),
        mutant('deployment/reset-tree', '  await placeFiles(run, staged);\n'),
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
        mutant('deployment/opcache/pool-script', '$running() > 1', 'false'),
        mutant('deployment/opcache/pool-script', 'microtime(true) < $end', 'true'),
      ),
      proof(
        deploymentTest('laravel', 'where files are never looked at again, FastCGI still brings the new code'),
        mutant('deployment/verify', ' ?? (await refresh(run, change.means));', ';'),
      ),
      proof(
        deploymentTest(
          'saturated-pool',
          'a reload command that fails for the new commit alone is not the commit’s fault either',
        ),
        mutant(
          'deployment/automatic-rollback',
          "  if (last?.type === 'step-failed' && isStepOfOpcache(last.step)) return undefined;\n",
        ),
      ),
      proof(
        deploymentTest(
          'serving-pools',
          'a pool is proved to serve the checkout by its web server or its own section, also through links and other notations',
        ),
        mutant('deployment/serving-pools', 'if (ours.includes(true)) addresses', 'if (true) addresses'),
        mutant('deployment/serving-pools', 'named.includes(true) || '),
      ),
      proof(
        deploymentTest('opcache', 'such a pool that is not known to be ours is a warning'),
        mutant('deployment/means', 'const ours = caches.filter(({ isOurs }) => isOurs);', 'const ours = caches;'),
      ),
      proof(
        deploymentTest('pool-script', 'nothing of ours stays compiled, also where the request has waited for a worker'),
        mutant(
          'deployment/script-file',
          ', { mode: readable, modifiedAt: clock.wallAt() + dayMilliseconds });',
          ', { mode: readable });',
        ),
      ),
      proof(
        deploymentTest(
          'pool-script',
          'compiled files below .git are no proof that a pool serves the checkout, and are forgotten',
        ),
        mutant(
          'deployment/pool-script',
          'if (strncmp($path, "$directory.git/", strlen("$directory.git/")) !== 0) {',
          'if (true) {',
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
        mutant('deployment/after-return', '  await report(await runCommands(run, around.after));\n'),
      ),
      proof(
        deploymentTest(
          'git-faults',
          'the steps of the settings follow the commit in the repair of a killed deploy too',
        ),
        mutant(
          'deployment/after-return',
          '  await report(await runCommands(run, around.before, undefined, await umaskOfServed(run, around.before)));\n',
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
        mutant('deployment/permissions', 'b.length - a.length || a.mask - b.mask', 'b.mask - a.mask'),
      ),
      proof(
        deploymentTest('cache-modes', ': with umask 077 php-fpm as another user reads the new caches'),
        mutant('deployment/rebuild-caches', 'await umaskOfCaches(run, steps)', '0o077'),
      ),
      proof(
        deploymentTest('cache-modes', ' php-fpm reads the caches of files that are new'),
        mutant('deployment/run/umask', 'return umaskWhere(mode, mayEnter)', 'return umaskWhere(mode, mayRead)'),
        mutant('deployment/cache-modes', 'known.length > 0 ? known : ', ''),
      ),
      proof(
        deploymentTest('modes-releases', 'releases: with umask 077 php-fpm as another user reads the new release'),
        mutant('deployment/make-release', 'await makeOpenFolder(run, folder)', 'await files.makeFolder(folder)'),
        mutant('deployment/share', 'makeOpenFolder(run, folder);\n  if', 'run.host.files.makeFolder(folder);\n  if'),
      ),
      proof(
        deploymentTest('tasks', 'with umask 077 what composer and the build make has the permissions of the checkout'),
        mutant('deployment/verify/verify', 'signal, await umaskOfServed(run, before)', 'signal'),
        mutant('deployment/after-return', ', undefined, await umaskOfServed(run, around.before)'),
      ),
      proof(
        deploymentTest('cache-modes', 'a cache that only the group may read stays so, whatever the umask is'),
        mutant('deployment/rebuild-caches', '  await restoreModes(run, modes);\n'),
      ),
      proof(
        deploymentTest(
          'blast-radius',
          'new files get the permissions of the present ones, whatever the umask of this process is',
        ),
        mutant('deployment/place-files', 'umask === undefined ? {} : { umask }', '{}'),
      ),
      proof(
        deploymentTest('blast-radius', 'files that a rollback writes get them too, automatic and by hand'),
        mutant('deployment/reset-tree', 'await umaskOfCheckout(run)', 'undefined'),
      ),
      proof(
        deploymentTest(
          'placement',
          'paths that become a folder or a file, or lie behind a link, are left to git: no link leads out of the checkout',
        ),
        mutant('deployment/reset-tree', 'umask === undefined ? {} : { umask }', '{}'),
        mutant('deployment/place-files', "there.kind === 'folder' && ", "there.kind !== 'file' && "),
      ),
      proof(
        deploymentTest(
          'placement',
          'a folder that gives its files another group gives it to what a deploy writes there',
        ),
        mutant('deployment/place-files', ' && groupFor(aside) === groupFor(there)'),
      ),
      proof(
        deploymentTest(
          'placement',
          'a folder that gives its files an ACL gives it to what a deploy and its rollback write there',
        ),
        mutant('deployment/place-files', 'withoutOtherAcls(run, await movesIn(run, ', '(movesIn(run, '),
        mutant('deployment/other-acls', "'-Uldq'", "'-ldq'"),
      ),
      proof(
        deploymentTest(
          'placement',
          'an ACL that the whole checkout hands down stops no file from being renamed into its place',
        ),
        mutant('deployment/other-acls', ' && acls[index] === acls[index + both.length]'),
        mutant('deployment/other-acls', ' && !same.has(each)'),
      ),
    ],
  },
];
