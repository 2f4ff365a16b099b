import { boundedText, secondsText } from '../../figures/figures.js';
import type { Action, Answer, Verdict, WorkloadAnswer } from '../../what-if/answer-shape.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Page } from '../command/page.ts';
import { type Mark, paintedMark } from '../terminal/screen.ts';

export const verdictWords: Readonly<Record<Verdict, string>> = {
  'goes-down': 'goes down',
  blocks: 'blocks',
  degraded: 'degraded',
  stays: 'stays up',
};
export const markOf: Readonly<Record<Verdict, Mark>> = {
  'goes-down': 'bad',
  blocks: 'bad',
  degraded: 'unknown',
  stays: 'good',
};
const width = Math.max(...Object.values(verdictWords).map(({ length }) => length));

/** An answer for people: the worst first, what stays up in one line, and what was not simulated. */
export function answerText(answer: Answer, page: Page): string {
  const told = answer.workloads.filter(({ verdict }) => verdict !== 'stays');
  const staying = answer.workloads.filter(({ verdict }) => verdict === 'stays');
  const lines = [
    hangingIndent(page, '', `${titleOf(answer.action)}, on a copy of ${taken(answer)}. Nothing was touched.`),
    '',
    ...told.map((workload) => workloadText(workload, page)),
    ...(staying.length === 0 ? [] : [stayingText(staying, page)]),
    ...(answer.workloads.length === 0 ? ['No pod runs there that another node could run.'] : []),
    '',
    ...answer.blockedBy.map(({ kind, namespace, name, because }) =>
      hangingIndent(page, page.paint.bad('blocked '), `by ${kind} ${namespace}/${name}: ${because}`),
    ),
    durationText(answer),
    `Nodes: ${answer.nodesBefore} before, ${answer.nodesAfter} after.`,
    ...notSimulatedLines(answer, page),
  ];
  return `${lines.join('\n')}\n`;
}

export const taken = ({ takenAt }: Answer): string => `${takenAt.slice(0, 10)} ${takenAt.slice(11, 19)} UTC`;

function titleOf(action: Action): string {
  if ('nodes' in action) return `what-if ${action.kind} ${action.nodes.join(' ')}`;
  const { kind, namespace, name } = action.workload;
  const replicas = action.kind === 'scale' ? ` ${action.replicas}` : '';
  return `what-if ${action.kind} ${kind}/${namespace}/${name}${replicas}`;
}

function workloadText(workload: WorkloadAnswer, page: Page): string {
  const { kind, namespace, name, verdict, because } = workload;
  const down = verdict === 'goes-down' ? `, for ${downText(workload)}` : '';
  const head = `${paintedMark(markOf[verdict], page.paint)} ${verdictWords[verdict].padEnd(width)}  `;
  const first = hangingIndent(page, head, `${kind} ${namespace}/${name}${down}`, indent);
  return because === null ? first : `${first}\n${hangingIndent(page, ' '.repeat(indent), because)}`;
}

const indent = 2 + width + 2;

export function downText({ downSeconds, lowerSeconds, upperSeconds }: WorkloadAnswer): string {
  if (downSeconds === null || upperSeconds === null) return 'good';
  return boundedText({ seconds: downSeconds, lowerSeconds: lowerSeconds ?? 0, upperSeconds });
}

function stayingText(staying: readonly WorkloadAnswer[], page: Page): string {
  const names = staying.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  const shown = names.slice(0, 10).join(', ');
  const rest = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return hangingIndent(
    page,
    `${paintedMark('good', page.paint)} ${verdictWords.stays.padEnd(width)}  `,
    `${shown}${rest}`,
    indent,
  );
}

function durationText({ action, durationSeconds }: Answer): string {
  if (action.kind === 'lose') return 'The nodes are lost at once.';
  const deed = { drain: 'The drain', rollout: 'The rolling update', scale: 'The scaling' }[action.kind];
  return durationSeconds === null ? `${deed} never ends by itself.` : `${deed} takes ${secondsText(durationSeconds)}.`;
}

export function notSimulatedLines({ notSimulated }: Pick<Answer, 'notSimulated'>, page: Page): readonly string[] {
  if (notSimulated.length === 0) return [];
  return ['', page.paint.strong('Not simulated'), ...notSimulated.map((one) => hangingIndent(page, '  - ', one))];
}
