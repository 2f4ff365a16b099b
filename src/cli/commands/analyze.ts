import * as z from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import { expectedStatus } from '../../settings/expected-status.ts';
import { duration } from '../../settings/read-settings.ts';
import { share } from '../../settings/share.ts';
import { analyzeFiles } from '../../validation/downtime/analyze.ts';
import { analyzeVantages, type VantageLog } from '../../validation/downtime/analyze-vantages.ts';
import { doubtOf, type Judgeable } from '../../validation/downtime/certainty.ts';
import type { AnalyzeSettings } from '../../validation/downtime/measure-log.ts';
import type { LogFiles } from '../../validation/downtime/read-plain-log.ts';
import { inOrder, type RotatedLog, rotatedLogs } from '../../validation/downtime/rotated-logs.ts';
import { vantageNames } from '../../validation/downtime/vantage-names.ts';
import { type VantageRule, vantageRules } from '../../validation/downtime/vantage-rule.ts';
import { parseColumns } from '../../validation/loop-log/columns.ts';
import { withSpanOf, withSpans } from '../../validation/window-downtime.ts';
import { asUsageError } from '../command/as-usage-error.ts';
import type { Perform, RawArguments } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { jsonPieces } from '../command/json-pieces.ts';
import { pageOf } from '../command/page.ts';
import { readFlags } from '../command/read-flags.ts';
import { analysisText, vantagesText } from './analysis-text.ts';

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
const loopColumns = z.string().transform((text, context) => {
  const read = parseColumns(text);
  if (!('mistake' in read)) return read.columns;
  context.issues.push({ code: 'custom', message: read.mistake, input: text });
  return z.NEVER;
});
const schema = z.strictObject({
  slow: duration.optional(),
  expect: expectedStatus.optional(),
  from: instant.optional(),
  to: instant.optional(),
  rule: z.enum(vantageRules).default('any'),
  columns: loopColumns.optional(),
  maxUnknown: share.optional(),
});

/**
 * `analyze LOG…`: the outages in a downtime log, whose rotated files may be given with it, or in those of several
 * probers. 0 without one, 1 with one, 2 if a file is not a downtime log or its columns cannot be told apart, 4 if too
 * much of it is unknown or was not understood.
 */
export const analyze: Perform = async (context, { options, operands }) => {
  const { rule, maxUnknown, ...flags } = readFlags(schema, options);
  const settings = settingsOf(flags);
  const [log, ...others] = rotatedLogs(operands);
  if (log === undefined) throw new UsageError(['LOG is missing: name a downtime log, or - for standard input.']);
  return others.length === 0
    ? analyzeOne(context, log, settings, maxUnknown)
    : analyzeSeveral(context, [log, ...others], { rule, maxUnknown }, settings);
};

function settingsOf({
  slow,
  expect,
  from,
  to,
  columns,
}: Omit<z.output<typeof schema>, 'rule' | 'maxUnknown'>): AnalyzeSettings {
  return {
    ...(slow === undefined ? {} : { slowSeconds: slow }),
    ...(expect === undefined ? {} : { expect }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(columns === undefined ? {} : { columns }),
  };
}

/** All mistakes are one `UsageError`. */
export const analyzeSettings = (raw: RawArguments['options']): AnalyzeSettings =>
  settingsOf(readFlags(schema.omit({ rule: true, maxUnknown: true }), raw));

async function analyzeOne(
  { host, flags }: Context,
  log: RotatedLog,
  settings: AnalyzeSettings,
  maxUnknown: number | undefined,
): Promise<number> {
  const analysis = await analyzeFiles(logFiles(host, log), await ordered(host, log), settings);
  if (flags.json) {
    for (const piece of jsonPieces(analysis, { episodes: withSpanOf })) host.out.write(piece);
    host.out.write('\n');
  } else
    host.out.write(
      analysisText(log.name === '-' ? 'standard input' : log.name, analysis, maxUnknown, pageOf({ host, flags })),
    );
  return analysisExit(analysis, maxUnknown);
}

/** Each log is of a prober of its own. */
async function analyzeSeveral(
  { host, flags }: Context,
  logs: readonly RotatedLog[],
  { rule, maxUnknown }: { readonly rule: VantageRule; readonly maxUnknown: number | undefined },
  settings: AnalyzeSettings,
): Promise<number> {
  const names = vantageNames(logs.map(({ name }) => name));
  const vantages: VantageLog[] = [];
  for (const [index, log] of logs.entries())
    vantages.push({
      name: names[index] ?? log.name,
      log: log.name,
      from: logFiles(host, log),
      paths: await ordered(host, log),
    });
  const analysis = await analyzeVantages(vantages, rule, settings);
  host.out.write(
    flags.json
      ? `${JSON.stringify(withSpans(analysis))}\n`
      : vantagesText(analysis, maxUnknown, pageOf({ host, flags })),
  );
  return analysisExit(analysis, maxUnknown);
}

/** 0 without an outage, 1 with one, 4 where the log does not show it. */
export function analysisExit(analysis: Judgeable, maxUnknown: number | undefined): number {
  if (doubtOf(analysis, maxUnknown) !== undefined) return exitCodes.inconclusive;
  return analysis.outages.length === 0 ? exitCodes.done : exitCodes.failed;
}

const ordered = ({ files }: Host, { paths }: RotatedLog): Promise<readonly string[]> =>
  inOrder(files, paths).catch(asUsageError('the logs cannot be read', 'name other files'));

/** Standard input is touched only where it is asked for. */
function logFiles({ files, threads, input }: Host, { paths }: RotatedLog): LogFiles {
  return { files, threads, ...(paths.includes('-') ? { input: input.chunks(new AbortController().signal) } : {}) };
}
