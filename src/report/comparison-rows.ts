import { boundedText, downtimeCell } from '../figures/figures.js';
import type { Change } from '../validation/judge/run-result.ts';
import { inWords } from './cells.ts';
import type { ComparedFigure, ComparedRun, ComparedTime, Comparison } from './comparison.ts';
import { verdictWords } from './verdict.ts';

export const comparisonColumns = ['Scenario', 'Before', 'After', 'Change'] as const;

export interface ComparisonRow {
  readonly cells: readonly [string, string, string];
  readonly change: Change;
}

/** A row for each scenario with its verdict and downtime, and one below it for each further time that has changed. */
export function comparisonRows({ scenarios }: Pick<Comparison, 'scenarios'>): readonly ComparisonRow[] {
  return scenarios.flatMap(({ title, before, after, change, figures }) => {
    const downtime = figures.find(({ name }) => name === 'downtime');
    const further = figures.filter((figure) => figure.name !== 'downtime' && figure.change !== 'same');
    const first = [title, side(before, downtime?.before), side(after, downtime?.after)] as const;
    return [{ cells: first, change }, ...further.map(figureRow)];
  });
}

const side = (verdict: Parameters<typeof inWords>[0], downtime: ComparedTime | null | undefined): string =>
  downtime ? `${inWords(verdict)}, ${figureText(downtime)}` : inWords(verdict);

const figureRow = ({ name, before, after, change }: ComparedFigure): ComparisonRow => ({
  cells: [`– ${figureWords[name]}`, figureText(before), figureText(after)],
  change,
});

const figureWords = { downtime: 'downtime', nodeReplacement: 'node replacement time', podReady: 'pod ready time' };

function figureText(figure: ComparedTime | null): string {
  if (figure === null) return 'n/a';
  const { span, ...rest } = figure;
  return span === undefined ? boundedText(figure) : downtimeCell({ span, ...rest });
}

/** What changed the whole, to be said after `WORSE:` and its like. */
export function comparisonSentence({ change, scenarios, criteria }: Comparison): string {
  const named = (wanted: Change): readonly string[] => [
    ...scenarios.filter((one) => one.change === wanted).map(({ title }) => title),
    ...criteria.filter((one) => one.change === wanted).map(({ number }) => `criterion ${number}`),
  ];
  if (change === 'same') return 'nothing is better or worse beyond the bounds';
  const better = named('better').join(', ');
  if (change === 'better') return better;
  return `${named('worse').join(', ')}${better === '' ? '' : `; better: ${better}`}`;
}

/** The criteria with another outcome, a sentence each. */
export const criterionSentences = ({ criteria }: Comparison): readonly string[] =>
  criteria
    .filter(({ before, after }) => before !== after)
    .map(
      ({ number, text, before, after }) => `Criterion ${number} (${text}) was ${inWords(before)}, is ${inWords(after)}`,
    );

export const comparedRunSentence = (run: ComparedRun): string =>
  `${run.id}, ${run.startedAt.slice(0, 19).replace('T', ' ')}Z: ${verdictWords(run)}`;

/** The limits of a comparison of two single runs. */
export const oneRunEach =
  'The bounds are those of the measurement. Two runs of the same application differ too: validate --repeat shows by how much.';
