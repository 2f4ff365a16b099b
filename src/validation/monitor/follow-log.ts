import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { formatFact, hasEnded } from '../downtime-log/log-facts.ts';
import { type LogWriter, logWriter } from '../downtime-log/log-writer.ts';
import { type FollowedLog, followedLog } from './followed-log.ts';
import { cannotFollow, type LogSource } from './log-source.ts';
import type { Monitor } from './monitor.ts';
import type { OnProbe } from './monitor-settings.ts';

/**
 * An action is performed only if the log has a line younger than this (docs/contract.md, "Commands": `--downtime-log`).
 */
const freshSeconds = 3;
/** The resolution of the API's timestamps: clocks that are further apart do not agree. */
const apartSeconds = 1;
/** Longer than the delay of any tick. */
const freshWithinSeconds = 10;
const lookEverySeconds = 0.25;
/** Longer than a probe of the usual timeout, and a lost connection, may keep the next line back. */
const blindAfterSeconds = 30;
/** Twice the longest timeout that a monitor is used with. */
const completeWithinSeconds = 120;

interface Following {
  readonly host: Host;
  readonly source: LogSource;
  readonly log: FollowedLog;
  readonly writer: LogWriter;
  readonly onProbe: OnProbe;
  readonly stopping: AbortController;
}

/**
 * Follows the downtime log of a monitor elsewhere: on a bastion, or in a probe pod. Its new lines are copied to the
 * run's own log, so that the run folder holds all evidence. `further` targets are watched beside the first. If it ends
 * before `stop`, `finished` rejects with an `OperationError`.
 */
export async function followLog(
  host: Host,
  source: LogSource,
  copy: string,
  onProbe: OnProbe,
  onClockSet: (seconds: number) => void = () => {},
  further: readonly string[] = [],
): Promise<Monitor> {
  const stopping = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    stopping.abort();
  };
  const writer = await logWriter(host.files, copy, fail);
  const following: Following = { host, source, log: followedLog(further), writer, onProbe, stopping };
  following.log.onClockSet(onClockSet);
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
    isBlind: () => isBlind(following),
    target: following.log.target,
    writtenUntil: (at) => writtenUntil(following, at),
    // The monitor there has edges of its own, or none.
    edges: () => {},
    forbidEdges: () => {},
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

async function follow({ host, source, log, writer, onProbe, stopping }: Following): Promise<void> {
  for await (const line of source.lines(stopping.signal)) {
    const known = log.columns().length > 0;
    const samples = log.take(line, host.clock.wallAt());
    // Whoever reads the copy need not learn it again.
    const columns = log.columns();
    if (!known && columns.length > 0) writer.line(formatFact({ type: 'columns', columns }));
    writer.line(`${line}\n`);
    for (const { sample, target, kind } of samples) onProbe(sample, { url: target }, kind);
    if (hasEnded(line)) break;
  }
  if (stopping.signal.aborted) return;
  throw cannotFollow(source.name, 'it ended');
}

function isBlind({ host, log }: Following): boolean {
  return host.clock.wallAt() - (log.newestEndedAt() ?? 0) > 1000 * blindAfterSeconds;
}

async function readyToAct({ host, source, log }: Following, signal: AbortSignal): Promise<void> {
  const { clock } = host;
  const endsAt = clock.monotonicSeconds() + freshWithinSeconds;
  const trouble = () => clockTrouble(log, clock.wallAt());
  while (trouble() !== undefined && clock.monotonicSeconds() < endsAt) await clock.sleep(lookEverySeconds, signal);
  const reason = trouble();
  if (reason === undefined) return;
  const next = `Check that the monitor runs there and that both clocks agree: nothing is disturbed without a line younger than ${freshSeconds} s`;
  throw new OperationError({ tried: 'Reading the downtime log', on: source.name, reason, next });
}

/** Why the log would not show an action that happens now, or would show it at another time. Undefined if it would. */
function clockTrouble(log: FollowedLog, now: number): string | undefined {
  const [newestEndedAt, behindSeconds] = [log.newestEndedAt(), log.behindSeconds()];
  if (newestEndedAt === undefined || behindSeconds === undefined) return 'no line of it has come yet';
  const ageSeconds = (now - newestEndedAt) / 1000;
  if (ageSeconds > freshSeconds) return `its newest line is ${ageSeconds.toFixed(1)} s old`;
  if (ageSeconds < -apartSeconds) return `its newest line is ${(-ageSeconds).toFixed(1)} s ahead of this clock`;
  // A line may wait in the file until the next look.
  if (behindSeconds <= apartSeconds + lookEverySeconds) return undefined;
  return `its clock is ${behindSeconds.toFixed(1)} s behind this one`;
}

async function writtenUntil({ host, source, log, writer, stopping }: Following, at: number): Promise<void> {
  const { clock } = host;
  const endsAt = clock.monotonicSeconds() + completeWithinSeconds;
  while (!log.isCompleteBefore(at) && !stopping.signal.aborted) {
    if (clock.monotonicSeconds() > endsAt)
      throw new OperationError({
        tried: 'Waiting for the downtime log',
        on: source.name,
        reason: `it has no sample of that time after ${completeWithinSeconds} s`,
      });
    await clock.sleep(lookEverySeconds, stopping.signal).catch(() => undefined);
  }
  await writer.written();
}
