import { boundedText } from '../../figures/figures.js';
import { inWords } from '../cells.ts';
import { type Markup, markup } from '../markup.ts';
import { type ReportedRun, type TrafficRow, trafficRows, wholeRun } from '../reported-run.ts';
import type { Span } from '../strip.ts';
import { stripSvg } from './strip-svg.ts';
import { across, acrossFor, timeAxis } from './time-axis.ts';

type Outage = ReportedRun['result']['episodes'][number];
type Scenario = ReportedRun['result']['scenarios'][number];

/**
 * The whole run: the scenarios' windows, each linked to its section, over the traffic; of several applications one
 * under the other.
 */
export function runPicture(run: ReportedRun): Markup | undefined {
  const { result, traffic } = run;
  const rows = trafficRows(run, wholeRun);
  const [first] = rows;
  if (first === undefined || traffic.intervalSeconds === undefined) return undefined;
  const { strip } = first;
  const rowHeight = stripHeight + (first.application === undefined ? 0 : nameHeight);
  const bottom = rowsTop + rows.length * rowHeight;
  const description = `${result.episodes.length} outages between ${result.run.startedAt} and ${result.run.finishedAt ?? 'the last fact'}. Each cell shows the worst of ${strip.secondsPerCell} s.`;
  return markup`<svg class="picture" width="100%" height="${bottom + 20}" role="group" aria-label="The run in time"><desc>${description}</desc>
${result.scenarios.map((scenario, index) => windowBand(scenario, index + 1, strip, bottom))}
${rows.map((row, index) => trafficRow(row, rowsTop + index * rowHeight))}
${timeAxis(strip, bottom)}</svg>`;
}

const rowsTop = 34;
/** The bars, and the signs of the outages under them. */
const stripHeight = 58;
const nameHeight = 16;

function trafficRow({ application, strip, outages }: TrafficRow, top: number): Markup {
  const y = top + (application === undefined ? 0 : nameHeight);
  return markup`${rowName(application, top + 12)}${stripSvg(strip, y, 44)}
${spread(outages, strip).map((outage) => outageSign(outage, strip, y + 46))}`;
}

/** The name of the application of a row; nothing for the only one. */
export const rowName = (application: string | undefined, y: number): Markup | undefined =>
  application === undefined ? undefined : markup`<text x="0" y="${y}">${application}</text>`;

function windowBand(
  { name, title, window, verdict }: Scenario,
  number: number,
  span: Span,
  height: number,
): Markup | undefined {
  if (window === null) return undefined;
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const place = { x: across(from, span), width: acrossFor(to - from, span) };
  return markup`<a href="#${name}" aria-label="${title}: ${inWords(verdict)}"><title>${number}. ${title}: ${inWords(verdict)}</title><rect class="window" x="${place.x}" width="${place.width}" y="0" height="${height}"/><rect class="band ${verdict}" x="${place.x}" width="${place.width}" y="0" height="22"/><text class="band-text middle" x="${across((from + to) / 2, span)}" y="15">${number}</text></a>
`;
}

function outageSign(outage: Outage, span: Span, y: number): Markup {
  const whose = outage.application === undefined ? '' : `${outage.application}: `;
  const words = `${whose}${boundedText(outage.span)} (${outage.kinds.join(', ')}) from ${outage.from}`;
  return markup`<svg x="${across(Date.parse(outage.from), span)}" y="${y}" overflow="visible"><path class="outage" d="M0 0l5 9h-10z"><title>${words}</title></path></svg>`;
}

/** Signs closer than this share of the width would overlap, so only the first is shown. */
const nearest = 0.01;

function spread(outages: readonly Outage[], { from, to }: Span): readonly Outage[] {
  const shown: Outage[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const outage of outages) {
    const at = Date.parse(outage.from);
    if (at < from || at > to || at - lastAt < (to - from) * nearest) continue;
    shown.push(outage);
    lastAt = at;
  }
  return shown;
}
