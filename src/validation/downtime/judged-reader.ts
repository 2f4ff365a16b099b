import { type LogReader, logReader } from '../downtime-log/log-reader.ts';
import type { Column } from '../loop-log/columns.ts';
import { type JudgedListener, type JudgeSettings, judgedLog } from './judged-log.ts';
import { withoutProberTrouble } from './prober-trouble.ts';

/**
 * The way of a sample from the bytes of a downtime log to the listener: read, sorted by start, judged, and unknown
 * where the prober had trouble. `analyze` and the report of a run both read a log this way. Push the bytes in order,
 * then call `end`.
 */
export function judgedReader(
  listener: JudgedListener,
  settings: JudgeSettings & { readonly columns?: readonly Column[] | undefined } = {},
): LogReader {
  const guard = withoutProberTrouble(listener);
  const reader = logReader(judgedLog(guard.listener, settings), settings.columns);
  return {
    push: reader.push,
    quiet: reader.quiet,
    endFile: reader.endFile,
    end: () => {
      reader.end();
      guard.end();
    },
    understood: reader.understood,
  };
}
