import { secondsText } from '../../figures/figures.js';
import type { AllAnswer } from '../../what-if/drain-all.ts';
import type { NodeAnswer } from '../../what-if/node-asker.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Page } from '../command/page.ts';
import { paintedMark } from '../terminal/screen.ts';
import { downText, markOf, notSimulatedLines, taken, verdictWords } from './what-if-text.ts';

/** So many nodes are told of one by one; the document of `--json` has all. */
const mostTold = 20;
const mostWorkloads = 3;

/** Every node drained alone, for people: the worst first. */
export function drainAllText(answer: AllAnswer, page: Page): string {
  const bad = answer.nodes.filter(({ verdict }) => verdict !== 'stays');
  const rest = answer.nodes.length - bad.length;
  const lines = [
    hangingIndent(
      page,
      '',
      `what-if drain --all: each of ${answer.nodes.length} nodes alone, on a copy of ${taken(answer)}. Nothing was touched.`,
    ),
    '',
    ...bad.slice(0, mostTold).flatMap((node) => nodeLines(node, page)),
    ...(bad.length > mostTold ? [`  and ${bad.length - mostTold} nodes more: --json has all.`] : []),
    ...(rest === 0
      ? []
      : [`${paintedMark('good', page.paint)} ${rest} ${rest === 1 ? 'node' : 'nodes'}: nothing goes down.`]),
    ...notSimulatedLines(answer, page),
  ];
  return `${lines.join('\n')}\n`;
}

function nodeLines({ node, verdict, workloads, durationSeconds = null }: NodeAnswer, page: Page): readonly string[] {
  const head = `${paintedMark(markOf[verdict], page.paint)} ${node}: ${verdictWords[verdict]}`;
  const lasts = durationSeconds === null ? 'never ends' : `takes ${secondsText(durationSeconds)}`;
  const hit = workloads.filter((one) => one.verdict !== 'stays');
  const told = hit.slice(0, mostWorkloads).map((one) => {
    const down = one.verdict === 'goes-down' ? ` for ${downText(one)}` : '';
    return hangingIndent(page, '    ', `${one.kind} ${one.namespace}/${one.name} ${verdictWords[one.verdict]}${down}`);
  });
  const more = hit.length > mostWorkloads ? [`    and ${hit.length - mostWorkloads} more`] : [];
  return [`${head}; the drain ${lasts}`, ...told, ...more];
}
