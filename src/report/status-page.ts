import { boundedText, shareText } from '../figures/figures.js';
import { availabilityText } from '../validation/downtime/certainty.ts';
import { spanOfEpisode } from '../validation/window-downtime.ts';
import type { Day, TargetStatus } from './daily.ts';
import { style, styleHash } from './html/style.ts';
import { type Markup, markup, sourceOf } from './markup.ts';

export interface StatusPage {
  /** The worst first, as they are shown. */
  readonly targets: readonly TargetStatus[];
  /** When it was made, epoch milliseconds. */
  readonly madeAt: number;
  /** The log is still written: a browser loads the page again after so many seconds. */
  readonly refreshSeconds?: number;
}

/** A target without a sample for so long is one of which nothing is known: three times the usual timeout of a probe. */
const silentMs = 30_000;
/** Of each target. */
const mostEpisodes = 10;

/**
 * The targets of a monitor with their availability, day by day, and their outages with bounds, as one file without
 * scripts and network requests.
 */
export function statusPage(page: StatusPage): string {
  return `<!DOCTYPE html>\n${sourceOf(document(page))}`;
}

function document({ targets, madeAt, refreshSeconds }: StatusPage): Markup {
  const refresh =
    refreshSeconds === undefined ? undefined : markup`<meta http-equiv="refresh" content="${refreshSeconds}"/>`;
  const sorted = targets.toSorted((one, other) => rank(one, madeAt) - rank(other, madeAt) || lower(one) - lower(other));
  return markup`<html lang="en"><head><meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/><meta name="color-scheme" content="light dark"/>${refresh}
<title>${headline(targets, madeAt)}</title>
<style>${style}</style>
</head><body><main>
${summary(targets, madeAt)}${sorted.map((target) => section(target, madeAt))}</main>
<footer class="quiet"><p>Availability is from what is sure to what is possible: time of which nothing is known may be either. An outage is a run of failed or slow answers; its bounds are the shortest and the longest that it can have been. All times are UTC.</p></footer>
</body></html>
`;
}

const isSilent = ({ lastAt }: TargetStatus, madeAt: number): boolean => madeAt - lastAt > silentMs;
const isDown = (target: TargetStatus, madeAt: number): boolean => !target.isUp && !isSilent(target, madeAt);
const rank = (target: TargetStatus, madeAt: number): number =>
  isDown(target, madeAt) ? 0 : isSilent(target, madeAt) ? 1 : 2;
const lower = ({ availability }: TargetStatus): number => availability?.lower ?? 0;
const moment = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

function headline(targets: readonly TargetStatus[], madeAt: number): string {
  const down = targets.filter((target) => isDown(target, madeAt)).length;
  const silent = targets.filter((target) => isSilent(target, madeAt)).length;
  if (down > 0) return `${down} of ${targets.length} down`;
  if (silent > 0) return `${silent} of ${targets.length} without samples`;
  return targets.length === 1 ? 'Up' : `All ${targets.length} up`;
}

function summary(targets: readonly TargetStatus[], madeAt: number): Markup {
  const worst = Math.min(...targets.map((target) => rank(target, madeAt)));
  const state = ['fail', 'inconclusive', 'pass'][worst] ?? 'inconclusive';
  return markup`<header class="${state}"><h1>Status</h1><p class="verdict ${state}">${headline(targets, madeAt)}</p>
<p class="quiet">as of ${moment(madeAt)} UTC</p></header>
`;
}

function section(target: TargetStatus, madeAt: number): Markup {
  const { days, episodes } = target;
  const shown = episodes.slice(0, mostEpisodes);
  const more = episodes.length - shown.length;
  return markup`<section><h2>${target.target} ${state(target, madeAt)}</h2>
<p>${availabilityWords(target)}</p>
<figure>${bars(days)}<figcaption>${days[0]?.date ?? ''} to ${days.at(-1)?.date ?? ''}, a bar a day: short where all was well, tall where it was down, a dash where nothing is known</figcaption></figure>
${shown.length === 0 ? markup`<p class="quiet">No outage.</p>` : table(shown)}${more > 0 ? markup`<p class="quiet">and ${more} more</p>` : undefined}</section>
`;
}

/** `99.98 % available in 90 days`, or in those of them that were measured. */
function availabilityWords({ availability, days }: TargetStatus): string {
  if (availability === null) return `Nothing was measured in ${days.length} days`;
  const measured = days.filter((day) => day.availability !== null).length;
  const part =
    measured === 1 ? `the day of ${days.length} that was` : `the ${measured} days of ${days.length} that were`;
  return `${availabilityText(availability)} available in ${measured === days.length ? `${measured} days` : `${part} measured`}`;
}

function state(target: TargetStatus, madeAt: number): Markup {
  if (isSilent(target, madeAt))
    return markup`<span class="badge inconclusive">? no samples since ${moment(target.lastAt)}</span>`;
  return target.isUp ? markup`<span class="badge pass">✓ up</span>` : markup`<span class="badge fail">✗ down</span>`;
}

const barWidth = 10;
const barHeight = 40;

/** A day with downtime is taller than one without, so that the picture does not need colour. */
function bars(days: readonly Day[]): Markup {
  const width = days.length * barWidth;
  return markup`<svg class="picture" width="100%" height="${barHeight}" viewBox="0 0 ${width} ${barHeight}" preserveAspectRatio="none" role="img" aria-label="${daysText(days)}">${days.map(
    (day, index) => {
      const { name, top, bottom } = barOf(day);
      return markup`<rect class="${name}" x="${index * barWidth + 1}" y="${top}" width="${barWidth - 2}" height="${bottom - top}"><title>${dayText(day)}</title></rect>`;
    },
  )}</svg>`;
}

function barOf({ availability, downtime, unknownSeconds }: Day) {
  if (availability === null) return { name: 'unknown', top: barHeight - 4, bottom: barHeight - 2 };
  if (downtime.upperSeconds > 0) return { name: 'bad', top: 0, bottom: barHeight };
  if (unknownSeconds > mostUnknownSeconds) return { name: 'unknown', top: barHeight / 2, bottom: barHeight - 2 };
  return { name: 'good', top: barHeight / 2, bottom: barHeight };
}

/** A twentieth of a day, as where an analysis says that it is not to be said. */
const mostUnknownSeconds = 0.05 * 24 * 3600;

function dayText({ date, availability, downtime }: Day): string {
  if (availability === null) return `${date}: nothing was measured`;
  const { lowerSeconds, upperSeconds } = downtime;
  const down = { seconds: (lowerSeconds + upperSeconds) / 2, lowerSeconds, upperSeconds };
  return `${date}: ${availabilityText(availability)}${upperSeconds > 0 ? `, down for ${boundedText(down)}` : ''}`;
}

function daysText(days: readonly Day[]): string {
  const down = days.filter(({ downtime }) => downtime.upperSeconds > 0).length;
  const seen = days.filter(({ availability }) => availability !== null).length;
  return `${seen} of ${days.length} days were measured, and ${down} had downtime`;
}

function table(episodes: TargetStatus['episodes']): Markup {
  return markup`<div class="wide"><table><thead><tr><th>Outage from (UTC)</th><th>Downtime</th><th>Requests</th><th>Kind</th></tr></thead><tbody>${episodes.map(
    (episode) => {
      const { from, share, shareLower = 0, shareUpper = 1, kinds, openAtEnd } = episode;
      const part = share === undefined ? 'all' : shareText({ part: share, lower: shareLower, upper: shareUpper });
      const open = openAtEnd ? ', not over' : '';
      return markup`<tr><td>${from.slice(0, 19).replace('T', ' ')}</td><td>${boundedText(spanOfEpisode(episode))}${open}</td><td>${part}</td><td>${kinds.join(', ')}</td></tr>`;
    },
  )}</tbody></table></div>
`;
}
