import type { Finding } from '../validation/finding.ts';
import type { Criterion, RunResult, Verdict } from '../validation/judge/run-result.ts';
import { againstColumns, againstSentence, againstTables } from './against.ts';
import { applicationColumns, applicationRows } from './applications.ts';
import { assumptionRows, placeText } from './assumptions.ts';
import { accuracy, inWords, resultColumns, resultRows, runSentence } from './cells.ts';
import { printable } from './printable.ts';
import { type Cell, table, wrap } from './table.ts';
import { notUndone, troubles, verdictReasons, verdictWords } from './verdict.ts';

/** How each kind of text is painted: in a terminal's colours, or not at all. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

export interface Screen {
  readonly paint: Paint;
  readonly columns: number;
}

/** The report for a terminal: the specification's table, the six criteria, errors and warnings, what was not undone, the verdict. */
export function reportText(result: RunResult, screen: Partial<Screen> = {}): string {
  const { paint, columns } = { paint: plain, columns: 80, ...screen };
  const faint = (text: string) => lines(text, columns).map(paint.faint).join('\n');
  const parts = [
    faint(runSentence(result)),
    resultText(result, { paint, columns }),
    faint(accuracy),
    ...applicationText(result, { paint, columns }),
    criteriaText(result, { paint, columns }),
    ...troublesText(result, { paint, columns }),
    ...notUndoneText(result, { paint, columns }),
    ...assumptionText(result, { paint, columns }),
    ...againstText(result, { paint, columns }),
    verdictText(result, { paint, columns }),
  ];
  return `${parts.join('\n\n')}\n`;
}

const same = (text: string): string => text;
const plain: Paint = { good: same, bad: same, doubtful: same, strong: same, faint: same };
const lines = (text: string, columns: number) => wrap(printable(text), columns);

function resultText(result: RunResult, { paint, columns }: Screen): string {
  const rows = resultRows(result);
  const rule = resultColumns.map((column, index) =>
    '-'.repeat(Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0))),
  );
  const heading = painted(resultColumns, paint.strong);
  const body = rows.map((row) => (row[1] === 'not tested' ? painted(row, paint.faint) : row));
  return table([heading, painted(rule, paint.faint), ...body], columns);
}

const painted = (row: readonly string[], paint: (text: string) => string): readonly Cell[] =>
  row.map((words) => ({ words, paint }));

const outcomePaint = {
  met: 'good',
  'not-met': 'bad',
  inconclusive: 'doubtful',
  'not-tested': 'faint',
} as const satisfies Record<Criterion['outcome'], keyof Paint>;

function criteriaText({ criteria }: RunResult, { paint, columns }: Screen): string {
  return table(
    criteria.flatMap(({ number, text, outcome, because }): readonly (readonly Cell[])[] => [
      [String(number), { words: inWords(outcome), paint: paint[outcomePaint[outcome]] }, text],
      ['', '', { words: printable(because), paint: paint.faint }],
    ]),
    columns,
  );
}

/** Each finding with its expectation, observation and advice. */
function troublesText(result: RunResult, { paint, columns }: Screen): readonly string[] {
  const all = troubles(result);
  const rows = all
    .slice(0, mostTroubles)
    .flatMap((finding, index) => [...(index === 0 ? [] : [['']]), ...findingRows(finding, paint)]);
  const more = all.length > mostTroubles ? [paint.doubtful(`And ${all.length - mostTroubles} more.`)] : [];
  return rows.length === 0 ? [] : [table(rows, columns), ...more];
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
function applicationText(result: RunResult, { paint, columns }: Screen): readonly string[] {
  const rows = applicationRows(result);
  return rows.length === 0 ? [] : [table([painted(applicationColumns, paint.strong), ...rows], columns)];
}

/** What the manifests do not say, and where the verdict turns with it. */
function assumptionText(result: RunResult, { paint, columns }: Screen): readonly string[] {
  const rows = assumptionRows(result);
  if (rows.length === 0) return [];
  const heading = painted(['Assumed', 'Value', 'The verdict'], paint.strong);
  return [table([heading, ...rows.map(([setting, value, turn]) => [setting, value, turn])], columns)];
}

/** What the change of manifests does, scenario by scenario. */
function againstText(result: RunResult, { paint, columns }: Screen): readonly string[] {
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
    return `${heading}${table([painted(againstColumns, paint.strong), ...cells], columns)}`;
  });
  return [...shown, lines(`${sentence}.`, columns).join('\n')];
}

function notUndoneText(result: RunResult, { paint, columns }: Screen): readonly string[] {
  const left = notUndone(result);
  if (left.length === 0) return [];
  const rows = left.map(({ action, target, because }) => ['', printable(`${action} of ${target}: ${because}`)]);
  const advice = '`holdfast recover` undoes it; until then the cluster is not as it was before the run.';
  return [[paint.bad('NOT UNDONE'), table(rows, columns), ...lines(advice, columns)].join('\n')];
}

const verdictPaint = {
  pass: 'good',
  fail: 'bad',
  inconclusive: 'doubtful',
  error: 'bad',
} as const satisfies Record<Verdict, keyof Paint>;

function verdictText(result: RunResult, { paint, columns }: Screen): string {
  const words = verdictWords(result);
  const [first = '', ...rest] = lines(`${words}: ${verdictReasons(result).join('; ')}`, columns);
  const loud = (text: string) => paint.strong(paint[verdictPaint[result.verdict]](text));
  return [first.startsWith(words) ? `${loud(words)}${first.slice(words.length)}` : first, ...rest].join('\n');
}
