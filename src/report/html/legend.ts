import { type Markup, markup } from '../markup.ts';

/** The legend of the traffic's bars. */
export const trafficLegend: Markup = markup`<ul class="legend">${trafficSwatch('good', 'answered in time', 6)}${trafficSwatch('slow', 'slow', 3)}${trafficSwatch('bad', 'failed', 0)}${trafficSwatch('unknown', 'unknown', 8, 1)}<li><svg width="12" height="10"><path class="outage" d="M6 0l5 9H1z"/></svg> outage begins</li></ul>`;

/** The legend of a scenario's marks and lanes. */
export const storyLegend: Markup = markup`<ul class="legend"><li>Numbered marks: an action (filled), the cluster settled, an undo.</li><li>Lines under the bars: the longest (thin) and the shortest (thick) that an outage can have been.</li>${laneSwatch('not-ready', 'not ready', 5, 2)}${laneSwatch('ready', 'ready', 2, 8)}${laneSwatch('leaving', 'leaving', 2, 8)}</ul>`;

function trafficSwatch(name: string, words: string, top: number, height = 10 - top): Markup {
  return markup`<li><svg width="12" height="12" viewBox="0 0 12 10" preserveAspectRatio="none"><path class="${name}" d="M0 ${top}h12v${height}H0z"/></svg> ${words}</li>`;
}

function laneSwatch(name: string, words: string, y: number, height: number): Markup {
  return markup`<li><svg width="24" height="12"><rect class="${name}" x="1" y="${y}" width="22" height="${height}"/></svg> ${words}</li>`;
}
