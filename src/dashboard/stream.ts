import type { Clock } from '../host/host.ts';
import { defaultHeader } from '../validation/downtime-log/downtime-log.ts';
import { openIntents } from '../validation/record/open-intents.ts';
import type { FollowedRun } from './follow-run.ts';
import { type Judgement, judgements } from './judgements.ts';
import { type Series, seriesOf } from './series.ts';
import { changedMembers, event, type Looks, serverEvents } from './server-events.ts';

/** The series as it is sent to a page. */
export interface StreamedSeries extends Series {
  /**
   * The run's files have not grown for 30 s by this machine's clock. The clock of a rehearsal is virtual, and that of a
   * browser may differ.
   */
  readonly isSilent: boolean;
}

/**
 * A run as server-sent events. A `series` event has the members of the series that are new or changed, so the first one
 * has all. `waiting` has the reason why there is nothing to show. `end` is the last event, after a run that has ended
 * and has nothing left to undo.
 */
export function stream(clock: Clock, run: FollowedRun, gone: AbortSignal): AsyncGenerator<string> {
  return serverEvents(clock, looksAt(clock, run), gone);
}

/** Three times the longest time until the monitor writes a line, which is the default timeout of a probe. */
export const silentAfterSeconds = 3 * defaultHeader.timeoutSeconds;

function looksAt(clock: Clock, run: FollowedRun): Looks {
  const changed = changedMembers<StreamedSeries>();
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
    async next() {
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
