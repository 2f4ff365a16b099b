import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { duration } from '../../settings/read-settings.ts';
import { type AnalyzeSettings, analyzeFiles } from '../../validation/downtime/analyze.ts';
import type { LogFiles } from '../../validation/downtime/read-plain-log.ts';
import { inOrder, type RotatedLog, rotatedLogs } from '../../validation/downtime/rotated-logs.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { readFlags } from '../command/read-flags.ts';
import { paint } from '../command/text.ts';
import { analysisText } from './analysis-text.ts';
import { expectedStatus } from './expected-status.ts';

/** A time without a zone is UTC, as the log's own times are. */
const instant = z.string().transform((text, context) => {
  const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  const at =
    shape === null ? Number.NaN : Date.parse(shape[1] === undefined || shape[4] !== undefined ? text : `${text}Z`);
  if (!Number.isNaN(at)) return at;
  context.issues.push({
    code: 'custom',
    message: `is '${text}', which is not a time such as 2026-11-20T10:00:00Z`,
    input: text,
  });
  return z.NEVER;
});
const schema = z.strictObject({
  slow: duration.optional(),
  expect: expectedStatus.optional(),
  from: instant.optional(),
  to: instant.optional(),
});

/** `analyze LOG…`: the outages in a downtime log, whose rotated files may be given with it. 0 without one, 1 with one, 2 if the file is not a downtime log. */
export const analyze: Perform = async ({ host, flags }, { options, operands }) => {
  const { slow, expect, from, to } = readFlags(schema, options);
  const settings: AnalyzeSettings = {
    ...(slow === undefined ? {} : { slowSeconds: slow }),
    ...(expect === undefined ? {} : { expect }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  const [log, ...others] = rotatedLogs(operands);
  if (log === undefined || others.length > 0)
    throw new UsageError([`${operands.join(', ')} are not the files of one log: analyze each log alone.`]);
  const analysis = await analyzeFiles(logFiles(host, log), await ordered(host, log), settings);
  host.out.write(
    flags.json
      ? `${JSON.stringify(analysis)}\n`
      : analysisText(log.name === '-' ? 'standard input' : log.name, analysis, paint(flags.color)),
  );
  return analysis.outages.length === 0 ? exitCodes.done : exitCodes.failed;
};

const ordered = ({ files }: Host, { paths }: RotatedLog): Promise<readonly string[]> =>
  inOrder(files, paths).catch(asUsageError('the logs cannot be read'));

/** Standard input is touched only where it is asked for. */
function logFiles({ files, threads, input }: Host, { paths }: RotatedLog): LogFiles {
  return { files, threads, ...(paths.includes('-') ? { input: input.chunks(new AbortController().signal) } : {}) };
}
