import { OperationError } from '../../host/errors.ts';
import { rebuildCaches } from '../caches/rebuild-caches.ts';
import { sentence } from '../log/sentence.ts';
import type { StepFailure } from '../record/states.ts';
import { type Run, runStep, type Workspace } from '../run/run.ts';
import { followUp } from '../tree/follow-up.ts';
import { makeOpenFolder } from '../tree/permissions.ts';
import { syncTree } from '../tree/reset-tree.ts';
import { type Change, prepare } from '../verify/verify.ts';
import { carryUnseen } from './carry-unseen.ts';
import { inRelease } from './in-release.ts';
import { linkLeadsToCheckout } from './live-release.ts';
import { makeRelease } from './make-release.ts';
import { removingUnfinished } from './prune.ts';
import { type Release, recordRelease } from './release.ts';
import { share } from './share.ts';

/** Makes and prepares a release that is not live; a failure is an `OperationError`. */
export async function wholeRelease(
  run: Run,
  commit: string,
  kind: Change['kind'],
  signal?: AbortSignal,
): Promise<Release> {
  return removingUnfinished(run, async () => {
    const made = await makeRelease(run, commit);
    const whyNot = (reason: string) => new OperationError({ tried: 'Making a release of', on: commit, reason });
    if (!('directory' in made)) throw whyNot(made.because ?? 'git failed');
    const failure = await prepareRelease(run, made, kind, signal);
    if (failure !== undefined) throw whyNot(sentence(failure));
    return made;
  });
}

/**
 * Prepares a release for visitors: shared paths, steps and caches. A new folder has nothing of a former deploy, so its
 * steps run whatever files have changed. Returns the failure; without one the release is on the disk and recorded as
 * `ready`.
 */
export async function prepareRelease(
  run: Workspace,
  release: Release,
  kind: Change['kind'],
  signal?: AbortSignal,
): Promise<StepFailure | undefined> {
  const inside = inRelease(run, release);
  await share(run, release);
  await carryUnseen(run, release);
  await makeFolders(run, inside);
  const failure = await (run.settings.variant === 'basic'
    ? rebuildCachesOnly(inside, signal)
    : prepareWith(inside, kind, signal));
  if (failure !== undefined) return failure;
  await syncTree(inside);
  await recordReady(run, release);
  return undefined;
}

/**
 * Records also whether the link leads to the checkout itself until now: a rollback has to know that, even after a kill.
 */
async function recordReady({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>, release: Release): Promise<void> {
  const over = (await linkLeadsToCheckout(host.files, checkout)) ? ({ overCheckout: true } as const) : {};
  await recordRelease(host.files, checkout, { ...release, ...over, state: 'ready' });
}

/** The basic variant of 4.3 only rebuilds caches. */
async function rebuildCachesOnly(inside: Workspace, signal?: AbortSignal): Promise<StepFailure | undefined> {
  return (await followUp(inside, signal)) ?? rebuildCaches(inside, inside.settings.caches.rebuild, signal);
}

function prepareWith(inside: Workspace, kind: Change['kind'], signal?: AbortSignal): Promise<StepFailure | undefined> {
  // Steps for rollbacks only are run after the switch.
  const before = inside.settings.steps.before.filter(
    ({ on }) => on === undefined || (kind === 'deploy' && on === kind),
  );
  return prepare(inside, before, signal);
}

/**
 * Makes the release's own folders with the permissions of the ones that they replace: another user may have to write
 * there.
 */
async function makeFolders(run: Workspace, inside: Workspace): Promise<void> {
  for (const { path, like } of Object.values(run.settings.releases.folders)) {
    const made = `${inside.checkout.directory}/${path}`;
    const example = `${run.checkout.directory}/${like}`;
    await makeOpenFolder(inside, made);
    if ((await run.host.files.stat(example)) === undefined || (await isMadeLike(inside, made, example))) continue;
    await run.log.line(
      'ERROR',
      `${made} does not have the permissions of ${example}: a user who writes there may not be able to write here`,
    );
  }
}

/** Copies group, mode and ACLs; without the package acl only tar copies the ACLs of a folder alone. */
async function isMadeLike(inside: Workspace, made: string, example: string): Promise<boolean> {
  const commands = [
    ['chgrp', `--reference=${example}`, made],
    ['chmod', `--reference=${example}`, made],
    ['sh', '-c', copyAcls, 'sh', example, made],
  ] as const;
  let isLike = true;
  for (const command of commands)
    isLike =
      (await runStep(inside, command[0], command, { env: inside.settings.environment })).exitCode === 0 && isLike;
  return isLike;
}

/** Keeps the owner: only root could change it. */
const copyAcls =
  'tar --create --acls --no-recursion --directory="$1" . | tar --extract --acls --preserve-permissions --no-same-owner --directory="$2"';
