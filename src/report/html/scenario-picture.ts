import { boundedText, secondsText } from '../../figures/figures.js';
import { spanOfEpisode } from '../../validation/window-downtime.ts';
import type { Lifeline } from '../lifelines.ts';
import type { Mark } from '../marks.ts';
import { type Markup, markup } from '../markup.ts';
import type { TrafficRow } from '../reported-run.ts';
import type { Strip } from '../strip.ts';
import { rowName } from './run-picture.ts';
import { stripSvg } from './strip-svg.ts';
import { across, acrossFor, timeAxis } from './time-axis.ts';

/** The input of a scenario's picture. */
export interface ScenarioStory {
  readonly title: string;
  /** One for each application. */
  readonly rows: readonly [TrafficRow, ...TrafficRow[]];
  readonly marks: readonly Mark[];
  readonly lifelines: readonly Lifeline[];
}

/**
 * One scenario: its marks, the traffic and the bounds of the outages of each application, and the stages of pods and
 * nodes.
 */
export function scenarioPicture({ title, rows, marks, lifelines }: ScenarioStory): Markup {
  const [{ strip }] = rows;
  const heights = markRows(marks, strip);
  const rowsTop = 8 + 20 * Math.max(1, ...heights);
  const topOf = (index: number) => rows.slice(0, index).reduce((top, row) => top + heightOf(row), rowsTop);
  const lanesTop = topOf(rows.length);
  const bottom = lanesTop + lifelines.length * laneHeight + 6;
  const zeroAt = marks[0]?.at ?? strip.from;
  const outages = rows.reduce((sum, row) => sum + row.outages.length, 0);
  return markup`<svg class="picture" width="100%" height="${bottom + 20}" role="img" aria-label="${title} in time: ${outages} outages, ${marks.length} events, ${lifelines.length} pods and nodes">
${marks.map(({ at }) => markup`<line class="mark-line" x1="${across(at, strip)}" x2="${across(at, strip)}" y1="10" y2="${bottom}"/>`)}
${rows.map((row, index) => rowSvg(row, topOf(index)))}
${lifelines.map((life, index) => laneSvg(life, strip, lanesTop + index * laneHeight))}
${marks.map((mark, index) => markSvg(mark, index + 1, strip, 20 * (heights[index] ?? 1) - 8))}
${timeAxis(strip, bottom, zeroAt)}</svg>`;
}

const nameHeight = 16;
const nameOf = ({ application }: TrafficRow): number => (application === undefined ? 0 : nameHeight);
const heightOf = (row: TrafficRow): number => nameOf(row) + 44 + (row.outages.length === 0 ? 0 : 16);

function rowSvg(row: TrafficRow, top: number): Markup {
  const y = top + nameOf(row);
  const { application, strip, outages } = row;
  return markup`${rowName(application, top + 12)}${stripSvg(strip, y, 40)}
${outages.slice(0, mostOutages).map((outage) => boundsSvg(outage, strip, y + 48))}`;
}

const laneHeight = 26;
/** More bounds cannot be distinguished. */
const mostOutages = 60;
/** The share of the width that a numbered mark needs on a phone. */
const markWidth = 0.055;

/** The first row, from 1, in which each mark does not overlap the earlier ones. */
function markRows(marks: readonly Mark[], { from, to }: Strip): readonly number[] {
  const ends: number[] = [];
  return marks.map(({ at }) => {
    const share = (at - from) / (to - from);
    const free = ends.findIndex((end) => end <= share);
    const row = free === -1 ? ends.length : free;
    ends[row] = share + markWidth;
    return row + 1;
  });
}

function markSvg({ at, kind, words }: Mark, number: number, strip: Strip, y: number): Markup {
  const x = across(at, strip);
  return markup`<g class="mark ${kind}"><title>${words}</title><circle cx="${x}" cy="${y}" r="8"/><text class="middle" x="${x}" y="${y + 4}">${number}</text></g>
`;
}

/** The thin line is the upper bound of the outage, the thick one its lower bound. */
function boundsSvg(outage: TrafficRow['outages'][number], strip: Strip, y: number): Markup {
  const [from, to] = [Date.parse(outage.from), Date.parse(outage.to)];
  const { upperSeconds, lowerSeconds } = outage;
  const words = `${boundedText(spanOfEpisode(outage))} of downtime: ${outage.kinds.join(', ')}`;
  return markup`<g class="bounds"><title>${words}</title><line class="upper" x1="${across(to - upperSeconds * 1000, strip)}" x2="${across(to, strip)}" y1="${y}" y2="${y}"/><line class="lower" x1="${across(from, strip)}" x2="${across(from + lowerSeconds * 1000, strip)}" y1="${y}" y2="${y}"/><circle cx="${across(from, strip)}" cy="${y}" r="3"/></g>
`;
}

const stageHeights = { 'not-ready': 2, ready: 8, leaving: 8 } as const;

function laneSvg({ kind, name, stages }: Lifeline, strip: Strip, y: number): Markup {
  const bars = stages.map(({ state, from, to }) => {
    const height = stageHeights[state];
    const words = `${name}: ${state.replace('-', ' ')}, ${secondsText((to - from) / 1000)}`;
    return markup`<rect class="${state}" x="${across(from, strip)}" width="${acrossFor(to - from, strip)}" y="${y + 16 + (8 - height) / 2}" height="${height}"><title>${words}</title></rect>`;
  });
  return markup`<g class="lane"><text x="0" y="${y + 11}">${kind === 'Pod' ? 'pod' : 'node'} ${name}</text>${bars}</g>
`;
}
