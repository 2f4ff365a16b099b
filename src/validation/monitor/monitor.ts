import { OperationError } from '../../host/errors.ts';
import type { ConnectionUse, Host, Sample, Target } from '../../host/host.ts';
import { certificateWatch } from '../../host/probe/certificate-watch.ts';
import { isOfStall } from '../downtime/judged-log.ts';
import { expectedOf, outageKind } from '../downtime/outage-kind.ts';
import { formatHeader, formatSample } from '../downtime-log/downtime-log.ts';
import { formatFact, type LogFact } from '../downtime-log/log-facts.ts';
import { type LogWriter, logWriter } from '../downtime-log/log-writer.ts';
import { type ClockWatch, clockWatch } from './clock-watch.ts';
import { type Edges, edgeLoop, tooManyRequests } from './edges.ts';
import { type GoodStreak, goodStreak } from './good-streak.ts';
import { headerOf } from './log-header.ts';
import { type MonitorSettings, nameOf, type OnProbe, timeoutOf } from './monitor-settings.ts';
import { tickLoop } from './tick-loop.ts';

export interface Monitor {
  /**
   * Good samples in a row up to now, started at or after that instant (epoch ms): of that target or the first, on new
   * connections. A probe under way ends it.
   */
  goodInARow(sinceAt: number, url?: string): number;
  /** Between two probes of a target. */
  intervalSeconds(): number;
  /** Of a log elsewhere: whether nothing has come for so long that it says nothing of now. */
  isBlind(): boolean;
  /** The first address that it watches, as its log has it; undefined of a log that names none. */
  target(): string | undefined;
  /** Resolves when every probe that started before that instant is in the log. */
  writtenUntil(at: number): Promise<void>;
  /** Begins or ends the probes of the edges, where the settings have them. */
  edges(wanted: boolean): void;
  /** No probes of the edges any more; the log says why. */
  forbidEdges(reason: string): void;
  /** Starts no more probes; resolves when those under way have ended, within a timeout, and the log is on disk. */
  stop(): Promise<void>;
  /** Writes the probes under way as unknown, so that `stop` ends at once. */
  abandon(): void;
  /** Writes a fact into the log, as a `#` line. */
  note(fact: LogFact): void;
  /** Resolves when the log would show an action that happens now; rejects with an `OperationError` if it would not. */
  readyToAct(signal: AbortSignal): Promise<void>;
  /** Settles when the monitor has ended. Rejects with an `OperationError` when the log could not be written. */
  readonly finished: Promise<void>;
}

/** Each interval on a new or a kept connection; `edge`: a faster one, on new connections, around an outage. */
type Stream = ConnectionUse | 'edge';

interface PendingProbe {
  readonly target: Target;
  readonly stream: Stream;
  readonly startedAt: number;
  /** Sum of the clock steps before its start. */
  readonly steppedMs: number;
  /** Counts it in the streak of good samples. */
  readonly count: (good: boolean) => void;
  readonly logged: Promise<void>;
  readonly markLogged: () => void;
}

interface Monitoring {
  readonly host: Host;
  readonly settings: MonitorSettings;
  readonly onProbe: OnProbe;
  readonly onClockSet: (aheadSeconds: number) => void;
  readonly streaks: ReadonlyMap<string, GoodStreak>;
  readonly pending: Set<PendingProbe>;
  readonly log: LogWriter;
  readonly edges: Edges;
  /** Ends the monitor, whose `finished` then rejects with this error. */
  readonly fail: (error: unknown) => void;
  readonly certificates: ReturnType<typeof certificateWatch>;
  readonly watch: ClockWatch;
  steppedMs: number;
}

/**
 * Phase 2 of 4.1: probes every target once an interval, on schedule even if earlier probes hang, and appends one line a
 * sample to the downtime log. Rejects with an `OperationError` if the log cannot be opened.
 */
export async function startMonitor(
  host: Host,
  settings: MonitorSettings,
  path: string,
  onProbe: OnProbe = () => {},
  onClockSet: (aheadSeconds: number) => void = () => {},
): Promise<Monitor> {
  const stopping = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    stopping.abort();
  };
  const log = await logWriter(host.files, path, fail);
  const edges = edgeLoop(host, settings, stopping.signal, (target) => probe(monitoring, target, 'edge').catch(fail));
  const monitoring: Monitoring = {
    host,
    settings,
    onProbe,
    onClockSet,
    streaks: new Map((settings.counted ?? settings.targets.slice(0, 1)).map(({ url }) => [url, goodStreak()])),
    pending: new Set(),
    log,
    edges,
    fail,
    certificates: certificateWatch(),
    watch: clockWatch(host.clock, (fact) => note(monitoring, fact)),
    steppedMs: 0,
  };
  log.line(formatHeader(headerOf(settings)));
  const finished = work(monitoring, stopping.signal).then(() => {
    if (failure !== undefined) throw failure.error;
  });
  finished.catch(() => undefined);
  return {
    goodInARow: (sinceAt, url = settings.targets[0].url) => monitoring.streaks.get(url)?.since(sinceAt) ?? 0,
    intervalSeconds: () => settings.intervalSeconds,
    isBlind: () => false,
    target: () => settings.targets[0].url,
    writtenUntil: (at) => writtenUntil(monitoring, at),
    edges: edges.want,
    forbidEdges: (reason) => forbidEdges(monitoring, reason),
    stop: () => {
      stopping.abort();
      return finished;
    },
    abandon: () => {
      for (const probe of monitoring.pending) endUnknown(monitoring, probe, 'stopped');
    },
    note: (fact) => note(monitoring, fact),
    // The probes are made by this process, so `finished` settles at once if they stop.
    readyToAct: async () => {},
    finished,
  };
}

async function work(monitoring: Monitoring, stopping: AbortSignal): Promise<void> {
  const { host, settings, log, edges, watch } = monitoring;
  const { intervalSeconds } = settings;
  const probed = [...settings.targets, ...(settings.control === undefined ? [] : [settings.control])];
  const fact = (fact: LogFact) => note(monitoring, fact);
  const tick = (index: number) => {
    const target = probed[index] ?? settings.targets[0];
    probe(monitoring, target, 'new').catch(monitoring.fail);
    if (settings.reused) probe(monitoring, target, 'reused').catch(monitoring.fail);
  };
  const ticks = { intervalSeconds, targets: probed.length, stream: 'monitor' };
  await tickLoop(host, ticks, stopping, { fact, tick }, watch);
  await edges.ended();
  await watch.waitFor(allLogged(monitoring, Number.POSITIVE_INFINITY));
  note(monitoring, { type: 'end', at: host.clock.wallAt() });
  await log.close();
}

function note(monitoring: Monitoring, fact: LogFact): void {
  monitoring.log.line(formatFact(fact));
  if (fact.type !== 'clock-step') return;
  monitoring.steppedMs += fact.seconds * 1000;
  monitoring.onClockSet(fact.seconds);
}

async function probe(monitoring: Monitoring, target: Target, stream: Stream): Promise<void> {
  const pending = begin(monitoring, target, stream);
  const connection = stream === 'reused' ? 'reused' : 'new';
  try {
    const sample = await monitoring.host.probe(target, connection, timeoutOf(monitoring.settings, target));
    if (monitoring.pending.has(pending)) end(monitoring, pending, sample);
  } catch (error) {
    if (monitoring.pending.has(pending)) endUnknown(monitoring, pending, 'prober');
    if (!(error instanceof OperationError)) throw error;
  }
}

function begin(monitoring: Monitoring, target: Target, stream: Stream): PendingProbe {
  // The loop of the edges may wake first after the clock was set.
  monitoring.watch.look();
  const { host, settings, streaks, pending, steppedMs } = monitoring;
  const startedAt = host.clock.wallAt();
  const row = stream === 'new' && target !== settings.control ? streaks.get(target.url) : undefined;
  const { promise: logged, resolve: markLogged } = Promise.withResolvers<void>();
  const probe: PendingProbe = {
    target,
    stream,
    startedAt,
    steppedMs,
    count: row?.begin(startedAt) ?? (() => {}),
    logged,
    markLogged,
  };
  pending.add(probe);
  return probe;
}

/** Logs the start by the clock as it is set now. The sample is judged as its line has it, in whole milliseconds. */
function end(monitoring: Monitoring, probe: PendingProbe, taken: Sample): void {
  const { settings, log, edges, onProbe } = monitoring;
  const { target, stream } = probe;
  const expected = expectedOf(settings, target.url);
  const stalledSeconds = monitoring.watch.stalledSeconds(taken.seconds);
  if (stream === 'edge' && !edges.allowed(taken, expected)) {
    refused(monitoring, probe);
    return;
  }
  const at = Math.round(taken.at + monitoring.steppedMs - probe.steppedMs);
  const sample: Sample = { ...taken, at, seconds: Math.round(taken.seconds * 1000) / 1000 };
  const kind = outageKind(sample, expected);
  const [bad, edge] = [kind !== undefined, stream === 'edge'];
  log.line(formatSample(sample, bad, nameOf(settings, target), edge), bad || !edge);
  close(monitoring, probe, kind === undefined);
  if (sample.certificateEndsAt !== undefined && monitoring.certificates(target.url, sample))
    note(monitoring, { type: 'certificate', target: target.url, endsAt: sample.certificateEndsAt });
  if (target === settings.control || edge) return;
  const isKnown = kind === undefined || !isOfStall(kind, sample.seconds, stalledSeconds, expected.slowSeconds);
  if (isKnown) onProbe(sample, target, kind);
}

/** The target does not want so many requests: its answer says nothing of what visitors get. */
function refused(monitoring: Monitoring, probe: PendingProbe): void {
  forbidEdges(monitoring, `status-${tooManyRequests}`);
  close(monitoring, probe, false);
}

function forbidEdges(monitoring: Monitoring, reason: string): void {
  if (monitoring.edges.forbid()) note(monitoring, { type: 'edges-off', reason });
}

function endUnknown(monitoring: Monitoring, probe: PendingProbe, reason: string): void {
  const { stream: connection, startedAt: from } = probe;
  const target = nameOf(monitoring.settings, probe.target);
  // A probe of the edges that is missing makes nothing unknown: the bounds are those of the samples around it.
  if (connection !== 'edge')
    note(monitoring, { type: 'unknown', from, reason, connection, ...(target === undefined ? {} : { target }) });
  close(monitoring, probe, false);
}

function close(monitoring: Monitoring, probe: PendingProbe, good: boolean): void {
  monitoring.pending.delete(probe);
  probe.count(good);
  probe.markLogged();
}

async function allLogged({ pending }: Monitoring, before: number): Promise<void> {
  const earlier = [...pending].filter(({ startedAt }) => startedAt < before);
  await Promise.all(earlier.map(({ logged }) => logged));
}

async function writtenUntil(monitoring: Monitoring, at: number): Promise<void> {
  await allLogged(monitoring, at);
  await monitoring.log.written();
}
