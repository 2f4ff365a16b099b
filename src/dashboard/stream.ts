import { OperationError, UsageError } from '../host/errors.ts';
import type { Clock } from '../host/host.ts';
import type { FollowedRun } from './follow-run.ts';
import { type Judgement, judgements } from './judgements.ts';
import { type Series, seriesOf } from './series.ts';

/**
 * A run as server-sent events (HTML standard, 9.2). Each `series` event holds the members of the series that are new or changed, so that
 * the first has all of them; `waiting` says why there is nothing to show. After the end of the run comes `end`, and no more.
 */
export async function* stream(clock: Clock, run: FollowedRun, gone: AbortSignal): AsyncGenerator<string> {
  const told = teller(run);
  for (let looks = 0; !gone.aborted; looks += 1) {
    const news = await told.news().catch(trouble);
    if (news !== undefined) yield news;
    else if (looks % looksBetweenComments === 0) yield ': still here\n\n';
    if (told.isOver()) return;
    await clock.sleep(lookEverySeconds, gone).catch(() => undefined);
  }
}

/** As often as the monitor writes a line (contract section 3). */
const lookEverySeconds = 1;
/** HTML standard, 9.2.7: a comment every 15 seconds or so keeps a connection. */
const looksBetweenComments = 15;

function teller(run: FollowedRun) {
  const changed = changedMembers();
  let judged: readonly Judgement[] = [];
  let toldBytes = -1;
  let isOver = false;
  return {
    isOver: () => isOver,
    async news(): Promise<string | undefined> {
      await run.look();
      if (run.readBytes() === toldBytes) return undefined;
      toldBytes = run.readBytes();
      const evidence = run.evidence();
      judged = judgements(evidence, judged);
      const series = seriesOf(evidence, judged);
      if (series === undefined) return event('waiting', { because: 'the run has not begun: its journal is empty' });
      isOver = series.ending !== null;
      return event('series', changed(series)) + (isOver ? event('end', {}) : '');
    },
  };
}

/** A folder that cannot be read, or a log of another version: someone may mend it while the page waits. */
function trouble(error: unknown): string {
  if (error instanceof OperationError || error instanceof UsageError)
    return event('waiting', { because: error.message });
  throw error;
}

/** JSON escapes the line breaks of its strings, so that it is one line of data. */
const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** What of a series is not as it was told before. */
function changedMembers(): (series: Series) => Partial<Series> {
  const told = new Map<string, string>();
  return (series) =>
    Object.fromEntries(
      Object.entries(series).filter(([member, value]) => {
        const text = JSON.stringify(value);
        const isNew = told.get(member) !== text;
        told.set(member, text);
        return isNew;
      }),
    );
}
