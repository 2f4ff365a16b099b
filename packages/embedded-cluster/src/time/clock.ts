import type { Clock } from '../outside/clock.ts';
import { ClusterError } from '../outside/cluster-error.ts';
import { activeWork, isOutput, ownResources } from './active-work.ts';
import type { Entry } from './clock-entry.ts';
import { heap } from './heap.ts';
import { type Sleepers, sleepers } from './sleepers.ts';

/** A clock that jumps to the next timer as soon as nothing else can run, and stands still while real work is held. */
export interface VirtualClock extends Clock {
  /**
   * Runs `main`; time moves only meanwhile. Rejects with an `ClusterError` when time can never move again, or with the
   * name of the held work that does not end.
   */
  run<T>(main: () => Promise<T>): Promise<T>;
  /** Drops every sleeper and stops for good. */
  close(): void;
  /** Kinds of real work that were active although nobody held them: a defect of the code that started it. */
  readonly unheld: ReadonlySet<string>;
}

interface State {
  readonly epochMs: number;
  readonly stallTimeoutMs: number;
  readonly queue: ReturnType<typeof heap<Entry>>;
  readonly unheld: Set<string>;
  readonly sleepers: Sleepers<Entry>;
  readonly held: Set<Entry>;
  /** Makes the next step. Created once, because a run makes tens of thousands of steps. */
  readonly runStep: () => void;
  /** Makes the next step when no microtask is left. */
  readonly deferStep: () => void;
  nowMs: number;
  /** The number of entries so far: it orders those of one instant. */
  sequence: number;
  stepScheduled: boolean;
  steps: number;
  closed: boolean;
  idleSteps: number;
  waitingSinceMs: number | undefined;
  alarm: ReturnType<typeof setTimeout> | undefined;
  /** Undefined: no run is under way. */
  fail: ((error: ClusterError) => void) | undefined;
}

/** Steps with an empty queue before that counts as a deadlock: a chain of immediates may still add an entry. */
const idleStepsAllowed = 4;

const resolved = Promise.resolve();

/** One step in so many goes through the event loop: every few milliseconds (measured: 20 to 40 µs a step). */
const stepsPerLoopTurn = 100;

/** Starts at `epochMs`. Real work that takes longer than `stallTimeoutSeconds` (30) fails the run. */
export function virtualClock(epochMs: number, options: { readonly stallTimeoutSeconds?: number } = {}): VirtualClock {
  const state: State = {
    epochMs,
    stallTimeoutMs: 1000 * (options.stallTimeoutSeconds ?? 30),
    queue: heap((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence)),
    unheld: new Set(),
    sleepers: sleepers(cancel),
    held: new Set(),
    runStep: () => {
      state.stepScheduled = false;
      if (state.fail !== undefined && !state.closed) step(state);
    },
    deferStep: () => process.nextTick(state.runStep),
    nowMs: 0,
    sequence: 0,
    stepScheduled: false,
    steps: 0,
    closed: false,
    idleSteps: 0,
    waitingSinceMs: undefined,
    alarm: undefined,
    fail: undefined,
  };
  return {
    unheld: state.unheld,
    wallAt: () => state.epochMs + Math.floor(state.nowMs),
    monotonicSeconds: () => state.nowMs / 1000,
    sleep: (seconds, signal) => sleep(state, seconds, signal),
    hold: (what, work) => hold(state, what, work),
    run: (main) => run(state, main),
    close: () => {
      state.closed = true;
      state.queue.clear();
      clearAlarm(state);
    },
  };
}

async function run<T>(state: State, main: () => Promise<T>): Promise<T> {
  const stalled = new Promise<never>((_, reject) => {
    state.fail = reject;
  });
  try {
    scheduleStep(state, 'event loop');
    return await Promise.race([main(), stalled]);
  } finally {
    state.fail = undefined;
    clearAlarm(state);
    for (const abandoned of state.held) ownResources.held.delete(abandoned);
  }
}

function sleep(state: State, seconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const entry = enqueue(state, state.nowMs + Math.max(0, seconds) * 1000, 'a sleep', signal);
    entry.ready = true;
    entry.fire = resolve;
    entry.reject = reject;
    if (signal !== undefined) state.sleepers.add(signal, entry);
  });
}

function cancel(entry: Entry, reason: unknown): void {
  entry.fire = undefined;
  entry.reject?.(reason);
}

async function hold<T>(state: State, what: string, work: () => Promise<T>): Promise<T> {
  if (state.fail === undefined) return work();
  const entry = enqueue(state, state.nowMs, what, undefined);
  const delivered = new Promise<void>((resolve) => {
    entry.fire = resolve;
  });
  ownResources.held.add(entry);
  state.held.add(entry);
  try {
    return await work();
  } finally {
    await loopTurn();
    ownResources.held.delete(entry);
    state.held.delete(entry);
    entry.ready = true;
    clearAlarm(state);
    scheduleStep(state);
    await delivered;
  }
}

function enqueue(state: State, atMs: number, what: string, signal: AbortSignal | undefined): Entry {
  const { sequence } = state;
  const entry: Entry = { atMs, sequence, what, ready: false, fire: undefined, signal, reject: undefined };
  state.sequence += 1;
  if (state.closed) return entry;
  state.queue.push(entry);
  scheduleStep(state);
  return entry;
}

/**
 * Between two entries every promise, async iterator and stream that the first one woke must settle: a tick runs when no
 * microtask is left. Some steps go through the event loop, so that real work, signals and output make progress.
 */
function scheduleStep(state: State, through: 'ticks' | 'event loop' = 'ticks'): void {
  if (state.stepScheduled || state.closed || state.fail === undefined) return;
  state.stepScheduled = true;
  state.steps += 1;
  if (through === 'ticks' && state.steps % stepsPerLoopTurn !== 0) void resolved.then(state.deferStep);
  else void loopTurn().then(state.runStep);
}

/** One turn of the event loop. After it Node no longer lists resources of work that has ended. */
function loopTurn(): Promise<void> {
  ownResources.immediates += 1;
  return new Promise((resolve) => {
    setImmediate(() => {
      ownResources.immediates -= 1;
      resolve();
    });
  });
}

function step(state: State): void {
  const next = firstLive(state);
  if (next === undefined) idle(state);
  else if (!next.ready) setAlarm(state, next);
  else if (next.atMs > state.nowMs && waitsForUnheldWork(state)) scheduleStep(state, 'event loop');
  else fire(state, next);
}

function fire(state: State, entry: Entry): void {
  state.queue.pop();
  state.idleSteps = 0;
  state.waitingSinceMs = undefined;
  state.nowMs = entry.atMs;
  if (entry.signal !== undefined) state.sleepers.remove(entry.signal, entry);
  entry.fire?.();
  scheduleStep(state);
}

/** The first entry that was not cancelled: time must not jump to a cancelled timer. */
function firstLive(state: State): Entry | undefined {
  let next = state.queue.first();
  while (next?.ready && next.fire === undefined) {
    state.queue.pop();
    next = state.queue.first();
  }
  return next;
}

function idle(state: State): void {
  state.idleSteps += 1;
  if (state.idleSteps > idleStepsAllowed && !waitsForUnheldWork(state))
    stall(state, 'no timer is set, no work is active');
  else scheduleStep(state, 'event loop');
}

/** A real timer, because virtual time stands still. */
function setAlarm(state: State, held: Entry): void {
  if (state.alarm !== undefined) return;
  ownResources.alarms += 1;
  state.alarm = setTimeout(
    () => stall(state, `"${held.what}" has been held for ${state.stallTimeoutMs / 1000} s`),
    state.stallTimeoutMs,
  );
}

function clearAlarm(state: State): void {
  if (state.alarm === undefined) return;
  clearTimeout(state.alarm);
  state.alarm = undefined;
  ownResources.alarms -= 1;
}

/** The safety net before time moves; none while a clock of this process holds work, which would look unheld. */
function waitsForUnheldWork(state: State): boolean {
  const active = ownResources.held.size > 0 ? [] : activeWork();
  for (const name of active) if (!isOutput(name)) state.unheld.add(name);
  if (active.length === 0) return false;
  state.waitingSinceMs ??= performance.now();
  if (performance.now() - state.waitingSinceMs > state.stallTimeoutMs)
    stall(state, `real work is active that nobody holds: ${active.join(', ')}`);
  return true;
}

function stall(state: State, reason: string): void {
  state.fail?.(
    new ClusterError({
      tried: 'Advancing virtual time from',
      on: `${state.nowMs / 1000} s`,
      reason,
      next: 'Hold real work with clock.hold, and never sleep on the virtual clock inside it',
    }),
  );
}
