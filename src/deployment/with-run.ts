import { OperationError, UsageError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import { type Notification, notify } from '../notification/notifier.ts';
import { notifiersFor, secretsOf } from '../notification/notifiers.ts';
import { createRedactor, type Redactor, redacted } from '../notification/redactor.ts';
import { enterCheckout } from './checkout/checkout.ts';
import { prepareClone } from './checkout/clone.ts';
import { type OpenState, openState } from './checkout/open-state.ts';
import { type DeploymentLog, openDeploymentLog } from './log/deployment-log.ts';
import { guarded } from './log/guarded.ts';
import { messageOf } from './log/message.ts';
import { type Progress, trackProgress } from './log/progress.ts';
import type { Means } from './opcache/means.ts';
import { findMeans } from './opcache/refresh.ts';
import { type DeployDocument, deployDocument } from './record/document.ts';
import type { RunFactOf, RunKind } from './record/events.ts';
import { readHistory } from './record/history.ts';
import { trustIn } from './record/trust.ts';
import { type ProbeDocument, probeSentence, visit } from './record/visitors.ts';
import { layoutTrouble } from './releases/layout-trouble.ts';
import { servedCheckout } from './releases/live-release.ts';
import { settleReleases } from './releases/prune.ts';
import { recordProof } from './releases/record-proof.ts';
import { repair } from './repair/repair.ts';
import { pruneEvidence } from './run/evidence.ts';
import type { Run } from './run/run.ts';
import { listenForSignals, type Signals } from './run/signals.ts';
import type { DeploymentSettings } from './settings/settings.ts';

/**
 * What is around every deploy and rollback: steps 1, 2 and 10 of 4.3, the lock and the journal. Rejects with a
 * `UsageError` when the log cannot be written: before anything is touched.
 */
export async function withRun(
  host: Host,
  settings: DeploymentSettings,
  kind: RunKind,
  procedure: (run: Run, means: Means) => Promise<void>,
): Promise<DeployDocument> {
  const ground = await breakGround(host, settings); // 1
  try {
    await guarded(ground.progress, async () => {
      const run = await enter(ground, kind); // 2
      const means = run && (await meansFor(run));
      const repaired = means && (await repair(run, means, kind));
      if (means === undefined || repaired === undefined) return;
      await visited(ground, () => procedure(repaired, means));
      await recordProof(repaired);
      ground.tidy = () => tidy(repaired, means);
    });
  } finally {
    await end(ground); // 10
  }
  return documentOf(ground);
}

/** With visitors, where they were asked for, from before anything is touched until after the last health check. */
async function visited(ground: Ground, work: () => Promise<void>): Promise<void> {
  const visitors = visit(ground.host, ground.settings);
  try {
    await work();
  } finally {
    const probe = await visitors?.leave();
    if (probe !== undefined) {
      ground.probe = probe;
      await ground.log.line('INFO', probeSentence(probe));
    }
  }
}

async function tidy(run: Run, means: Means): Promise<void> {
  await settleReleases(run, means);
  await pruneEvidence(run);
}

/** What there is before the checkout has been looked at. */
interface Ground {
  readonly host: Host;
  readonly settings: DeploymentSettings;
  readonly id: string;
  readonly startedAt: number;
  readonly redactor: Redactor;
  readonly log: DeploymentLog;
  readonly progress: Progress;
  readonly signals: Signals;
  /** The lock and the journal, once they are ours. */
  state?: OpenState;
  /** Removes what is old, once the outcome is on the disk. */
  tidy?: () => Promise<void>;
  finishedAt?: number;
  notifications?: readonly Notification[];
  probe?: ProbeDocument;
}

async function breakGround(host: Host, settings: DeploymentSettings): Promise<Ground> {
  const redactor = createRedactor(secretsOf(settings));
  const startedAt = host.clock.wallAt();
  const id = runId(host, startedAt);
  const log = await openLog(host, settings.logFile, redactor);
  const signals = listenForSignals(host);
  const record = (fact: RunFactOf): void =>
    ground.state?.journal.record({ ...redacted(fact, redactor.redact), run: id });
  const talk = { ...host.talk, write: (text: string) => host.talk.write(redactor.redact(text)) };
  const progress = trackProgress({ talk }, log, signals.received, record);
  const ground: Ground = { host, settings, id, startedAt, redactor, log, progress, signals };
  return ground;
}

async function openLog(host: Host, path: string, redactor: Redactor): Promise<DeploymentLog> {
  try {
    return await openDeploymentLog(host, path, redactor.redact);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new UsageError([`The deployment log cannot be written: ${error.message}.`]);
  }
}

/** Sorts by time, and two of the same second differ. */
function runId(host: Host, at: number): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const random = Math.floor(host.random('deployment-run')() * 0x1_0000).toString(16);
  return `${time}-${random.padStart(4, '0')}`;
}

/** Undefined when the checkout or its lock refuses: the progress says so. */
async function enter(ground: Ground, kind: RunKind): Promise<Run | undefined> {
  const { host, settings, id, log, progress } = ground;
  if (kind === 'deploy') await prepareClone(host, settings);
  const entered = await enterCheckout(host, settings);
  const opened = 'event' in entered ? entered : await openState(host, entered.checkout);
  if ('event' in entered || 'event' in opened) {
    if ('event' in opened) await progress.advance(opened.event);
    return undefined;
  }
  const { checkout } = entered;
  const { journal } = opened.state;
  checkout.secrets.forEach(ground.redactor.add);
  ground.state = opened.state;
  await log.release();
  const trust = trustIn(await readHistory(host.files, checkout.stateFolder));
  const { redact } = ground.redactor;
  const record = (fact: RunFactOf): void => journal.record({ ...redacted(fact, redact), run: id });
  const intend = (fact: RunFactOf): Promise<void> => journal.intend({ ...redacted(fact, redact), run: id });
  const { branch, variant } = settings;
  const { pid, bootId } = checkout.self;
  record({ type: 'run-started', kind, branch, variant, mode: settings.mode, pid, bootId });
  return {
    ...{ id, host, settings, checkout, log, progress, trust, intend, record, redact },
    startedAt: ground.startedAt,
    interruption: ground.signals.interruption,
    evidenceFolder: `${checkout.stateFolder}/runs/${id}`,
    flush: () => journal.flush(),
  };
}

/** How the site will be brought to run the new code; undefined where it cannot be: the progress says so. */
async function meansFor(run: Run): Promise<Means | undefined> {
  const trouble = await layoutTrouble(run);
  if (trouble !== undefined) {
    await run.progress.advance({ type: 'refused', because: trouble, exitCode: 2 });
    return undefined;
  }
  if (run.settings.variant === 'basic') return { by: 'nothing' };
  const means = await findMeans(run.host, run.settings, await servedCheckout(run));
  if (means.by !== 'none') return means;
  await run.progress.advance({ type: 'refused', because: means.because, exitCode: 2 });
  return undefined;
}

/** The outcome is durable before anybody is told and before anything old goes; then the log is complete, and only then may the next run begin. */
async function end(ground: Ground): Promise<void> {
  const { state, log, signals, host, id } = ground;
  ground.finishedAt = host.clock.wallAt();
  if (state !== undefined) {
    const trouble = (error: unknown): Promise<void> => log.line('ERROR', String(error));
    await state.journal.intend({ type: 'run-finished', document: documentOf(ground), run: id }).catch(trouble);
    await tell(ground);
    await ground.tidy?.().catch(trouble);
    await state.journal.close().catch(() => undefined);
  }
  await log.complete();
  await state?.lock.release();
  signals.forget();
}

/** A notifier that fails has a line in the log, and changes nothing else. */
async function tell(ground: Ground): Promise<void> {
  const { host, settings, progress, log, redactor } = ground;
  if (settings.variant !== 'notify' || !progress.notifies) return;
  const message = messageOf(documentOf(ground), progress.events, settings.branch, settings.appDir);
  const redacted = { ...message, text: redactor.redact(message.text), details: message.details.map(redactor.redact) };
  const ended = await notify(notifiersFor(host, settings), redacted);
  ground.notifications = ended.map(({ error, ...each }) =>
    error === undefined ? each : { ...each, error: redactor.redact(error) },
  );
  for (const { channel, ok, error } of ground.notifications) {
    if (ok) await log.line('INFO', `Notified by ${channel}`);
    else await log.line('ERROR', `Not notified by ${channel}: ${error}`);
  }
}

function documentOf(ground: Ground): DeployDocument {
  const {
    host,
    id,
    startedAt,
    finishedAt = host.clock.wallAt(),
    progress,
    notifications = [],
    probe,
    redactor,
  } = ground;
  const { state, events, steps } = progress;
  const document = { id, state, events, steps, startedAt, finishedAt, notifications };
  return redacted(deployDocument(probe === undefined ? document : { ...document, probe }), redactor.redact);
}
