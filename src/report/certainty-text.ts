import { percentText } from '../figures/figures.js';
import type { Analysis } from '../validation/downtime/analyze.ts';
import { availabilityText, type Doubt, doubtOf, usualShare } from '../validation/downtime/certainty.ts';
import { hasTotal } from '../validation/loop-log/layout.ts';
import { printable } from './printable.ts';

/** Without the outages, which are printed elsewhere. */
type Judged = Omit<Analysis, 'outages'>;

/** For the first line of an analysis: the share that may be unknown. */
export const allowedText = (maxUnknown: number | undefined): string =>
  `${percentText(maxUnknown ?? usualShare)} may be unknown`;

/** The conclusion of an analysis without an outage, or why none is possible; empty if there was an outage. */
export function verdictLines(
  analysis: Judged,
  maxUnknown: number | undefined,
): readonly { readonly text: string; readonly isGood: boolean }[] {
  const doubt = doubtOf({ ...analysis, outages: analysis.episodes }, maxUnknown);
  if (doubt !== undefined) return [{ text: doubtText(doubt, maxUnknown), isGood: false }];
  return analysis.episodes.length === 0 ? [{ text: 'No outage.', isGood: true }] : [];
}

function doubtText(doubt: Doubt, maxUnknown = usualShare): string {
  if ('unread' in doubt)
    return `Not to be said: ${percentText(doubt.unread)} of the lines were not understood, and an outage may be in them.`;
  return `Not to be said: ${percentText(doubt.unknown)} of the probes are unknown, and ${percentText(maxUnknown)} may be (--max-unknown).`;
}

/** How much of the log was understood, and as what. */
export function readingLines({ log, unread, columns, availability }: Judged): readonly string[] {
  const { lines, ofLines, first } = unread;
  return [
    `Availability ${availabilityText(availability)}.`,
    ...(lines === 0 ? [] : [`${lines} of ${ofLines} lines were not understood; the first: ${printable(first ?? '')}`]),
    ...(log.format === 'curl' ? columnsTexts(columns) : []),
  ];
}

function columnsTexts(columns: Analysis['columns']): readonly string[] {
  return [
    `Its columns were read as ${columns.join()}; --columns names others.`,
    ...(hasTotal(columns) ? [] : ['Its lines do not have the time of an answer, so a slow one is not seen.']),
  ];
}
