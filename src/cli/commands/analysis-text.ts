import { boundedText, downtimeText, shareText } from '../../figures/figures.js';
import { causeTexts } from '../../report/cause-texts.ts';
import { allowedText, readingLines, verdictLines } from '../../report/certainty-text.ts';
import { printable } from '../../report/printable.ts';
import { ruleTexts, seenTexts } from '../../report/vantage-texts.ts';
import { wrapAll } from '../../report/wrap.ts';
import { formatDuration } from '../../settings/duration.ts';
import type { Analysis, AnalyzedEpisode } from '../../validation/downtime/analyze.ts';
import type { AnalyzedVantage, VantageAnalysis } from '../../validation/downtime/analyze-vantages.ts';
import type { SeenBy } from '../../validation/downtime/vantages.ts';
import { spanOfEpisode } from '../../validation/window-downtime.ts';
import type { Page } from '../command/page.ts';
import type { Paint } from '../command/text.ts';

const tableColumns = 80;
/** The width of the last column: 80 minus the other columns. */
const kindsColumns = 22;

/**
 * An analysis for people, at most 80 columns wide unless a URL is longer; on a terminal that is narrower, as wide as
 * that.
 */
export function analysisText(path: string, analysis: Analysis, maxUnknown: number | undefined, page: Page): string {
  const { format, intervalSeconds } = analysis.log;
  const source = format === 'holdfast' ? 'a downtime log of holdfast' : "a curl loop's log";
  const head = `${printable(path)}, ${source}: a probe every ${every(intervalSeconds)}`;
  return measuredText(head, analysis, maxUnknown, page);
}

/** The same of several probers, and of each by itself. */
export function vantagesText(analysis: VantageAnalysis, maxUnknown: number | undefined, page: Page): string {
  const { vantages, rule, log } = analysis;
  const head = `${vantages.length} vantage points, ${ruleTexts[rule]}: a probe every ${every(log.intervalSeconds)}`;
  const each = ['Each by itself:', ...vantages.flatMap(vantageLines)].flatMap(fitIn(page));
  return `${measuredText(head, analysis, maxUnknown, page)}\n${each.join('\n')}\n`;
}

function vantageLines({ name, log, samples, unknown, downtime, clockSteps }: AnalyzedVantage): readonly string[] {
  const file = name === log ? '' : ` (${printable(log)})`;
  return [
    `${printable(name)}${file}, ${samples} samples, ${unknown} unknown`,
    `  ${total(downtime)}`,
    ...clockLines(clockSteps).map((line) => `  ${line}`),
  ];
}

const fitIn =
  ({ isBroken, columns }: Page) =>
  (text: string): readonly string[] =>
    isBroken ? wrapAll(text, columns) : [text];

function measuredText(
  head: string,
  analysis: Omit<Analysis, 'outages'>,
  maxUnknown: number | undefined,
  page: Page,
): string {
  const { log, downtime, targets, episodes, latency } = analysis;
  const { paint, columns, isBroken } = page;
  const fit = fitIn(page);
  const heading = [
    `${head}, ${allowedText(maxUnknown)}`,
    `${moment(log.from)} to ${moment(log.to)} UTC, ${log.samples} samples, ${log.unknown} unknown`,
    `latency  p50 ${seconds(latency.p50)}  p90 ${seconds(latency.p90)}  p99 ${seconds(latency.p99)}  max ${seconds(latency.max)} s`,
  ];
  const rows = isBroken && columns < tableColumns ? episodes.flatMap(narrowRow).flatMap(fit) : table(episodes, paint);
  const lines = [
    ...heading.flatMap(fit),
    '',
    ...(episodes.length === 0 ? [] : [...rows, '', ...totals(downtime, targets).flatMap(fit).map(paint.bad)]),
    ...verdictLines(analysis, maxUnknown).flatMap(({ text, isGood }) => fit(text).map(isGood ? paint.good : paint.bad)),
    ...[...readingLines(analysis), ...caveats(log), ...clockLines(log.clockSteps)].flatMap(fit),
  ];
  return `${lines.join('\n')}\n`;
}

/** Without room for a table: the start of each outage, and its duration in the line below. */
function narrowRow(episode: SeenEpisode): readonly string[] {
  const { from, samples, kinds } = episode;
  return [
    `Outage from ${moment(from)} UTC`,
    `  ${boundedText(spanOfEpisode(episode))}, ${requests(episode)} of the requests, ${samples} bad: ${kinds.join(', ')}`,
    ...notes(episode),
  ];
}

function table(episodes: readonly AnalyzedEpisode[], paint: Paint): readonly string[] {
  const head = `${'Outage from (UTC)'.padEnd(25)}${'Downtime'.padEnd(17)}${'Requests'.padEnd(10)}  Bad  Kind`;
  return [paint.strong(head), ...episodes.flatMap(row)];
}

function row(episode: SeenEpisode): readonly string[] {
  const { from, samples, kinds } = episode;
  const figures = `${boundedText(spanOfEpisode(episode)).padEnd(17)}${requests(episode).padEnd(9)}`;
  const [first = '', ...more] = wrapped(kinds);
  const further = more.map((words) => `${' '.repeat(58)} ${words}`);
  return [`${moment(from)}  ${figures}${String(samples).padStart(6)}  ${first}`, ...further, ...notes(episode)];
}

/** With several probers the share is unknown, because each of them saw other requests fail. */
function requests({ share, shareLower = 0, shareUpper = 1, outages }: AnalyzedEpisode): string {
  if (share !== undefined) return shareText({ part: share, lower: shareLower, upper: shareUpper });
  return outages > 1 ? 'a part' : 'all';
}

/** With several probers, for whom. */
type SeenEpisode = AnalyzedEpisode & Partial<SeenBy>;

function notes({ samples, openAtStart, openAtEnd, target, causes, ...rest }: SeenEpisode): readonly string[] {
  return [
    ...(causes === undefined ? [] : [`  ${causes.map((cause) => causeTexts[cause] ?? cause).join('; ')}`]),
    ...(openAtStart ? ['  it had begun before the log'] : []),
    ...(openAtEnd ? ['  it had not ended when the log ended'] : []),
    ...(samples === 0 ? ['  seen by the faster probes alone'] : []),
    ...(target === undefined ? [] : [`  ${named(target)}`]),
    ...seenTexts(rest).map((text) => `  ${printable(text)}`),
  ];
}

function wrapped(kinds: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const [index, kind] of kinds.entries()) {
    const word = index === kinds.length - 1 ? kind : `${kind},`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > kindsColumns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** One total for each target: the sum over targets means nothing. */
function totals(downtime: Analysis['downtime'], targets: Analysis['targets'] = []): readonly string[] {
  if (targets.length === 0) return [total(downtime)];
  return targets.flatMap(({ target, downtime: its }) => [`${named(target)}:`, `  ${total(its)}`]);
}

function total(downtime: Analysis['downtime']): string {
  const text = downtimeText(downtime);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What the log cannot show (docs/contract.md, "The downtime log"). */
function caveats({
  format,
  intervalSeconds,
  edgesSeconds,
  resolutionSeconds,
  unknown,
}: Analysis['log']): readonly string[] {
  const coarse = `The log's times are whole seconds, so the bounds are ${resolutionSeconds} s wider on either side.`;
  const blind = [
    edgesSeconds === undefined
      ? `An outage shorter than ${every(intervalSeconds)} may have been missed.`
      : `An outage shorter than ${every(intervalSeconds)} may have been missed; while there were faster probes, one shorter than ${every(edgesSeconds)}.`,
    ...(resolutionSeconds === undefined ? [] : [coarse]),
  ];
  if (unknown === 0) return blind;
  const what = `${unknown} ${unknown === 1 ? 'probe is' : 'probes are'} missing: for their time the target is neither up nor down.`;
  const why = 'A curl loop waits for each answer, so that downtime in these gaps may be missed.';
  return [...blind, what, ...(format === 'curl' ? [why] : [])];
}

/** More of them are only counted. */
const mostClockLines = 3;

/** `set back by 60.000 s`. */
export const setText = (ahead: number): string =>
  `set ${ahead < 0 ? 'back' : 'ahead'} by ${seconds(Math.abs(ahead))} s`;

/** How setting the clock changed the times of the log. */
function clockLines(steps: Analysis['log']['clockSteps'] = []): readonly string[] {
  const said = steps.slice(0, mostClockLines).map(({ at, seconds: set }) => {
    const sense =
      set < 0 ? 'until it is set ahead again, times are those of the old clock.' : 'an outage then has the new times.';
    return `The clock was ${setText(set)} after ${moment(at)} UTC: ${sense}`;
  });
  const more = steps.length - said.length;
  return more === 0 ? said : [...said, `It was set ${more} more ${more === 1 ? 'time' : 'times'}.`];
}

/** A curl loop's log does not say what it asks. */
const named = (target: string) => (target === '' ? "the curl loop's target" : printable(target));

const every = (length: number) => formatDuration(Math.round(length * 1000) / 1000);
const moment = (instant: string) => instant.replace('T', ' ').replace('Z', '');
const seconds = (value: number | null) => (value === null ? '-' : value.toFixed(3));
