import { OperationError } from '../../host/errors.ts';
import type { Clock } from '../../host/host.ts';
import type { Entry } from './clock-entry.ts';
import { heap } from './heap.ts';
import { type Sleepers, sleepers } from './sleepers.ts';
import { ours, underWay } from './under-way.ts';

/** Time that jumps to the next timer when nothing else can run, and stands still while real work is held. */
export interface VirtualClock extends Clock {
  /** Time moves only while a run is under way. Rejects when time can never move again or a hold does not end, and says which. */
  run<T>(main: () => Promise<T>): Promise<T>;
  /** Drops every sleeper and stops for good. */
  close(): void;
  /** The kinds of real work that were seen under way though nobody held them: a defect of whoever started it. */
  readonly unheld: ReadonlySet<string>;
}

interface Line {
  readonly epochMs: number;
  readonly patienceMs: number;
  readonly entries: ReturnType<typeof heap<Entry>>;
  readonly unheld: Set<string>;
  readonly sleepers: Sleepers<Entry>;
  readonly held: Set<Entry>;
  /** The next step; `putOff` makes it when no microtask is left. Made once, for there are tens of thousands. */
  readonly onward: () => void;
  readonly putOff: () => void;
  nowMs: number;
  turn: number;
  hopping: boolean;
  hops: number;
  closed: boolean;
  idleHops: number;
  waitingSinceMs: number | undefined;
  alarm: ReturnType<typeof setTimeout> | undefined;
  /** Absent: no run is under way. */
  fail: ((error: OperationError) => void) | undefined;
}

/** Hops without an entry before an empty line is a deadlock: a chain of immediates may still bring one. */
const idleHopsAllowed = 4;

const settled = Promise.resolve();

/** A few milliseconds (measured: 20 to 40 µs each). */
const ticksInARow = 100;

export function virtualClock(epochMs: number, options: { readonly patienceSeconds?: number } = {}): VirtualClock {
  const line: Line = {
    epochMs,
    patienceMs: 1000 * (options.patienceSeconds ?? 30),
    entries: heap((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn)),
    unheld: new Set(),
    sleepers: sleepers(wake),
    held: new Set(),
    onward: () => {
      line.hopping = false;
      if (line.fail !== undefined && !line.closed) step(line);
    },
    putOff: () => process.nextTick(line.onward),
    nowMs: 0,
    turn: 0,
    hopping: false,
    hops: 0,
    closed: false,
    idleHops: 0,
    waitingSinceMs: undefined,
    alarm: undefined,
    fail: undefined,
  };
  return {
    unheld: line.unheld,
    wallAt: () => line.epochMs + Math.floor(line.nowMs),
    monotonicSeconds: () => line.nowMs / 1000,
    sleep: (seconds, signal) => sleep(line, seconds, signal),
    hold: (what, work) => hold(line, what, work),
    run: (main) => run(line, main),
    close: () => {
      line.closed = true;
      line.entries.clear();
      silence(line);
    },
  };
}

async function run<T>(line: Line, main: () => Promise<T>): Promise<T> {
  const stalled = new Promise<never>((_, reject) => {
    line.fail = reject;
  });
  try {
    hop(line, 'event loop');
    return await Promise.race([main(), stalled]);
  } finally {
    line.fail = undefined;
    silence(line);
    for (const abandoned of line.held) ours.held.delete(abandoned);
  }
}

function sleep(line: Line, seconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const entry = enter(line, line.nowMs + Math.max(0, seconds) * 1000, 'a sleep', signal);
    entry.ready = true;
    entry.fire = resolve;
    entry.reject = reject;
    if (signal !== undefined) line.sleepers.add(signal, entry);
  });
}

/** A sleep that its signal ends is cancelled. */
function wake(entry: Entry, reason: unknown): void {
  entry.fire = undefined;
  entry.reject?.(reason);
}

async function hold<T>(line: Line, what: string, work: () => Promise<T>): Promise<T> {
  if (line.fail === undefined) return work();
  const entry = enter(line, line.nowMs, what, undefined);
  const delivered = new Promise<void>((resolve) => {
    entry.fire = resolve;
  });
  ours.held.add(entry);
  line.held.add(entry);
  try {
    return await work();
  } finally {
    await turn();
    ours.held.delete(entry);
    line.held.delete(entry);
    entry.ready = true;
    silence(line);
    hop(line);
    await delivered;
  }
}

function enter(line: Line, atMs: number, what: string, signal: AbortSignal | undefined): Entry {
  const entry: Entry = { atMs, turn: line.turn, what, ready: false, fire: undefined, signal, reject: undefined };
  line.turn += 1;
  if (line.closed) return entry;
  line.entries.push(entry);
  hop(line);
  return entry;
}

/**
 * Between two entries every promise, async iterator and stream that the first woke comes to rest: the next tick comes when
 * no microtask is left. Some turns go through the event loop, where real work, signals and output have theirs.
 */
function hop(line: Line, through: 'ticks' | 'event loop' = 'ticks'): void {
  if (line.hopping || line.closed || line.fail === undefined) return;
  line.hopping = true;
  line.hops += 1;
  if (through === 'ticks' && line.hops % ticksInARow !== 0) void settled.then(line.putOff);
  else void turn().then(line.onward);
}

/** One of the event loop, after which Node no longer counts what has ended among what is under way. */
function turn(): Promise<void> {
  ours.hops += 1;
  return new Promise((resolve) => {
    setImmediate(() => {
      ours.hops -= 1;
      resolve();
    });
  });
}

function step(line: Line): void {
  const next = firstLive(line);
  if (next === undefined) idle(line);
  else if (!next.ready) watchOver(line, next);
  else if (next.atMs > line.nowMs && mustWait(line)) hop(line, 'event loop');
  else fire(line, next);
}

function fire(line: Line, entry: Entry): void {
  line.entries.pop();
  line.idleHops = 0;
  line.waitingSinceMs = undefined;
  line.nowMs = entry.atMs;
  if (entry.signal !== undefined) line.sleepers.remove(entry.signal, entry);
  entry.fire?.();
  hop(line);
}

/** Time never jumps to a timer that was cancelled. */
function firstLive(line: Line): Entry | undefined {
  let next = line.entries.first();
  while (next?.ready && next.fire === undefined) {
    line.entries.pop();
    next = line.entries.first();
  }
  return next;
}

function idle(line: Line): void {
  line.idleHops += 1;
  if (line.idleHops > idleHopsAllowed && !mustWait(line)) stall(line, 'nothing is due and nothing is under way');
  else hop(line, 'event loop');
}

/** A real timer, because virtual time stands still. */
function watchOver(line: Line, held: Entry): void {
  if (line.alarm !== undefined) return;
  ours.alarms += 1;
  line.alarm = setTimeout(
    () => stall(line, `"${held.what}" is held since ${line.patienceMs / 1000} s`),
    line.patienceMs,
  );
}

function silence(line: Line): void {
  if (line.alarm === undefined) return;
  clearTimeout(line.alarm);
  line.alarm = undefined;
  ours.alarms -= 1;
}

/** The safety net: before time moves, is there real work that nobody held? Another clock's held work hides it. */
function mustWait(line: Line): boolean {
  const seen = ours.held.size > 0 ? [] : underWay();
  for (const name of seen) line.unheld.add(name);
  if (seen.length === 0) return false;
  line.waitingSinceMs ??= performance.now();
  if (performance.now() - line.waitingSinceMs > line.patienceMs) stall(line, `nobody holds ${seen.join(', ')}`);
  return true;
}

function stall(line: Line, reason: string): void {
  line.fail?.(
    new OperationError({
      tried: 'move virtual time on from',
      on: `${line.nowMs / 1000} s`,
      reason,
      next: 'Hold real work with clock.hold, and never sleep on the clock inside it',
    }),
  );
}
