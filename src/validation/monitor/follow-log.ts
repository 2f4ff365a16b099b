import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { formatFact, hasEnded } from '../downtime-log/log-facts.ts';
import { type LogWriter, logWriter } from '../downtime-log/log-writer.ts';
import { type FollowedLog, followedLog } from './followed-log.ts';
import type { HearSample, Monitor } from './monitor.ts';

/** No act without a line younger than this (contract section 1, `--downtime-log`). */
const freshSeconds = 3;
/** Clocks that are further apart than the API's own resolution are not the same clock. */
const apartSeconds = 1;
/** Longer than any tick is late. */
const waitSeconds = 10;
const lookEverySeconds = 0.25;
/** The longest timeout that a monitor is used with, and as much again. */
const completeWithinSeconds = 120;

interface Following {
  readonly host: Host;
  readonly source: string;
  readonly log: FollowedLog;
  readonly writer: LogWriter;
  readonly heard: HearSample;
  readonly stopping: AbortController;
}

/**
 * A bastion's downtime log in the place of a monitor of our own: a file that grows, or `-` for standard input. What it says from now on
 * is copied to the run's own log, so that the run folder holds all its evidence. Its end before ours is an `OperationError`.
 */
export async function followLog(host: Host, source: string, copy: string, heard: HearSample): Promise<Monitor> {
  const stopping = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    stopping.abort();
  };
  const writer = await logWriter(host.files, copy, fail);
  const following: Following = { host, source, log: followedLog(), writer, heard, stopping };
  const finished = follow(following)
    .catch(fail)
    .then(async () => {
      await writer.close();
      if (failure !== undefined) throw failure.error;
    });
  finished.catch(() => undefined);
  return {
    goodInARow: following.log.goodInARow,
    intervalSeconds: following.log.intervalSeconds,
    settledUntil: (at) => settledUntil(following, at),
    stop: () => {
      stopping.abort();
      return finished;
    },
    abandon: () => stopping.abort(),
    note: (fact) => writer.line(formatFact(fact)),
    readyToAct: (signal) => readyToAct(following, signal),
    finished,
  };
}

async function follow({ host, source, log, writer, heard, stopping }: Following): Promise<void> {
  for await (const line of linesOf(host, source, stopping.signal)) {
    const samples = log.take(line, host.clock.wallAt());
    writer.line(`${line}\n`);
    for (const { sample, target, kind } of samples) heard(sample, { url: target }, kind);
    if (hasEnded(line)) break;
  }
  if (stopping.signal.aborted) return;
  throw cannotFollow(source, 'it ended');
}

/** Whole lines; the one that is still being written comes when it is whole. */
async function* linesOf(host: Host, source: string, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source === '-' ? host.input.chunks(signal) : growing(host, source, signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** The header of what is there already, and then what is appended. A symbolic link is followed once, at the beginning. */
async function* growing({ files, clock }: Host, source: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const path = await fileOf(files, source);
  const there = await lastPart(files, path);
  if (there.header !== undefined) yield new TextEncoder().encode(`${there.header}\n`);
  let position = there.endsAt;
  while (!signal.aborted) {
    const size = (await files.stat(path))?.sizeBytes ?? 0;
    if (size < position) throw cannotFollow(source, 'it was cut short or replaced');
    if (size > position)
      for await (const chunk of files.chunks(path, position)) {
        position += chunk.length;
        yield chunk;
      }
    await clock.sleep(lookEverySeconds, signal).catch(() => undefined);
  }
}

/** A pipe would be read to its end before its first line was heard. */
async function fileOf(files: Host['files'], source: string): Promise<string> {
  const path = (await files.realPath(source)) ?? source;
  const kind = (await files.stat(path))?.kind;
  if (kind === undefined) throw cannotFollow(source, 'there is no such file');
  if (kind !== 'file') throw cannotFollow(source, 'it is no file', 'Send what comes from a pipe to standard input: -');
  return path;
}

function cannotFollow(source: string, reason: string, next?: string): OperationError {
  const failure = { tried: 'Following the downtime log', on: nameOf(source), reason };
  return new OperationError(next === undefined ? failure : { ...failure, next });
}

/** The last header, and where the last whole line ends. */
async function lastPart(
  files: Host['files'],
  path: string,
): Promise<{ readonly header?: string; readonly endsAt: number }> {
  const text = (await files.read(path)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const header = whole.split('\n').findLast((line) => line.startsWith('# holdfast downtime-log '));
  return { ...(header === undefined ? {} : { header }), endsAt: new TextEncoder().encode(whole).length };
}

async function readyToAct({ host, source, log }: Following, signal: AbortSignal): Promise<void> {
  const { clock } = host;
  const endsAt = clock.monotonicSeconds() + waitSeconds;
  const trouble = () => clockTrouble(log, clock.wallAt());
  while (trouble() !== undefined && clock.monotonicSeconds() < endsAt) await clock.sleep(lookEverySeconds, signal);
  const reason = trouble();
  if (reason === undefined) return;
  const next = `Start the monitor there, and see that both clocks agree: nothing is done without a line younger than ${freshSeconds} s`;
  throw new OperationError({ tried: 'Reading the downtime log', on: nameOf(source), reason, next });
}

/** Why what is done now would not be seen in the log, or at another time than it was done. */
function clockTrouble(log: FollowedLog, now: number): string | undefined {
  const [newestEndedAt, behindSeconds] = [log.newestEndedAt(), log.behindSeconds()];
  if (newestEndedAt === undefined || behindSeconds === undefined) return 'no line of it has come yet';
  const ageSeconds = (now - newestEndedAt) / 1000;
  if (ageSeconds > freshSeconds) return `its newest line is ${ageSeconds.toFixed(1)} s old`;
  if (ageSeconds < -apartSeconds) return `its newest line is ${(-ageSeconds).toFixed(1)} s ahead of this clock`;
  // A line that is in a file waits until the next look at it.
  if (behindSeconds <= apartSeconds + lookEverySeconds) return undefined;
  return `its clock is ${behindSeconds.toFixed(1)} s behind this one`;
}

async function settledUntil({ host, source, log, writer, stopping }: Following, at: number): Promise<void> {
  const { clock } = host;
  const endsAt = clock.monotonicSeconds() + completeWithinSeconds;
  while (!log.isCompleteBefore(at) && !stopping.signal.aborted) {
    if (clock.monotonicSeconds() > endsAt)
      throw new OperationError({
        tried: 'Waiting for the downtime log',
        on: nameOf(source),
        reason: 'it does not go on',
      });
    await clock.sleep(lookEverySeconds, stopping.signal).catch(() => undefined);
  }
  await writer.written();
}

const nameOf = (source: string): string => (source === '-' ? 'standard input' : source);
