import { OperationError } from '../../host/errors.ts';
import type { ConnectionUse, Host, Sample, Target } from '../../host/host.ts';
import { type Expected, type OutageKind, outageKind } from '../downtime/outage-kind.ts';
import { formatHeader, formatSample, type LogHeader } from '../downtime-log/downtime-log.ts';
import { formatFact, type LogFact } from '../downtime-log/log-facts.ts';
import { type LogWriter, logWriter } from '../downtime-log/log-writer.ts';
import { type GoodStreak, goodStreak } from './good-streak.ts';
import { tickLoop } from './tick-loop.ts';

export interface MonitorSettings extends Expected {
  readonly targets: readonly [Target, ...Target[]];
  /** Probed as well, to tell the prober's own trouble from theirs. */
  readonly control?: Target;
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  /** Whether a second probe goes along on a kept connection: it fails differently (facts 1.1). */
  readonly reused: boolean;
}

/** The kind is undefined for a good sample. Of the control target nothing is heard. */
export type HearSample = (sample: Sample, target: Target, kind: OutageKind | undefined) => void;

export interface Monitor {
  /**
   * Good samples in a row up to now that started at or after that instant (epoch milliseconds): of the first target, on new connections, none
   * older still under way.
   */
  goodInARow(sinceAt: number): number;
  /** Between two probes of a target. */
  intervalSeconds(): number;
  /** Returns when every probe that started before that instant is in the log. */
  settledUntil(at: number): Promise<void>;
  /** Starts no more probes; returns when those under way have ended, at most their timeout later, and the log is on disk. */
  stop(): Promise<void>;
  /** Writes the probes that are under way as unknown; with `stop`, ends at once. */
  abandon(): void;
  /** A fact of its own in the log, as a `#` line. */
  note(fact: LogFact): void;
  /** Returns when what is done now will be seen in the log; rejects with an `OperationError` when it would not. */
  readyToAct(signal: AbortSignal): Promise<void>;
  /** Settles when the monitor has ended. Rejects with an `OperationError` when the log could not be written. */
  readonly finished: Promise<void>;
}

interface Flight {
  readonly target: Target;
  readonly connection: ConnectionUse;
  readonly startedAt: number;
  /** Clock steps before its start. */
  readonly steppedMs: number;
  readonly ended: (good: boolean) => void;
  readonly landed: Promise<void>;
  readonly land: () => void;
}

interface Monitoring {
  readonly host: Host;
  readonly settings: MonitorSettings;
  readonly heard: HearSample;
  readonly streak: GoodStreak;
  readonly flights: Set<Flight>;
  readonly log: LogWriter;
  /** Ends the monitor, which then rejects with this. */
  readonly fail: (error: unknown) => void;
  steppedMs: number;
}

/**
 * Phase 2 of 4.1: probes every target once an interval, on schedule, whatever the last probe does, and appends one line a sample to the downtime
 * log. Everything comes from the host, so that a rehearsal's log is the same each time.
 */
export async function startMonitor(
  host: Host,
  settings: MonitorSettings,
  path: string,
  heard: HearSample = () => {},
): Promise<Monitor> {
  const stopping = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    stopping.abort();
  };
  const log = await logWriter(host.files, path, fail);
  const monitoring: Monitoring = {
    host,
    settings,
    heard,
    streak: goodStreak(),
    flights: new Set(),
    log,
    fail,
    steppedMs: 0,
  };
  log.line(formatHeader(headerOf(settings)));
  const finished = work(monitoring, stopping.signal).then(() => {
    if (failure !== undefined) throw failure.error;
  });
  finished.catch(() => undefined);
  return {
    goodInARow: (sinceAt) => monitoring.streak.since(sinceAt),
    intervalSeconds: () => settings.intervalSeconds,
    settledUntil: (at) => settledUntil(monitoring, at),
    stop: () => {
      stopping.abort();
      return finished;
    },
    abandon: () => {
      for (const flight of monitoring.flights) lose(monitoring, flight, 'stopped');
    },
    note: (fact) => note(monitoring, fact),
    // It is this process that probes, and its end is heard of at once.
    readyToAct: async () => {},
    finished,
  };
}

async function work(monitoring: Monitoring, stopping: AbortSignal): Promise<void> {
  const { host, settings, log } = monitoring;
  const probed = [...settings.targets, ...(settings.control === undefined ? [] : [settings.control])];
  await tickLoop(host, settings.intervalSeconds, probed.length, stopping, {
    fact: (fact) => note(monitoring, fact),
    tick: (index) => {
      const target = probed[index] ?? settings.targets[0];
      probe(monitoring, target, 'new').catch(monitoring.fail);
      if (settings.reused) probe(monitoring, target, 'reused').catch(monitoring.fail);
    },
  });
  await landed(monitoring, Number.POSITIVE_INFINITY);
  note(monitoring, { type: 'end', at: host.clock.wallAt() });
  await log.close();
}

function headerOf({ targets, control, ...rest }: MonitorSettings): LogHeader {
  const urls = targets.map(({ url }) => url);
  return { ...rest, targets: urls, ...(control === undefined ? {} : { control: control.url }) };
}

function note(monitoring: Monitoring, fact: LogFact): void {
  if (fact.type === 'clock-step') monitoring.steppedMs += fact.seconds * 1000;
  monitoring.log.line(formatFact(fact));
}

async function probe(monitoring: Monitoring, target: Target, connection: ConnectionUse): Promise<void> {
  const flight = takeOff(monitoring, target, connection);
  try {
    const sample = await monitoring.host.probe(target, connection, monitoring.settings.timeoutSeconds);
    if (monitoring.flights.has(flight)) land(monitoring, flight, sample);
  } catch (error) {
    if (monitoring.flights.has(flight)) lose(monitoring, flight, 'prober');
    if (!(error instanceof OperationError)) throw error;
  }
}

function takeOff(monitoring: Monitoring, target: Target, connection: ConnectionUse): Flight {
  const { host, settings, streak, flights, steppedMs } = monitoring;
  const startedAt = host.clock.wallAt();
  const counts = connection === 'new' && target === settings.targets[0];
  const { promise: landed, resolve: land } = Promise.withResolvers<void>();
  const flight: Flight = {
    target,
    connection,
    startedAt,
    steppedMs,
    ended: counts ? streak.begin(startedAt) : () => {},
    landed,
    land,
  };
  flights.add(flight);
  return flight;
}

/** The line's time is the start on the clock as it is now; judged is what the line says, in whole milliseconds. */
function land(monitoring: Monitoring, flight: Flight, taken: Sample): void {
  const { settings, log, heard } = monitoring;
  const at = Math.round(taken.at + monitoring.steppedMs - flight.steppedMs);
  const sample: Sample = { ...taken, at, seconds: Math.round(taken.seconds * 1000) / 1000 };
  const kind = outageKind(sample, settings);
  log.line(formatSample(sample, kind !== undefined, nameOf(settings, flight.target)));
  close(monitoring, flight, kind === undefined);
  if (flight.target !== settings.control) heard(sample, flight.target, kind);
}

/** Neither up nor down. */
function lose(monitoring: Monitoring, flight: Flight, reason: string): void {
  const { connection, startedAt: from } = flight;
  const target = nameOf(monitoring.settings, flight.target);
  note(monitoring, { type: 'unknown', from, reason, connection, ...(target === undefined ? {} : { target }) });
  close(monitoring, flight, false);
}

function close(monitoring: Monitoring, flight: Flight, good: boolean): void {
  monitoring.flights.delete(flight);
  flight.ended(good);
  flight.land();
}

/** Contract section 3: said where a log has more than one. */
function nameOf({ targets, control }: MonitorSettings, target: Target): string | undefined {
  return targets.length > 1 || target === control ? target.url : undefined;
}

async function landed({ flights }: Monitoring, before: number): Promise<void> {
  const waitedFor = [...flights].filter(({ startedAt }) => startedAt < before);
  await Promise.all(waitedFor.map((flight) => flight.landed));
}

async function settledUntil(monitoring: Monitoring, at: number): Promise<void> {
  await landed(monitoring, at);
  await monitoring.log.written();
}
