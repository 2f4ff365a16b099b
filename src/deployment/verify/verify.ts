import { rebuildCaches } from '../caches/rebuild-caches.ts';
import { runCommands } from '../caches/run-steps.ts';
import { selectSteps } from '../caches/select-steps.ts';
import { changedFiles } from '../git/changed-files.ts';
import { pathsIn } from '../git/local-edits.ts';
import type { Means } from '../opcache/means.ts';
import { refresh } from '../opcache/refresh.ts';
import { checkHealth, type Health, type HealthAnswer, isHealthy } from '../record/health.ts';
import type { DeployEvent, StepFailure } from '../record/states.ts';
import { loggedError, logSizes } from '../run/application-error.ts';
import { liftMaintenance } from '../run/maintenance.ts';
import { listByGit, type Run, type Workspace } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';
import { followUp } from '../tree/follow-up.ts';
import { umaskOfCheckout } from '../tree/permissions.ts';
import { syncTree } from '../tree/reset-tree.ts';
import { proveCommit } from './proof.ts';

/** What a deploy or rollback changes: from which commit to which, and how php-fpm is made to run the new one. */
export interface Change {
  readonly from: string;
  readonly to: string;
  readonly kind: 'deploy' | 'rollback';
  readonly means: Means;
}

/** Steps 7 and 8 of 4.3; the basic variant only rebuilds the caches. */
export function verify(run: Run, change: Change): Promise<void> {
  return run.settings.variant === 'basic' ? updateOnly(run, change.to) : verifyCommit(run, change);
}

/** The caches are cleared and rebuilt, then health is checked. A step that fails is a failed verification. */
async function verifyCommit(run: Run, change: Change): Promise<void> {
  const { before, after } = await stepsAround(run, change.kind, [change.from], change.to);
  const failure = await prepare(run, before, run.interruption);
  if (failure !== undefined) await run.progress.advance(failure);
  else await confirm(run, change, after);
}

/** Submodules and large files, the steps before the caches, and the caches; returns the first failure. */
export async function prepare(
  run: Workspace,
  before: readonly Step[],
  signal?: AbortSignal,
): Promise<StepFailure | undefined> {
  const { clear, rebuild } = run.settings.caches;
  return (
    (await followUp(run, signal)) ??
    (await runCommands(run, before, signal, await umaskOfServed(run, before))) ??
    (await rebuildCaches(run, [...clear, ...rebuild], signal))
  );
}

/** The umask of steps whose files visitors get; undefined where none of these is one. */
export async function umaskOfServed(run: Workspace, steps: readonly Step[]): Promise<number | undefined> {
  return steps.some(({ served }) => served) ? umaskOfCheckout(run) : undefined;
}

/**
 * The steps after the caches, opcache and the health check of a live commit. `doubt` may return a failure of a commit
 * that answers 200.
 */
export async function confirm(
  run: Run,
  change: Change,
  after: readonly Step[],
  doubt: () => Promise<StepFailure | undefined> = async () => undefined,
): Promise<void> {
  const failure = (await runCommands(run, after, run.interruption)) ?? (await refresh(run, change.means));
  // The health check asks what visitors get.
  if (failure === undefined) await liftMaintenance(run);
  const event = failure ?? (await healthOnDisk(run, change.to));
  const isGood = event.type === 'health-checked' && isHealthy(event);
  await run.progress.advance((isGood ? await doubt() : undefined) ?? event);
}

/** Syncs the files during the health check: a verified commit and its caches survive a loss of power. */
async function healthOnDisk(run: Run, commit: string): Promise<DeployEvent> {
  const [checked] = await Promise.all([healthOf(run, commit, run.interruption), syncTree(run)]);
  return checked;
}

/**
 * The steps of the settings before and after the caches that apply. git is asked for the changed files only where a
 * step depends on them.
 */
export async function stepsAround(
  run: Workspace,
  kind: Change['kind'],
  from: readonly string[],
  to: string,
): Promise<SurroundingSteps> {
  const { before, after } = run.settings.steps;
  const asksForChanges = [...before, ...after].some(({ whenChanged }) => whenChanged !== undefined);
  const changed: string[] = [];
  for (const commit of asksForChanges ? from : []) {
    for (const path of pathsIn(await listByGit(run, 'changed files', changedFiles(commit, to)))) changed.push(path);
  }
  return { before: selectSteps(before, kind, changed), after: selectSteps(after, kind, changed) };
}
/** The steps before the caches, and the steps after them. */
export interface SurroundingSteps {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

export type HealthChecked = Extract<DeployEvent, { readonly type: 'health-checked' }>;

/** Step 8 of 4.3. */
export async function healthOf(run: Run, commit: string, signal?: AbortSignal): Promise<HealthChecked> {
  return { type: 'health-checked', commit, ...(await checkedHealth(run, commit, signal)) };
}

/** The basic variant has no address to ask. */
export async function checkedHealth(run: Run, commit: string, signal?: AbortSignal): Promise<Health> {
  const { healthUrls, health } = run.settings;
  if (healthUrls.length === 0) return { status: 0, doubt: 'no health address', unasked: true };
  const startedSeconds = run.host.clock.monotonicSeconds();
  const at = new Date(run.host.clock.wallAt()).toISOString();
  run.progress.beginStep(`health check of ${healthUrls.join(', ')}`, health.deadline ?? health.timeout);
  const logs = await logSizes(run);
  const prove = (answer: HealthAnswer) => proveCommit(run, commit, answer);
  const found = await checkHealth(run.host, healthUrls, health, prove, signal, run.site);
  const seconds = run.host.clock.monotonicSeconds() - startedSeconds;
  run.progress.finishStep({ name: 'health', seconds, exitCode: 0 });
  const reason = found.status === 200 || found.status === 0 ? found.reason : await loggedError(run, logs);
  return { ...found, at, seconds, ...(reason === undefined ? {} : { reason }) };
}

/**
 * The basic variant of 4.3: success is logged before the three caches are rebuilt, and nothing is checked. A signal
 * waits for the caches.
 */
async function updateOnly(run: Run, commit: string): Promise<void> {
  await run.progress.advance({ type: 'updated', commit });
  const failure = (await followUp(run)) ?? (await rebuildCaches(run, run.settings.caches.rebuild));
  if (failure !== undefined) await run.progress.advance(failure);
  await syncTree(run);
}

/**
 * The steps and caches of a return to `commit` from any of these commits. A release still has what its own steps made:
 * only steps for rollbacks alone, and those after the caches, are run again.
 */
export async function returnSteps(
  run: Workspace,
  from: readonly string[],
  commit: string,
  caches: readonly Step[],
): Promise<{ readonly around: SurroundingSteps; readonly caches: readonly Step[] }> {
  const around = await stepsAround(run, 'rollback', from, commit);
  if (run.settings.mode === 'in-place') return { around, caches };
  return { around: { ...around, before: around.before.filter(({ on }) => on === 'rollback') }, caches: [] };
}
