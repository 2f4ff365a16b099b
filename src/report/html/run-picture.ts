import { inWords, seconds } from '../cells.ts';
import { type Markup, markup } from '../markup.ts';
import { type ReportedRun, wholeRun } from '../reported-run.ts';
import type { Span } from '../strip.ts';
import { stripSvg } from './strip-svg.ts';
import { across, acrossFor, timeAxis } from './time-axis.ts';

type Outage = ReportedRun['result']['episodes'][number];
type Scenario = ReportedRun['result']['scenarios'][number];

/** The whole run: the scenarios' windows, each linked to its section, over the traffic. */
export function runPicture({ result, traffic }: ReportedRun): Markup | undefined {
  const strip = traffic.strips.get(wholeRun);
  if (strip === undefined || traffic.intervalSeconds === undefined) return undefined;
  const description = `${result.episodes.length} outages between ${result.run.startedAt} and ${result.run.finishedAt ?? 'the last fact'}. Each cell shows the worst of ${strip.secondsPerCell} s.`;
  return markup`<svg class="picture" width="100%" height="112" role="group" aria-label="The run in time"><desc>${description}</desc>
${result.scenarios.map((scenario, index) => windowBand(scenario, index + 1, strip))}
${stripSvg(strip, 34, 44)}
${spread(result.episodes, strip).map((outage) => outageSign(outage, strip))}
${timeAxis(strip, 92)}</svg>`;
}

function windowBand({ name, title, window, verdict }: Scenario, number: number, span: Span): Markup | undefined {
  if (window === null) return undefined;
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const place = { x: across(from, span), width: acrossFor(to - from, span) };
  return markup`<a href="#${name}" aria-label="${title}: ${inWords(verdict)}"><title>${number}. ${title}: ${inWords(verdict)}</title><rect class="window" x="${place.x}" width="${place.width}" y="0" height="92"/><rect class="band ${verdict}" x="${place.x}" width="${place.width}" y="0" height="22"/><text class="band-text middle" x="${across((from + to) / 2, span)}" y="15">${number}</text></a>
`;
}

function outageSign(outage: Outage, span: Span): Markup {
  const whose = outage.application === undefined ? '' : `${outage.application}: `;
  const words = `${whose}${seconds(outage.spanSeconds)} (${outage.kinds.join(', ')}) from ${outage.from}`;
  return markup`<svg x="${across(Date.parse(outage.from), span)}" y="80" overflow="visible"><path class="outage" d="M0 0l5 9h-10z"><title>${words}</title></path></svg>`;
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
