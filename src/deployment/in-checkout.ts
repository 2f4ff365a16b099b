import type { Host } from '../host/host.ts';
import { enterCheckout } from './checkout/checkout.ts';
import { prepareClone } from './checkout/clone.ts';
import { performerOf } from './checkout/find-performer.ts';
import { openState } from './checkout/open-state.ts';
import { guarded } from './log/guarded.ts';
import type { RunWatch } from './log/watch.ts';
import { findServers } from './opcache/find-servers.ts';
import { patienceSeconds, waitingSentence } from './opcache/forget.ts';
import type { Means } from './opcache/means.ts';
import { findMeans, hiddenSite, mayBeCached } from './opcache/refresh.ts';
import { removeOldScripts } from './opcache/script-file.ts';
import type { DeployDocument } from './record/document.ts';
import type { RunKind } from './record/events.ts';
import { readHistory } from './record/history.ts';
import { trustIn } from './record/trust.ts';
import { visitorCounts } from './record/visitor-counts.ts';
import { probeSentence, visit } from './record/visitors.ts';
import { layoutTrouble } from './releases/layout-trouble.ts';
import { servedCheckout } from './releases/live-release.ts';
import { settleReleases } from './releases/prune.ts';
import { recordProof } from './releases/record-proof.ts';
import { repair } from './repair/repair.ts';
import { pruneEvidence } from './run/evidence.ts';
import { liftMaintenance } from './run/maintenance.ts';
import type { Run } from './run/run.ts';
import { closeRun, documentOf, openRun, type RunShell } from './run/run-shell.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { letFoldersGo } from './tree/hold-folders.ts';
import { removeAside } from './verify/aside-tree.ts';
import { askOnce } from './verify/baseline.ts';
import { forgetFormerCaches } from './verify/former-caches.ts';
import { learnHidden } from './verify/proof.ts';

/** What a command does in the checkout. */
export type Procedure = (run: Run, means: Means) => Promise<void>;

/**
 * A command other than `deploy`: its procedure in the checkout, between the start line and the completion line of the
 * log.
 */
export async function withRun(
  host: Host,
  settings: DeploymentSettings,
  kind: RunKind,
  procedure: Procedure,
  watch?: RunWatch,
): Promise<DeployDocument> {
  const shell = await openRun(host, settings, watch);
  try {
    await inCheckout(shell, kind, procedure);
  } finally {
    await closeRun(shell);
  }
  return documentOf(shell);
}

/**
 * Step 2 of 4.3, then the procedure: under the lock, with the journal open, and after what killed runs have left is
 * repaired. Where one of these ends the run, the progress has the reason and the procedure is not called.
 */
export async function inCheckout(shell: RunShell, kind: RunKind, procedure: Procedure): Promise<void> {
  await guarded(shell.progress, async () => {
    const run = await enter(shell, kind);
    if (run === undefined) return;
    await removeOldScripts(run.host, run.checkout);
    try {
      await repairAndDo(shell, run, kind, procedure);
    } finally {
      // Also what a killed run has left.
      await liftMaintenance(run);
      await letFoldersGo(run, run.progress.state === 'rollback-failed');
    }
  });
}

async function repairAndDo(shell: RunShell, run: Run, kind: RunKind, procedure: Procedure): Promise<void> {
  const means = await meansFor(run);
  const repaired = means && (await repair(run, means, kind));
  if (means === undefined || repaired === undefined) return;
  // Of a killed run: what it holds would count as somebody's files in a submodule.
  await letFoldersGo(repaired, false);
  await withVisitors(shell, () => procedure(repaired, means));
  await recordProof(repaired);
  shell.tidy = () => tidy(repaired, means);
}

/** Undefined when the checkout or its lock refuses. */
async function enter(shell: RunShell, kind: RunKind): Promise<Run | undefined> {
  const { id, host, settings, startedAt, log, progress, journal } = shell;
  const mayBeIdle = kind === 'deploy' && settings.ifChanged;
  shell.isIdle = mayBeIdle;
  if (kind === 'deploy') await prepareClone(host, settings);
  const entered = await enterCheckout(host, settings);
  const opened = 'event' in entered ? entered : await openState(host, entered.checkout);
  if ('event' in entered || 'event' in opened) {
    if ('event' in opened) await progress.advance(opened.event);
    return undefined;
  }
  const { checkout } = entered;
  checkout.secrets.forEach(shell.redactor.add);
  shell.state = opened.state;
  const trust = trustIn(await readHistory(host.files, checkout.stateFolder));
  shell.isIdle = mayBeIdle && trust.killed.length === 0;
  if (!shell.isIdle) await log.release();
  const { branch, variant, mode, message } = settings;
  const { pid, bootId, userId } = checkout.self;
  const by = await performerOf(host.files, userId, settings.environment);
  shell.by = by;
  const why = message === undefined ? {} : { message };
  journal.record({ type: 'run-started', kind, branch, variant, mode, pid, bootId, by, ...why });
  const { interruption } = shell.signals;
  return { id, host, settings, checkout, log, progress, journal, startedAt, trust, interruption, site: {} };
}

/** How the site will be brought to run the new code; undefined where it cannot be. */
async function meansFor(run: Run): Promise<Means | undefined> {
  const trouble = await layoutTrouble(run);
  if (trouble !== undefined) {
    await run.progress.advance({ type: 'refused', because: trouble, exitCode: 2 });
    return undefined;
  }
  if (run.settings.variant === 'basic') return { by: 'not-needed', because: 'the variant "basic" checks nothing' };
  const sayWaiting = () => run.log.line('INFO', waitingSentence(patienceSeconds(run.settings)));
  const watch = {
    signal: run.interruption,
    sayWaiting,
    visit: () => askOnce(run.host, run.settings, run.interruption),
  };
  const [servers, served] = await Promise.all([findServers(run.host.files), servedCheckout(run)]);
  run.site.mayBeCached = await mayBeCached(run.host.files, servers, served);
  run.site.hidden = hiddenSite(servers);
  const means = await findMeans(run.host, run.settings, served, watch, servers);
  if (means.by !== 'impossible') {
    await learnHidden(run, served);
    return means;
  }
  await run.progress.advance({ type: 'refused', because: means.because, exitCode: 2 });
  return undefined;
}

/**
 * With visitors, where the settings ask for them, from before anything is touched until after the last health check.
 */
async function withVisitors(shell: RunShell, work: () => Promise<void>): Promise<void> {
  const { host, settings, watch, journal } = shell;
  const counts = visitorCounts(host.clock, settings.monitor.slow, (counted) =>
    journal.record({ type: 'visitors-counted', ...counted }),
  );
  const visitors = visit(host, settings, (one) => {
    watch.visited(one);
    counts.add(one);
  });
  try {
    await work();
  } finally {
    const probe = await visitors?.leave();
    counts.end();
    if (probe !== undefined) {
      shell.probe = probe;
      await shell.log.line('INFO', probeSentence(probe));
    }
  }
}

async function tidy(run: Run, means: Means): Promise<void> {
  await settleReleases(run, means);
  await pruneEvidence(run);
  await removeAside(run);
  await forgetFormerCaches(run);
}
