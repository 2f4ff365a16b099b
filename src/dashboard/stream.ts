import { OperationError, UsageError } from '../host/errors.ts';
import type { Clock } from '../host/host.ts';
import { defaultHeader } from '../validation/downtime-log/downtime-log.ts';
import { openIntents } from '../validation/record/open-intents.ts';
import type { FollowedRun } from './follow-run.ts';
import { type Judgement, judgements } from './judgements.ts';
import { type Series, seriesOf } from './series.ts';

/** The series as it is sent to a page. */
export interface StreamedSeries extends Series {
  /** The run's files have not grown for 30 s by this machine's clock. The clock of a rehearsal is virtual, and that of a browser may differ. */
  readonly isSilent: boolean;
}

/**
 * A run as server-sent events (HTML standard, 9.2). A `series` event has the members of the series that are new or changed, so the first one has all.
 * `waiting` has the reason why there is nothing to show. `end` is the last event, after a run that has ended and has nothing left to undo.
 */
export async function* stream(clock: Clock, run: FollowedRun, gone: AbortSignal): AsyncGenerator<string> {
  const events = runEvents(clock, run);
  for (let looks = 0; !gone.aborted; looks += 1) {
    const next = await events.next().catch(trouble);
    if (next !== undefined) yield next;
    else if (looks % looksBetweenComments === 0) yield ': still here\n\n';
    if (events.isOver()) return;
    await clock.sleep(lookEverySeconds, gone).catch(() => undefined);
  }
}

/** As often as the monitor writes a line by default. */
const lookEverySeconds = 1;
/** A comment every 15 s keeps the connection open (HTML standard, 9.2.7). */
const looksBetweenComments = 15;
/** Three times the longest time until the monitor writes a line, which is the default timeout of a probe. */
const silentAfterSeconds = 3 * defaultHeader.timeoutSeconds;

function runEvents(clock: Clock, run: FollowedRun) {
  const changed = changedMembers();
  let judged: readonly Judgement[] = [];
  let sentBytes = -1;
  let series: Series | undefined;
  let end = '';
  const readAgain = (): void => {
    const evidence = run.evidence();
    judged = judgements(evidence, judged);
    series = seriesOf(evidence, judged);
    const isOver = series !== undefined && series.endings.length > 0 && openIntents(evidence.facts).length === 0;
    if (isOver) end = event('end', {});
  };
  const isSilent = (): boolean => clock.wallAt() - run.writtenAt() > silentAfterSeconds * 1000;
  return {
    isOver: () => end !== '',
    async next(): Promise<string | undefined> {
      await run.look();
      const hasGrown = run.readBytes() !== sentBytes;
      sentBytes = run.readBytes();
      if (hasGrown) readAgain();
      if (series === undefined) return hasGrown ? event('waiting', { because: notStarted }) : undefined;
      const changes = changed({ ...series, isSilent: isSilent() });
      return Object.keys(changes).length === 0 ? undefined : event('series', changes) + end;
    },
  };
}

const notStarted = 'the run has not started: its journal is empty';

/** The page waits after an error, because a folder that cannot be read, or a log of another version, may be repaired. */
function trouble(error: unknown): string {
  if (error instanceof OperationError || error instanceof UsageError)
    return event('waiting', { because: error.message });
  throw error;
}

/** JSON has no line breaks, so it is one line of data. */
const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The members of a series that differ from those that were sent before. */
function changedMembers(): (series: StreamedSeries) => Partial<StreamedSeries> {
  const sent = new Map<string, { readonly value: unknown; readonly text: string }>();
  return (series) =>
    Object.fromEntries(
      Object.entries(series).filter(([member, value]) => {
        const before = sent.get(member);
        if (before?.value === value) return false;
        const text = JSON.stringify(value);
        sent.set(member, { value, text });
        return before?.text !== text;
      }),
    );
}
