import { UsageError } from '../../host/errors.ts';
import { defects } from '../../rehearsal/defects.ts';
import { nearest } from '../../settings/nearest.ts';
import { criterionTexts } from '../../validation/judge/acceptance.ts';
import { criterionExplanations } from '../../validation/judge/criterion-explanations.ts';
import { allScenarios } from '../../validation/scenarios/index.ts';
import type { Explanation } from '../../validation/scenarios/scenario.ts';
import type { Perform } from '../command/command.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import { type Page, pageOf } from '../command/page.ts';

/**
 * `explain [NAME]`: what a scenario, a criterion or a defect is, how it fails in practice, what is measured; without a
 * name, all names.
 */
export const explain: Perform = async ({ host, flags }, { operands: [name] }) => {
  const topics = topicsByName();
  const page = pageOf({ host, flags });
  const topic = topics.get(name?.replace(/^([1-6])$/, 'criterion-$1') ?? '');
  if (name !== undefined && topic === undefined) throw new UsageError([unknownTopic(name, [...topics.keys()])]);
  if (flags.json)
    host.out.write(`${JSON.stringify({ schemaVersion: 1, topics: topic ? [topic] : [...topics.values()] })}\n`);
  else host.out.write(topic === undefined ? listText([...topics.values()], page) : topicText(topic, page));
  return exitCodes.done;
};

/** There are too many topics to list them in a mistake. */
function unknownTopic(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const next = meant === undefined ? 'holdfast explain lists all topics.' : `did you mean ${meant}?`;
  return `there is no topic ${name}; ${next}`;
}

interface Topic extends Partial<Explanation> {
  readonly name: string;
  readonly kind: 'scenario' | 'criterion' | 'defect';
  readonly title: string;
  /** In the specification's words, or the defect's. */
  readonly what: string;
}

function topicsByName(): ReadonlyMap<string, Topic> {
  const topics: readonly Topic[] = [
    ...allScenarios.map(
      ({ name, title, expected, explanation }): Topic => ({
        name,
        kind: 'scenario',
        title,
        what: `Expected: ${expected}.`,
        ...explanation,
      }),
    ),
    ...criterionTexts.map(
      (text, index): Topic => ({
        name: `criterion-${index + 1}`,
        kind: 'criterion',
        title: `Criterion ${index + 1}`,
        what: text,
        ...criterionExplanations[index],
      }),
    ),
    ...Object.entries(defects).map(
      ([name, { what }]): Topic => ({ name, kind: 'defect', title: `Defect of the embedded cluster: ${name}`, what }),
    ),
  ];
  return new Map(topics.map((topic) => [topic.name, topic]));
}

function topicText({ title, what, how, fails = [], measured = [], kind, name }: Topic, page: Page): string {
  return [
    page.paint.strong(title),
    hangingIndent(page, '', what),
    ...(how === undefined ? [] : ['', hangingIndent(page, '', how)]),
    ...listed('How it fails in practice', fails, page),
    ...listed('What is measured', measured, page),
    ...(kind === 'defect' ? ['', `Try it: holdfast rehearse --defect ${name}`] : []),
    ...(kind === 'scenario' ? ['', `Try it: holdfast rehearse --scenario ${name}`] : []),
    '',
  ].join('\n');
}

const listed = (heading: string, sentences: readonly string[], page: Page): readonly string[] =>
  sentences.length === 0
    ? []
    : ['', `${heading}:`, ...sentences.map((sentence) => hangingIndent(page, '- ', sentence))];

function listText(topics: readonly Topic[], page: Page): string {
  const width = Math.max(...topics.map(({ name }) => name.length));
  const kinds = ['scenario', 'criterion', 'defect'] as const;
  return kinds
    .map((kind) => {
      const lines = topics
        .filter((topic) => topic.kind === kind)
        .map(({ name, what }) => hangingIndent(page, `  ${name.padEnd(width)}  `, what));
      return `${kind}\n${lines.join('\n')}\n`;
    })
    .join('\n');
}
