import { OperationError, UsageError } from '../host/errors.ts';
import type { Clock } from '../host/host.ts';
import { openIntents } from '../validation/record/open-intents.ts';
import type { FollowedRun } from './follow-run.ts';
import { type Judgement, judgements } from './judgements.ts';
import { type Series, seriesOf } from './series.ts';

/** What a page is told of a run. */
export interface ToldSeries extends Series {
  /** Nothing is written any more, by the clock of this machine: that of a rehearsal is virtual, and that of a browser another one. */
  readonly isSilent: boolean;
}

/**
 * A run as server-sent events (HTML standard, 9.2). Each `series` event holds the members of the series that are new or changed, so that
 * the first has all of them; `waiting` says why there is nothing to show. After the end of a run that left nothing to undo comes `end`, and
 * no more.
 */
export async function* stream(clock: Clock, run: FollowedRun, gone: AbortSignal): AsyncGenerator<string> {
  const told = teller(clock, run);
  for (let looks = 0; !gone.aborted; looks += 1) {
    const news = await told.news().catch(trouble);
    if (news !== undefined) yield news;
    else if (looks % looksBetweenComments === 0) yield ': still here\n\n';
    if (told.isOver()) return;
    await clock.sleep(lookEverySeconds, gone).catch(() => undefined);
  }
}

/** As often as the monitor writes a line (docs/contract.md, "The downtime log"). */
const lookEverySeconds = 1;
/** HTML standard, 9.2.7: a comment every 15 seconds or so keeps a connection. */
const looksBetweenComments = 15;
/** A monitor's line is not older than a probe's timeout, 10 s (docs/contract.md, "The downtime log"); three of them in a row did not come. */
const silentAfterSeconds = 30;

function teller(clock: Clock, run: FollowedRun) {
  const changed = changedMembers();
  let judged: readonly Judgement[] = [];
  let toldBytes = -1;
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
    async news(): Promise<string | undefined> {
      await run.look();
      const hasGrown = run.readBytes() !== toldBytes;
      toldBytes = run.readBytes();
      if (hasGrown) readAgain();
      if (series === undefined) return hasGrown ? event('waiting', { because: notBegun }) : undefined;
      const news = changed({ ...series, isSilent: isSilent() });
      return Object.keys(news).length === 0 ? undefined : event('series', news) + end;
    },
  };
}

const notBegun = 'the run has not begun: its journal is empty';

/** A folder that cannot be read, or a log of another version: someone may mend it while the page waits. */
function trouble(error: unknown): string {
  if (error instanceof OperationError || error instanceof UsageError)
    return event('waiting', { because: error.message });
  throw error;
}

/** JSON escapes the line breaks of its strings, so that it is one line of data. */
const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** What of a series is not as it was told before. */
function changedMembers(): (series: ToldSeries) => Partial<ToldSeries> {
  const told = new Map<string, { readonly value: unknown; readonly text: string }>();
  return (series) =>
    Object.fromEntries(
      Object.entries(series).filter(([member, value]) => {
        const before = told.get(member);
        if (before?.value === value) return false;
        const text = JSON.stringify(value);
        told.set(member, { value, text });
        return before?.text !== text;
      }),
    );
}
