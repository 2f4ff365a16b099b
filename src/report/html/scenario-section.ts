import { type Bounded, boundedText, downtimeCell } from '../../figures/figures.js';
import type { ScenarioResult } from '../../validation/judge/run-result.ts';
import { whoseFinding } from '../applications.ts';
import { notMeasured } from '../cells.ts';
import { type Lifeline, lifelinesIn } from '../lifelines.ts';
import { type Mark, marksIn } from '../marks.ts';
import { type Markup, markup } from '../markup.ts';
import { type ReportedRun, type TrafficRow, trafficRows } from '../reported-run.ts';
import type { Strip } from '../strip.ts';
import { scenarioPicture } from './scenario-picture.ts';
import { badge, htmlTable } from './words.ts';

/** One scenario: its verdict, its numbers, its picture if it has one, and its findings. */
export function scenarioSection(
  scenario: ScenarioResult,
  number: number,
  run: ReportedRun,
  lives: readonly Lifeline[],
): Markup {
  const { name, title, expected, verdict, notApplicable } = scenario;
  const [first, ...further] = trafficRows(run, name);
  return markup`<article id="${name}"><header><h3>${number}. ${title}</h3>${badge(verdict)}</header>
<p class="quiet">Expected: ${expected}</p>
${notApplicable === undefined ? undefined : markup`<p>Nothing to disturb: ${notApplicable}.</p>\n`}${numbers(scenario)}${first === undefined ? undefined : figure(scenario, run, lives, [first, ...further])}${findingTable(scenario)}</article>
`;
}

function numbers(scenario: ScenarioResult): Markup | undefined {
  if (scenario.window === null) return undefined;
  const measured = [
    ...downtimeNumbers(scenario),
    ...time('Node replacement', scenario.nodeReplacement),
    ...time('Node ready', scenario.nodeReady),
    ...time('Pod ready', scenario.podReady),
    ...(scenario.nodesReplaced === null ? [] : [['Nodes replaced', `${scenario.nodesReplaced}`]]),
    ...(scenario.maxConcurrentDisruptions ? [['Disrupted at once', `${scenario.maxConcurrentDisruptions}`]] : []),
  ];
  return markup`<ul class="numbers">${measured.map(([what, value]) => markup`<li><span class="quiet">${what}</span><b>${value}</b></li>`)}</ul>
${scenario.predicted === null ? undefined : markup`<p>Predicted: ${scenario.predicted}</p>\n`}`;
}

function downtimeNumbers({ downtime }: ScenarioResult): readonly (readonly string[])[] {
  if (downtime === null) return [['Downtime', notMeasured]];
  return [
    ['Downtime', downtimeCell(downtime)],
    ['Samples', `${downtime.samples}`],
    ...(downtime.unknown === 0 ? [] : [['Unknown', `${downtime.unknown}`]]),
  ];
}

const time = (what: string, value: Bounded | null): readonly (readonly string[])[] =>
  value === null ? [] : [[what, boundedText(value)]];

/** More lanes are taller than a screen. */
const mostLanes = 24;

function figure(
  { title }: ScenarioResult,
  { facts }: ReportedRun,
  lives: readonly Lifeline[],
  rows: readonly [TrafficRow, ...TrafficRow[]],
): Markup {
  const [{ strip }] = rows;
  const marks = marksIn(facts, strip);
  const touched = lifelinesIn(lives, strip);
  const lifelines = touched.slice(0, mostLanes);
  const hidden = touched.length - lifelines.length;
  return markup`<figure>${scenarioPicture({ title, rows, marks, lifelines })}
<figcaption>${markList(marks, strip)}${hidden === 0 ? undefined : markup`<p>And ${hidden} more pods and nodes.</p>`}</figcaption></figure>
`;
}

function markList(marks: readonly Mark[], strip: Strip): Markup | undefined {
  const [first] = marks;
  if (first === undefined) return undefined;
  const items = marks.map(({ at, words }) => {
    const after = (at - first.at) / 1000;
    return markup`<li><b>${at === first.at ? `${new Date(at).toISOString().slice(11, 19)}Z` : `+${after.toFixed(1)} s`}</b> ${words}</li>\n`;
  });
  return markup`<ol class="marks">${items}</ol>${strip.secondsPerCell === 1 ? undefined : markup`<p>Each cell is ${strip.secondsPerCell} s.</p>`}`;
}

function findingTable(scenario: ScenarioResult): Markup | undefined {
  const { title, findings } = scenario;
  if (findings.length === 0) return undefined;
  const advised = findings.some(({ advice }) => advice !== '');
  const whose = findings.map(whoseFinding);
  const isOfSome = whose.some((of) => of !== '');
  const rows = findings.map(({ severity, expected, observed, advice }, index) => [
    ...(isOfSome ? [whose[index] || 'all'] : []),
    expected,
    observed,
    badge(outcomes[severity]),
    ...(advised ? [advice] : []),
  ]);
  const columns = [
    ...(isOfSome ? ['Application'] : []),
    'Expected',
    'Observed',
    'Outcome',
    ...(advised ? ['Advice'] : []),
  ];
  return htmlTable(`Findings of ${title}`, columns, rows);
}

const outcomes = { info: 'met', warning: 'inconclusive', error: 'not-met' } as const;
