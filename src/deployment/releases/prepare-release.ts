import { OperationError } from '../../host/errors.ts';
import { rebuildCaches } from '../caches/rebuild-caches.ts';
import { sentence } from '../log/sentence.ts';
import type { StepFailure } from '../record/states.ts';
import { type Run, runStep, type Workspace } from '../run/run.ts';
import { followUp } from '../tree/follow-up.ts';
import { syncTree } from '../tree/reset-tree.ts';
import { type Change, prepare } from '../verify/verify.ts';
import { inRelease } from './in-release.ts';
import { leadsToCheckout } from './live-release.ts';
import { makeRelease } from './make-release.ts';
import { withoutHalves } from './prune.ts';
import { type Release, recordRelease } from './release.ts';
import { share } from './share.ts';

/** Makes and prepares a release that nobody is to see before; what fails is an `OperationError`. */
export async function wholeRelease(
  run: Run,
  commit: string,
  kind: Change['kind'],
  signal?: AbortSignal,
): Promise<Release> {
  return withoutHalves(run, async () => {
    const made = await makeRelease(run, commit);
    const failure = made && (await prepareRelease(run, made, kind, signal));
    if (made !== undefined && failure === undefined) return made;
    throw new OperationError({
      tried: 'Making a release of',
      on: commit,
      reason: failure === undefined ? 'git failed' : sentence(failure),
    });
  });
}

/**
 * Everything that the commit needs before visitors come: what is shared, its steps and its caches. A folder begins
 * empty, so its steps run whatever has changed. When it has ended well, the release is on the disk and recorded as ready.
 */
export async function prepareRelease(
  run: Workspace,
  release: Release,
  kind: Change['kind'],
  signal?: AbortSignal,
): Promise<StepFailure | undefined> {
  const inside = inRelease(run, release);
  await share(run, release);
  await makeFolders(run, inside);
  const failure = await (run.settings.variant === 'basic'
    ? rebuildOnly(inside, signal)
    : prepareWith(inside, kind, signal));
  if (failure !== undefined) return failure;
  await syncTree(inside);
  await recordReady(run, release);
  return undefined;
}

/** A way back has to know, also after a kill, whether visitors have had the checkout itself until now. */
async function recordReady({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>, release: Release): Promise<void> {
  const over = (await leadsToCheckout(host.files, checkout)) ? ({ overCheckout: true } as const) : {};
  await recordRelease(host.files, checkout, { ...release, ...over, state: 'ready' });
}

/** What the basic variant of 4.3 does. */
async function rebuildOnly(inside: Workspace, signal?: AbortSignal): Promise<StepFailure | undefined> {
  return (await followUp(inside, signal)) ?? rebuildCaches(inside, inside.settings.caches.rebuild, signal);
}

function prepareWith(inside: Workspace, kind: Change['kind'], signal?: AbortSignal): Promise<StepFailure | undefined> {
  // What is only for a way back is run after the switch.
  const before = inside.settings.steps.before.filter(
    ({ on }) => on === undefined || (kind === 'deploy' && on === kind),
  );
  return prepare(inside, before, signal);
}

/** With the permissions of the folder that they stand for: another user may have to write there. */
async function makeFolders(run: Workspace, inside: Workspace): Promise<void> {
  for (const { path, like } of Object.values(run.settings.releases.folders)) {
    const made = `${inside.checkout.directory}/${path}`;
    const example = `${run.checkout.directory}/${like}`;
    await run.host.files.makeFolder(made);
    if ((await run.host.files.stat(example)) === undefined || (await isMadeLike(inside, made, example))) continue;
    await run.log.line('ERROR', `${made} has not the permissions of ${example}: who writes there may not write here`);
  }
}

/** Owner's group, mode and ACLs; only tar copies those of a folder alone. */
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

/** The owner stays ours: chgrp has given it to the group. */
const copyAcls =
  'tar --create --acls --no-recursion --directory="$1" . | tar --extract --acls --preserve-permissions --no-same-owner --directory="$2"';
