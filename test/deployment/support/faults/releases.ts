import { deploymentTest, type Fault, guard, mutant } from './fault.ts';
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
  guard(
    101,
    'git cleans the releases away',
    releases(made),
    mutant('deployment/releases/make-release', '  await hideFromGit(run);\n'),
  ),
  guard(
    102,
    'a kill leaves a folder that nobody knows',
    releases(order),
    mutant('deployment/releases/make-release', '  await recordRelease(files, run.checkout, release);\n'),
  ),
  guard(
    103,
    'a loss of power takes what is shown already',
    releases(order),
    mutant('deployment/releases/prepare-release', '  await syncTree(inside);\n'),
    mutant('deployment/releases/prepare-release', '  await recordReady(run, release);\n'),
  ),
  guard(
    104,
    'a half-made release stays',
    releases('a commit whose files git cannot write ends the deploy: exit 1, and nothing is left of it'),
    mutant(
      'deployment/releases/make-release',
      'exitCode === 0 && (await isWhole(run, release)) ? release : undefined',
      'release',
    ),
  ),
  guard(
    105,
    'the tracked files under a shared path look like local edits',
    releases(shared),
    mutant('deployment/releases/share', '  await hideTracked(inRelease(run, release), path);\n'),
  ),
  guard(
    106,
    "the commit's own files take the place of the shared ones",
    releases(shared),
    mutant('deployment/releases/share', '  await files.remove(own);\n  await files.link(own, lasting);\n'),
  ),
  guard(
    107,
    'a link in the commit leads out of the release',
    releases('a commit whose folder is a link cannot make us link or remove anything elsewhere'),
    mutant('deployment/releases/share', '  await demandInside(run, release, own);\n'),
  ),
  guard(
    108,
    'nothing is shared where nothing was there yet',
    releases('the very first deploy makes the checkout, and its files are only in the release'),
    mutant('deployment/releases/share', ' && !(await seed(run, own, lasting))'),
  ),
  guard(
    109,
    'the new release takes the compiled views of the old one',
    deploymentTest(
      'laravel-releases',
      'a broken commit of a real Laravel is found, and the old release still has its own compiled views',
    ),
    mutant('deployment/releases/in-release', '...Object.fromEntries(folders), '),
    mutant('deployment/releases/prepare-release', '  await makeFolders(run, inside);\n'),
    mutant('deployment/releases/make-release', 'const behindSeconds = 60;', 'const behindSeconds = -60;'),
  ),
  guard(
    110,
    'the web server names the link',
    deploymentTest(
      'laravel-releases',
      'behind a web server that gives php-fpm the path of the link no commit is verified, because the old release would go on',
    ),
    mutant('deployment/verify', '(isGood ? await doubt() : undefined) ?? event', 'event'),
  ),
  guard(
    111,
    'a release that cannot be prepared is shown',
    releases('a commit whose caches cannot be built never becomes live'),
    mutant(
      'deployment/releases/deploy-release',
      '    if (failure !== undefined) await progress.advance(failure);\n    else if (await isHealthy',
      '    if (await isHealthy',
    ),
  ),
  guard(
    112,
    'the very first release fails',
    releases('the very first release that fails leaves visitors what they had before: nothing'),
    mutant(
      'deployment/releases/return-to-release',
      '  if (live === undefined) return run;\n',
      '  if (live === undefined) return undefined;\n',
    ),
  ),
  guard(
    113,
    'a way back builds in the old release',
    releases('a broken commit is rolled back to the release before, whose caches are unchanged, and is quarantined'),
    mutant('deployment/verify', "  if (run.settings.mode === 'in-place') return", '  if (run.id !== "") return'),
  ),
  guard(
    114,
    'steps that are only for a way back, or only where something changed',
    releases('steps run in the release before it is live, whatever has changed, and steps for rollbacks in a rollback'),
    mutant('deployment/verify', "before: around.before.filter(({ on }) => on === 'rollback')", 'before: around.before'),
    mutant('deployment/releases/prepare-release', "on === undefined || (kind === 'deploy' && on === kind)", 'true'),
  ),
  guard(
    115,
    'nothing is new, and no release is live yet',
    releases('nothing new leaves the live release alone with --if-changed, and makes another one without it'),
    mutant('deployment/deploy', ' && !(await hasNoReleaseYet(run))'),
  ),
  guard(
    116,
    'a person has edited the live release',
    releases('edits in the live release are kept aside, or stop the deploy with localEdits: refuse'),
    mutant(
      'deployment/releases/deploy-release',
      '  if (live !== undefined) await keepLocalEdits(inRelease(run, live));\n',
    ),
  ),
  guard(
    117,
    'something else is where the link has to be, or the mode was forgotten',
    releases(refused),
    mutant('deployment/releases/layout-trouble', "there !== undefined && there.kind !== 'link'", 'there === null'),
    mutant('deployment/releases/layout-trouble', 'if (target === undefined || ', 'if (target !== null || '),
    mutant(
      'deployment/releases/layout-trouble',
      '  if (live === undefined) return undefined;\n',
      '  if (live !== null) return undefined;\n',
    ),
  ),
  guard(
    118,
    'old releases fill the disk, or the wrong ones go',
    releases('old releases are removed, but never the live one, and never a folder without a record'),
    mutant('deployment/prune', '/worktrees/', '/nobodys/'),
    mutant('deployment/run-shell', '    await shell.tidy?.().catch(logError);\n'),
    mutant(
      'deployment/releases/prune',
      'release.directory);\n    await remove(run, release);\n',
      'release.directory);\n',
    ),
  ),
  guard(
    119,
    'the live release, the last verified one or a good one goes',
    deploymentTest('releases/prune', 'neither the live release nor the one that was verified last is ever removed'),
    mutant('deployment/releases/prune', '    live,\n    good', '    good'),
    mutant('deployment/releases/prune', '    good.findLast(({ commit }) => commit === lastVerified)?.name,\n'),
  ),
  guard(
    120,
    'what failed pushes out what is good',
    deploymentTest(
      'releases/prune',
      'of releases that were never verified only the newest is kept, and no good one is removed for it',
    ),
    mutant('deployment/releases/prune', "    releases.findLast(({ state }) => state === 'ready')?.name,\n"),
  ),
  guard(
    121,
    'a release is brought back that was never whole',
    deploymentTest(
      'releases/prune',
      'a commit goes live again from its newest good release, and never from an unfinished one',
    ),
    mutant('deployment/releases/release-of', ' && release.state === wanted'),
  ),
  guard(
    122,
    'a rollback by hand is deployed again by a timer',
    releases('rollback makes the last verified release live again, at once and through the same health check'),
    mutant('deployment/record-commits', '(await liveCommit(run)) ?? resolveCommit', 'resolveCommit'),
    mutant('deployment/rollback-command', '  if (from === to) return;', "  if (from !== '') return;"),
  ),
  guard(
    123,
    'the basic variant shows what it could not build',
    releases('the basic variant makes live what it has built, without a check, and nothing that it could not build'),
    mutant(
      'deployment/releases/prepare-release',
      'if (made !== undefined && failure === undefined) return made;',
      'if (made !== undefined) return made;',
    ),
  ),
  guard(
    124,
    'a killed run is forgotten',
    killed,
    mutant('deployment/repair/repair', 'await removeUnfinished(run);', '[];'),
    mutant('deployment/releases/layout-trouble', '  if (other !== undefined)\n', '  if (other === null)\n'),
    mutant(
      'deployment/releases/deploy-release',
      "  await run.journal.intend({ type: 'reset-intended', from, to });\n  if (run.settings.variant",
      '  if (run.settings.variant',
    ),
  ),
  guard(
    125,
    'settings that contradict each other',
    deploymentTest('mode-releases', 'everything that contradicts the mode releases is listed at once'),
    mutant(
      'deployment/settings',
      "...(given.mode === 'releases' ? releaseContradictions({ clean: given.clean, releases }) : []),",
    ),
  ),
  guard(
    126,
    'opcache fills up with releases that are gone',
    deploymentTest('laravel-releases', 'php-fpm drops the compiled files of a release that is removed'),
    mutant('deployment/releases/prune', '    await forgetFolder(run, means, release.directory);\n'),
    mutant('deployment/opcache/pool-script', " && $_SERVER['HOLDFAST_ACTION'] === 'forget') continue;", ') continue;'),
  ),
  guard(
    127,
    'a record is cut off in the middle, or is somebody else’s',
    deploymentTest(
      'releases/release',
      'a text that is no record, or names another folder than its own, is no release: nothing of it is ever removed',
    ),
    mutant('deployment/releases/release', "name.startsWith('.')", "name === ''"),
    mutant('deployment/releases/release', 'isWhole && isState', 'isState'),
    mutant('deployment/releases/release', 'isWhole && isState(state) ?', 'isWhole ?'),
  ),
  ...faultsAroundReleases,
  ...healthBeforeFaults,
];
