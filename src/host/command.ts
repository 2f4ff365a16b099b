import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { type CapturedText, capturedText, mostAnswerBytes, wholeText } from './captured-text.ts';
import { OperationError } from './errors.ts';
import type { Command, CommandResult, RunOptions } from './host.ts';
import { codeOf } from './system-error.ts';

/** Between SIGTERM and SIGKILL, as `docker stop` waits by default. */
const graceSeconds = 10;
/** After SIGKILL a process that left the group may still hold the pipes: they are closed after this time. */
const pipesSeconds = 1;
/** A shell's exit codes for a missing program and for one that may not be executed (POSIX, 2.8.2). */
const notFound = 127;
const notExecutable = 126;

/**
 * Runs a program in a process group and session of its own, so that it has no terminal and can be ended with everything
 * that it started. The output is complete when the promise resolves. Rejects only when the signal was aborted before
 * the start, when `started` rejects, or when the output is longer than a caller can be given: then the command was
 * ended.
 */
export async function run(command: Command, options: RunOptions): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const begun = performance.now();
  const [program, ...args] = command;
  const child = startUntilItRuns(program, args, options);
  const ending = endOnTime(child, options);
  const output = captured(child, options, ending.now);
  const ended = end(child);
  try {
    await started(child, options);
    const exitCode = await ended;
    if (output.isExceeded()) throw tooLong(command, options.mostAnswerBytes);
    return { exitCode, ...output.texts(), seconds: (performance.now() - begun) / 1000, timedOut: ending.timedOut() };
  } catch (error) {
    if (child.pid !== undefined) throw error;
    const { exitCode, stderr } = await notStarted(program, options.cwd, error);
    return { exitCode, stdout: '', stderr, seconds: (performance.now() - begun) / 1000, timedOut: false };
  } finally {
    ending.forget();
  }
}

/**
 * Under a stream of signals, one every 2 ms, a third of the children end so (measured): this many in a row are another
 * trouble.
 */
const mostStarts = 20;

/**
 * A terminal that goes, or Ctrl-C, signals the whole process group of this program. A child is in that group from its
 * fork until its setsid(2), where such a signal ends it: the program has not run then, and is started again.
 */
function startUntilItRuns(program: string, args: readonly string[], options: RunOptions): ChildProcess {
  let child = start(program, args, options);
  for (let starts = 1; starts < mostStarts && endedBeforeItsProgram(child); starts++)
    child = start(program, args, options);
  return child;
}

/**
 * PF_EXITING and PF_FORKNOEXEC of Linux (include/linux/sched.h): it ends, and execve(2) has not succeeded since the
 * fork.
 */
const endsAndHasOnlyForked = 0x44;

/**
 * Asked right after `spawn`, which returns when the program runs or the child has ended: nothing has reaped the child
 * by then.
 */
function endedBeforeItsProgram({ pid }: ChildProcess): boolean {
  if (pid === undefined) return false;
  try {
    // proc_pid_stat(5): the flags are the seventh field after the name, which is in brackets and may hold brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[6]) & endsAndHasOnlyForked) === endsAndHasOnlyForked;
  } catch {
    // Without /proc nobody can tell.
    return false;
  }
}

/** A child inherits the umask of this process at the moment of its start; nothing else runs in between. */
function start(program: string, args: readonly string[], options: RunOptions): ChildProcess {
  const ours = options.umask === undefined ? undefined : process.umask(options.umask);
  try {
    return spawn(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...options.env },
      detached: true,
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } finally {
    if (ours !== undefined) process.umask(ours);
  }
}

interface Captured {
  readonly texts: () => { readonly stdout: string; readonly stderr: string };
  readonly isExceeded: () => boolean;
}

/** Standard error is for people, and always abridged. */
function captured(child: ChildProcess, options: RunOptions, end: () => void): Captured {
  let isExceeded = false;
  const exceeded = (): void => {
    isExceeded = true;
    end();
  };
  const stdout: CapturedText = options.isForLog ? capturedText() : wholeText(exceeded, options.mostAnswerBytes);
  const stderr = capturedText();
  child.stdout?.on('data', stdout.push);
  child.stderr?.on('data', stderr.push);
  return { texts: () => ({ stdout: stdout.text(), stderr: stderr.text() }), isExceeded: () => isExceeded };
}

function tooLong([program, ...words]: Command, mostBytes = mostAnswerBytes): OperationError {
  const most = Math.floor(mostBytes / 2 ** 20);
  return new OperationError({
    tried: 'Reading the answer of',
    on: [program, ...words].join(' ').slice(0, mostShown),
    reason: `it is longer than ${most} MiB, so it was not used`,
  });
}

/** Of a command in an error, in characters: its words may be thousands of paths. */
const mostShown = 200;

/** Resolves with the exit code after both outputs were read to their ends. */
function end(child: ChildProcess): Promise<number> {
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve(signal === null ? (code ?? notFound) : 128 + constants.signals[signal]),
    );
  });
  ended.catch(() => undefined);
  return ended;
}

async function started(child: ChildProcess, options: RunOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (options.stdin !== undefined) feed(child, options.stdin);
  if (child.pid === undefined || options.started === undefined) return;
  try {
    await options.started({ pid: child.pid });
  } catch (error) {
    signalGroup(child, 'SIGKILL');
    throw error;
  }
}

/** A program may end without reading its input. */
function feed(child: ChildProcess, text: string): void {
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(text);
}

interface Ending {
  readonly timedOut: () => boolean;
  /** Ends the group as its limit of time does. */
  readonly now: () => void;
  readonly forget: () => void;
}

/** Ends the group at the timeout or when the signal is aborted, and then kills what the program left running. */
function endOnTime(child: ChildProcess, options: RunOptions): Ending {
  let timedOut = false;
  let terminated = false;
  const timers: NodeJS.Timeout[] = [];
  const later = (seconds: number, action: () => void) => timers.push(setTimeout(action, seconds * 1000));
  const terminate = () => {
    terminated = true;
    signalGroup(child, 'SIGTERM');
    later(graceSeconds, () => {
      signalGroup(child, 'SIGKILL');
      later(pipesSeconds, () => closePipes(child));
    });
  };
  later(options.timeoutSeconds, () => {
    timedOut = true;
    terminate();
  });
  options.signal?.addEventListener('abort', terminate, { once: true });
  return {
    timedOut: () => timedOut,
    now: terminate,
    forget: () => {
      timers.forEach(clearTimeout);
      options.signal?.removeEventListener('abort', terminate);
      if (terminated) signalGroup(child, 'SIGKILL');
    },
  };
}

function closePipes(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/**
 * kill(2): the group has ended, or another user owns it now, as with sudo(8). Then the command's own end is awaited.
 */
const beyondReach = new Set(['ESRCH', 'EPERM']);

function signalGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if (!beyondReach.has(codeOf(error) ?? '')) throw error;
  }
}

/** A missing working directory and a missing program give the same errno. */
async function notStarted(
  program: string,
  cwd: string | undefined,
  error: unknown,
): Promise<{ exitCode: number; stderr: string }> {
  const code = codeOf(error);
  if (cwd !== undefined && !(await isFolder(cwd)))
    return { exitCode: notFound, stderr: `${cwd}: no such folder to run ${program} in\n` };
  if (code === 'ENOENT') return { exitCode: notFound, stderr: `${program}: command not found\n` };
  return { exitCode: notExecutable, stderr: `${program}: cannot be executed (${code ?? String(error)})\n` };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (there) => there.isDirectory(),
    () => false,
  );
}
