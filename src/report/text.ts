import type { Finding } from '../validation/finding.ts';
import type { Criterion, RunResult, Verdict } from '../validation/judge/run-result.ts';
import { againstColumns, againstSentence, againstTables } from './against.ts';
import { applicationColumns, applicationRows } from './applications.ts';
import { assumptionRows, placeText } from './assumptions.ts';
import { accuracy, inWords, resultColumns, resultRows, runSentence } from './cells.ts';
import { frontDoorAdvice, frontDoorTable } from './front-doors.ts';
import { notRehearsedColumns, notRehearsedRows } from './not-rehearsed.ts';
import { printable } from './printable.ts';
import { type Paint, plainScreen, type Screen } from './screen.ts';
import { type Cell, type Row, rule, table } from './table.ts';
import { notUndone, troubles, verdictReasons, verdictWords } from './verdict.ts';
import { wrap, wrapAll } from './wrap.ts';

/**
 * The report for a terminal: the verdict, the specification's table, the six criteria, then what deserves a look: what
 * was not undone, errors and warnings.
 */
export function reportText(result: RunResult, given: Partial<Screen> = {}): string {
  const screen = { ...plainScreen, ...given };
  const faint = (text: string) => lines(text, screen).map(screen.paint.faint).join('\n');
  const parts = [
    verdictText(result, screen),
    ...notUndoneText(result, screen),
    resultText(result, screen),
    ...applicationText(result, screen),
    criteriaText(result, screen),
    ...troublesText(result, screen),
    ...frontDoorText(result, screen),
    ...notRehearsedText(result, screen),
    ...assumptionText(result, screen),
    ...againstText(result, screen),
    faint(`${runSentence(result)}. ${accuracy(result)}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

const lines = (text: string, { columns, isBroken }: Screen) => (isBroken ? wrapAll : wrap)(printable(text), columns);

function resultText(result: RunResult, screen: Screen): string {
  const { paint } = screen;
  const body = resultRows(result).map(({ cells, isTested }) => (isTested ? cells : painted(cells, paint.faint)));
  return table([painted(resultColumns, paint.strong), rule, ...body], screen);
}

const painted = (row: readonly string[], paint: (text: string) => string): readonly Cell[] =>
  row.map((words) => ({ words, paint }));

const outcomePaint = {
  met: 'good',
  'not-met': 'bad',
  inconclusive: 'doubtful',
  'not-tested': 'faint',
} as const satisfies Record<Criterion['outcome'], keyof Paint>;

/** Met, or left out on purpose. The third criterion allows downtime, so how much there was deserves a look. */
const isPlain = ({ number, outcome }: Pick<Criterion, 'number' | 'outcome'>, partial: boolean): boolean =>
  (outcome === 'met' && number !== 3) || (partial && outcome === 'not-tested');

/** With the evidence for those that deserve a look; the reports have all of it. */
function criteriaText({ criteria, partial }: RunResult, screen: Screen): string {
  const { paint } = screen;
  return table(
    criteria.flatMap(({ number, text, outcome, because }): readonly Row[] => [
      [String(number), { words: inWords(outcome), paint: paint[outcomePaint[outcome]] }, text],
      ...(isPlain({ number, outcome }, partial) ? [] : [['', '', { words: printable(because), paint: paint.faint }]]),
    ]),
    screen,
  );
}

/** Each finding with its expectation, observation and advice. */
function troublesText(result: RunResult, screen: Screen): readonly string[] {
  const { paint } = screen;
  const all = troubles(result);
  const rows = all
    .slice(0, mostTroubles)
    .flatMap((finding, index) => [...(index === 0 ? [] : [['']]), ...findingRows(finding, paint)]);
  const more = all.length > mostTroubles ? [paint.doubtful(`And ${all.length - mostTroubles} more.`)] : [];
  return rows.length === 0 ? [] : [table(rows, screen), ...more];
}

/** More do not fit on a screen; the files have all of them. */
const mostTroubles = 20;

function findingRows(finding: Finding, paint: Paint) {
  const { severity, subject, expected, observed, advice } = finding;
  const place = placeText(finding);
  const loud = severity === 'error' ? paint.bad : paint.doubtful;
  return [
    [
      { words: severity, paint: loud },
      { words: printable(`${subject}: ${expected}`), paint: paint.strong },
    ],
    ['', printable(`observed: ${observed}`)],
    ...(advice === '' ? [] : [['', printable(`advice: ${advice}`)]]),
    ...(place === undefined ? [] : [['', printable(`at: ${place}`)]]),
  ];
}

/** The applications of one's own manifests, where there are several. */
function applicationText(result: RunResult, screen: Screen): readonly string[] {
  const rows = applicationRows(result);
  return rows.length === 0
    ? []
    : [table([painted(applicationColumns, screen.paint.strong), ...rows], { ...screen, hasHeading: true })];
}

/** What visitors notice behind each front door, and what to set. */
function frontDoorText(result: RunResult, screen: Screen): readonly string[] {
  const doors = frontDoorTable(result);
  if (doors === undefined) return [];
  const heading = (columns: readonly string[]) => painted(columns, screen.paint.strong);
  const advice = frontDoorAdvice(result);
  return [
    table([heading(doors.columns), ...doors.rows], { ...screen, hasHeading: true }),
    ...(advice.length === 0 ? [] : [advice.flatMap((row) => adviceLines(row, screen)).join('\n')]),
  ];
}

function adviceLines([door, what, because, tried]: ReturnType<typeof frontDoorAdvice>[number], { columns }: Screen) {
  const under = (text: string) => wrap(text, columns - 2).map((line) => `  ${line}`);
  const trial = tried === 'no' ? [] : under(`tried: ${tried}`);
  return [...wrap(`Behind ${door} set ${what}`, columns), ...under(`because ${because}`), ...trial];
}

/** What of the manifests was left out, or taken otherwise. */
function notRehearsedText(result: RunResult, screen: Screen): readonly string[] {
  const rows = notRehearsedRows(result);
  if (rows.length === 0) return [];
  return [table([painted(notRehearsedColumns, screen.paint.strong), ...rows], { ...screen, hasHeading: true })];
}

/** What the manifests do not say, and where the verdict turns with it. */
function assumptionText(result: RunResult, screen: Screen): readonly string[] {
  const rows = assumptionRows(result);
  if (rows.length === 0) return [];
  const heading = painted(['Assumed', 'Value', 'The verdict'], screen.paint.strong);
  return [
    table([heading, ...rows.map(([setting, value, turn]) => [setting, value, turn])], { ...screen, hasHeading: true }),
  ];
}

/** What the change of manifests does, scenario by scenario. */
function againstText(result: RunResult, screen: Screen): readonly string[] {
  const { paint } = screen;
  const sentence = againstSentence(result);
  if (sentence === undefined) return [];
  const paints = { better: paint.good, worse: paint.bad, same: paint.faint };
  const shown = againstTables(result).map(({ application, rows }) => {
    const cells = rows.map(([title, before, after, change]) => [
      title,
      before,
      after,
      { words: change, paint: paints[change] },
    ]);
    const heading = application === undefined ? '' : `${printable(application)}\n`;
    return `${heading}${table([painted(againstColumns, paint.strong), ...cells], { ...screen, hasHeading: true })}`;
  });
  return [...shown, lines(`${sentence}.`, screen).join('\n')];
}

function notUndoneText(result: RunResult, screen: Screen): readonly string[] {
  const left = notUndone(result);
  if (left.length === 0) return [];
  const rows = left.map(({ action, target, because }) => ['', printable(`${action} of ${target}: ${because}`)]);
  const advice = '`holdfast recover` undoes it; until then the cluster is not as it was before the run.';
  return [[screen.paint.bad('NOT UNDONE'), table(rows, screen), ...lines(advice, screen)].join('\n')];
}

const verdictPaint = {
  pass: 'good',
  fail: 'bad',
  inconclusive: 'doubtful',
  error: 'bad',
} as const satisfies Record<Verdict, keyof Paint>;

function verdictText(result: RunResult, screen: Screen): string {
  const { paint } = screen;
  const words = verdictWords(result);
  const [first = '', ...rest] = lines(`${words}: ${verdictReasons(result).join('; ')}`, screen);
  const loud = (text: string) => paint.strong(paint[verdictPaint[result.verdict]](text));
  return [first.startsWith(words) ? `${loud(words)}${first.slice(words.length)}` : first, ...rest].join('\n');
}
