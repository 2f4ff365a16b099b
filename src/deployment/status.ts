import type { Host } from '../host/host.ts';
import type { Checkout } from './checkout/checkout.ts';
import { type Freeze, freezeText, frozen } from './checkout/freeze.ts';
import { lockOwner } from './checkout/lock.ts';
import { isProvablyDead, type Owner } from './checkout/owner.ts';
import { commitOf } from './git/commits.ts';
import { localEdits, pathsIn } from './git/local-edits.ts';
import { commitTrouble } from './record/commit-trouble.ts';
import { lastVerified, type RunRecord, readHistory } from './record/history.ts';
import { type Trust, trustIn } from './record/trust.ts';
import { layoutTrouble } from './releases/layout-trouble.ts';
import { liveRelease } from './releases/live-release.ts';
import { type KeptByRuns, keptByRuns } from './run/evidence.ts';
import type { DeploymentSettings } from './settings/settings.ts';

/** The state of a checkout. */
export interface Status {
  readonly directory: string;
  readonly commit: string | null;
  /** The folder of the live release; null where there is none. */
  readonly release: string | null;
  readonly lastVerifiedCommit: string | null;
  /** Tracked files that differ from the commit. */
  readonly localEdits: readonly string[];
  readonly lastRun: RunRecord | null;
  readonly lock: { readonly owner: Owner; readonly dead: boolean } | null;
  readonly frozen: Freeze | null;
  /**
   * What changed with the live commit and was not applied, a sentence each. It is no problem of the deploy: the exit
   * code stays.
   */
  readonly warnings: readonly string[];
  /** What runs have kept of the checkout, and of its logs. */
  readonly kept: KeptByRuns;
  /** Why no deploy with these settings is possible, as the folders are; or null. */
  readonly layoutTrouble: string | null;
  /** Why the commit should not stay; null also while a run is under way. */
  readonly commitTrouble: string | null;
}

/** Reads the state of a checkout; changes nothing. */
export async function statusOf(
  host: Host,
  checkout: Checkout,
  settings: Pick<DeploymentSettings, 'mode' | 'releases'>,
): Promise<Status> {
  const { directory, stateFolder, gitEnvironment, self } = checkout;
  const live = await liveRelease(host.files, checkout);
  const options = { cwd: live?.directory ?? directory, env: gitEnvironment, timeoutSeconds: 60 };
  const [head, edits, runs, owner, freeze, kept] = await Promise.all([
    host.run(commitOf('HEAD'), options),
    host.run(localEdits(), options),
    readHistory(host.files, stateFolder),
    lockOwner(host.files, stateFolder),
    frozen(host.files, stateFolder),
    keptByRuns(host, checkout, gitEnvironment),
  ]);
  const lock = owner === undefined ? null : { owner, dead: await isProvablyDead(host.files, owner, self) };
  const trust = trustIn(isHeld(lock) ? pastRuns(runs) : runs);
  const commit = live?.commit ?? (head.stdout.trim() || null);
  return {
    directory,
    commit,
    release: live?.directory ?? null,
    lastVerifiedCommit: lastVerified(runs) ?? null,
    localEdits: pathsIn(edits.stdout),
    lastRun: runs.at(-1) ?? null,
    lock,
    frozen: freeze ?? null,
    warnings: warningsAt(runs, commit),
    kept,
    layoutTrouble: (await layoutTrouble({ host, checkout, settings, trust })) ?? null,
    commitTrouble: troubleWith(trust, commit, lock),
  };
}

/** What the run that brought the live commit has warned of. */
function warningsAt(runs: readonly RunRecord[], commit: string | null): readonly string[] {
  return runs.findLast(({ reset }) => reset?.to === commit)?.warnings ?? [];
}

function troubleWith(trust: Trust, commit: string | null, lock: Status['lock']): string | null {
  return commit === null || isHeld(lock) ? null : (commitTrouble(trust, commit) ?? null);
}

/** Without the run under way: it has no end either, but was not killed. */
function pastRuns(runs: readonly RunRecord[]): readonly RunRecord[] {
  return runs.at(-1)?.document === undefined ? runs.slice(0, -1) : runs;
}

function isHeld(lock: Status['lock']): boolean {
  return lock !== null && !lock.dead;
}

/** What is wrong, one sentence each. */
export function problems(status: Status): readonly string[] {
  const { lastRun, lock, localEdits: edits, frozen: freeze, layoutTrouble: trouble, commitTrouble: doubt } = status;
  const running = isHeld(lock);
  return [
    ...(lastRun !== null && lastRun.document === undefined && lastRun.verified === undefined && !running
      ? [`The run ${lastRun.id} was killed; the next deploy or rollback repairs what it left.`]
      : []),
    ...(lastRun?.document !== undefined && lastRun.document.exitCode >= 4 && lastRun.document.exitCode <= 5
      ? [`The last run ended ${lastRun.document.state}.`]
      : []),
    ...(edits.length > 0 && !running
      ? [`${edits.length} tracked files differ from the commit: ${edits.join(', ')}.`]
      : []),
    ...(doubt === null ? [] : [doubt]),
    ...(trouble === null ? [] : [trouble]),
    ...(freeze === null ? [] : [freezeText(freeze)]),
  ];
}
