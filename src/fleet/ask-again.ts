import type { CommandResult } from '../host/host.ts';
import { endWithout, type ServerEnd } from './document.ts';
import type { Fleet } from './fleet.ts';
import { documentsIn, isCut, onServer, saidBy } from './remote.ts';
import { isServerEnd, isServerStatus } from './remote-documents.ts';
import { clockLine, programLine } from './remote-script.ts';
import type { Server } from './server.ts';

/** A run whose connection was lost. */
export interface CutRun {
  readonly id: string;
  /** By the server's clock, in seconds: a script that arrives later does nothing. */
  readonly notAfter: number;
}

/** What a server says of a run: its end, that it goes on, that it was killed, or that there is none (yet). */
export type RunState =
  | { readonly is: 'ended'; readonly end: ServerEnd }
  | { readonly is: 'killed'; readonly verified: boolean }
  | { readonly is: 'absent' }
  | { readonly is: 'going-on' | 'unreachable'; readonly because: string };

/** From the start of the script to the record of the run: Node's start and the lock, on a machine that is busy. */
const startSeconds = 30;
/**
 * Long enough for a machine that reboots or a network that is repaired. Without an answer for this long the end is
 * unknown.
 */
const silenceSeconds = 600;
const askSeconds = 60;
const mostPauseSeconds = 15;

/**
 * Asks the server until it says how the run ended. The server ends it alone, by finishing or by going back; one that
 * was killed with its machine is repaired by the command that would repair it later.
 */
export async function askAgain(fleet: Fleet, server: Server, run: CutRun): Promise<ServerEnd> {
  const { clock } = fleet.remote.host;
  const endAt = clock.monotonicSeconds() + fleet.settings.timeout;
  let heardAt = clock.monotonicSeconds();
  for (let pause = 1; ; pause = Math.min(pause * 2, mostPauseSeconds)) {
    const state = await ask(fleet, server, run);
    if (!isOpen(state)) return endFrom(fleet, server, state);
    const now = clock.monotonicSeconds();
    if (state.is === 'going-on') heardAt = now;
    if (now >= endAt || now - heardAt >= silenceSeconds) return lost(state.because);
    await clock.sleep(pause);
  }
}

type Open = Extract<RunState, { readonly because: string }>;
const isOpen = (state: RunState): state is Open => 'because' in state;

async function endFrom(fleet: Fleet, server: Server, state: Exclude<RunState, Open>): Promise<ServerEnd> {
  if (state.is === 'ended') return state.end;
  if (state.is === 'killed') return repaired(fleet, server, state.verified);
  return endWithout('not-begun', 1, 'the connection was lost before anything was begun there');
}

const lost = (because: string): ServerEnd =>
  endWithout('lost', 1, `nobody knows how it ended: ${because}; holdfast status --hosts asks again`);

async function ask({ remote }: Fleet, server: Server, run: CutRun): Promise<RunState> {
  // The run before the lock: one that ends in between is also the last run of the status.
  const lines = [clockLine, `${programLine(server, 'show', [run.id])} 2>/dev/null || :`, programLine(server, 'status')];
  return runStateIn(await onServer(remote, server, lines, askSeconds), run);
}

/** What the answers of `show` and `status` say of the run. */
export function runStateIn(answer: CommandResult, { id, notAfter }: CutRun): RunState {
  const documents = documentsIn(answer);
  const status = documents.find((one) => 'lastRun' in one && isServerStatus(one)) as Status | undefined;
  const shown = documents.find((one) => 'facts' in one)?.run as Run | undefined;
  if (isCut(answer)) return { is: 'unreachable', because: saidBy(answer) };
  const run = status?.lastRun?.id === id ? status.lastRun : shown;
  const isHeld = status?.lock != null && status.lock.dead !== true;
  if (run?.document !== undefined && isServerEnd(run.document)) return { is: 'ended', end: run.document };
  if (isHeld) return { is: 'going-on', because: 'a run still holds the lock there' };
  if (run !== undefined) return { is: 'killed', verified: run.verified !== undefined };
  const now = Number(/^\d{9,11}$/m.exec(answer.stdout)?.[0] ?? 0);
  return now > notAfter + startSeconds ? { is: 'absent' } : { is: 'going-on', because: 'it has not begun there yet' };
}

interface Status {
  readonly lastRun?: Run | null;
  readonly lock?: { readonly dead?: boolean } | null;
}
interface Run {
  readonly id?: string;
  readonly document?: ServerEnd;
  readonly verified?: string;
}

/** `doctor --repair` there: the run was killed, and what it left is finished or undone. */
async function repaired({ remote, settings }: Fleet, server: Server, verified: boolean): Promise<ServerEnd> {
  const line = programLine(server, 'doctor', ['--repair']);
  const answer = await onServer(remote, server, [line], settings.timeout);
  const end = documentsIn(answer).find((one) => 'state' in one && isServerEnd(one)) as ServerEnd | undefined;
  if (isCut(answer) || end === undefined) return lost(`the run was killed, and its repair too: ${saidBy(answer)}`);
  if (end.exitCode !== 0) return end;
  return verified
    ? { ...end, state: 'verified', because: null }
    : {
        ...end,
        state: 'aborted',
        exitCode: 1,
        because: `the run was killed, and what it left is repaired: the site is at ${end.newCommit}`,
      };
}
