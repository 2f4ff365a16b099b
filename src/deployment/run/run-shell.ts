import type { Host } from '../../host/host.ts';
import { type Notification, notify } from '../../notification/notifier.ts';
import { notifiersFor, secretsOf } from '../../notification/notifiers.ts';
import { createRedactor, type Redactor, redacted } from '../../notification/redactor.ts';
import { Secret } from '../../notification/secret.ts';
import type { OpenState } from '../checkout/open-state.ts';
import { becauseOf } from '../log/because.ts';
import type { DeploymentLog } from '../log/deployment-log.ts';
import { messageOf } from '../log/message.ts';
import { type RunProgress, trackProgress } from '../log/progress.ts';
import { sentence } from '../log/sentence.ts';
import { linesOn, type RunWatch } from '../log/watch.ts';
import { type DeployDocument, deployDocument } from '../record/document.ts';
import type { Performer } from '../record/performer.ts';
import type { DeployEvent } from '../record/states.ts';
import type { ProbeDocument } from '../record/visitors.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import { openLog } from './log-file.ts';
import { type RunJournal, runJournal } from './run-journal.ts';
import { listenForSignals, type Signals } from './signals.ts';

/** A run from its start line to its completion line, also while there is no checkout to work in. */
export interface RunShell {
  readonly id: string;
  readonly host: Host;
  readonly settings: DeploymentSettings;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly redactor: Redactor;
  readonly log: DeploymentLog;
  readonly progress: RunProgress;
  readonly signals: Signals;
  /** Keeps nothing before `state` is there. */
  readonly journal: RunJournal;
  readonly watch: RunWatch;
  /** The lock and the open journal, once this run has them. */
  state?: OpenState;
  /** Removes what is old, once the outcome is durable. */
  tidy?: () => Promise<void>;
  /** Who started the run, once the checkout is entered. */
  by?: Performer;
  /** Whether the run may still turn out to have nothing to do: its log is held back until then. */
  isIdle?: boolean;
  finishedAt?: number;
  notifications?: readonly Notification[];
  probe?: ProbeDocument;
}

/**
 * Step 1 of 4.3: opens the log with its start line. A log that cannot be written is a `UsageError`, before anything is
 * touched.
 */
export async function openRun(
  host: Host,
  settings: DeploymentSettings,
  watch: RunWatch = linesOn(host.talk),
): Promise<RunShell> {
  const redactor = createRedactor([...secretsOf(settings), ...headerValues(settings), ...secretVariables(settings)]);
  const startedAt = host.clock.wallAt();
  const id = settings.runId ?? runId(host, startedAt);
  const log = await openLog(host, settings, redactor.redact, watch);
  const signals = listenForSignals(host);
  const journal = runJournal(id, redactor, () => shell.state?.journal);
  const progress = trackProgress(withoutSecrets(watch, redactor), log, signals.received, journal.record);
  const shell: RunShell = { id, host, settings, startedAt, redactor, log, progress, signals, journal, watch };
  return shell;
}

/** Names of steps come from settings. */
const withoutSecrets = (watch: RunWatch, { redact }: Redactor): RunWatch => ({
  ...watch,
  stepBegun: (name, atMostSeconds) => watch.stepBegun(redact(name), atMostSeconds),
  stepFinished: (step) => watch.stepFinished({ ...step, name: redact(step.name) }),
});

/** Values of headers are written nowhere. */
/** What the commands get under a name that says what it is, as `${DB_PASSWORD}` in a step: shorter values are words. */
function secretVariables({ environment }: DeploymentSettings): readonly Secret[] {
  const isSecret = ([name, value]: readonly [string, string]): boolean => secretName.test(name) && value.length >= 8;
  return Object.entries(environment)
    .filter(isSecret)
    .map(([, value]) => new Secret(value));
}

const secretName = /(PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)/i;

function headerValues({ health }: DeploymentSettings): readonly Secret[] {
  return (health.headers ?? []).flatMap(({ value }) => (value ? [new Secret(value)] : []));
}

/** Sorts by time; two runs of the same second differ. */
function runId(host: Host, at: number): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const random = Math.floor(host.random('deployment-run')() * 0x1_0000).toString(16);
  return `${time}-${random.padStart(4, '0')}`;
}

/**
 * Step 10 of 4.3, on every path: the completion line and the empty line. The outcome is durable before anybody is
 * notified and before anything old is removed; the lock is released last, when the log is complete.
 */
export async function closeRun(shell: RunShell): Promise<void> {
  const { state, journal, log, signals, host } = shell;
  shell.finishedAt = host.clock.wallAt();
  const idle = shell.isIdle ? idleEnd(shell.progress.events) : undefined;
  if (idle !== undefined) await forgetRun(shell, idle);
  else if (state !== undefined) {
    const logError = (error: unknown): Promise<void> => log.line('ERROR', String(error));
    await journal.intend({ type: 'run-finished', document: documentOf(shell) }).catch(logError);
    await sendNotifications(shell);
    await shell.tidy?.().catch(logError);
    await state.journal.close().catch(() => undefined);
  }
  await log.complete();
  await state?.lock.release();
  signals.forget();
}

/** The event with which a run ended that has found nothing to do, and has done nothing else. */
function idleEnd(events: readonly DeployEvent[]): DeployEvent | undefined {
  const last = events.at(-1);
  const isIdle = last?.type === 'unchanged' || (last?.type === 'refused' && last.exitCode === 6);
  return isIdle && events.slice(0, -1).every(({ type }) => beforeIdle.has(type)) ? last : undefined;
}

const beforeIdle: ReadonlySet<string> = new Set(['previous-commit-recorded', 'fetched']);

/** A timer that finds nothing new every minute leaves one line each time, and nothing in the journal. */
async function forgetRun({ state, log }: RunShell, end: DeployEvent): Promise<void> {
  log.condense(end.type === 'unchanged' ? 'INFO' : 'ERROR', sentence(end));
  await state?.forget().catch((error: unknown) => log.line('ERROR', String(error)));
}

/** A notifier that fails has a line in the log, and changes nothing else. */
async function sendNotifications(shell: RunShell): Promise<void> {
  const { host, settings, progress, log, redactor } = shell;
  if (settings.variant !== 'notify' || !progress.notifies) return;
  const message = messageOf(documentOf(shell), progress.events, settings.branch, settings.appDir);
  const details = message.details.map(({ name, value }) => ({ name, value: redactor.redact(value) }));
  const safe = { ...message, text: redactor.redact(message.text), details };
  const ended = await notify(notifiersFor(host, settings), safe);
  shell.notifications = ended.map(({ error, ...each }) =>
    error === undefined ? each : { ...each, error: redactor.redact(error) },
  );
  shell.journal.record({ type: 'notified', message: safe.text, notifications: shell.notifications });
  for (const { channel, ok, error } of shell.notifications) {
    if (ok) await log.line('INFO', `Notified by ${channel}`);
    else await log.line('ERROR', `Not notified by ${channel}: ${error}`);
  }
}

/** `deploy --json` of this run as it stands now. */
export function documentOf(shell: RunShell): DeployDocument {
  const { id, host, startedAt, finishedAt = host.clock.wallAt(), progress, notifications = [], probe } = shell;
  const { state, events, steps, signal } = progress;
  const document = deployDocument({
    id,
    state,
    events,
    steps,
    startedAt,
    finishedAt,
    notifications,
    by: shell.by ?? null,
    message: shell.settings.message ?? null,
    ...becauseOf(state, events),
    ...(probe === undefined ? {} : { probe }),
    ...(signal === undefined ? {} : { signal }),
  });
  return redacted(document, shell.redactor.redact);
}
