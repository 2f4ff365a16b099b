import { clocksText } from '../../validation/predict/predicted-text.ts';
import type { ActionIntended, ActionUndone, ValidationFact } from '../../validation/record/events.ts';
import { timeOf } from '../terminal/screen.ts';
import { endedWithout } from './finished-lines.ts';

type CheckFinished = Extract<ValidationFact, { readonly type: 'check-finished' }>;

/**
 * What a run tells where there is no live terminal: each fact that a person waits for as one line; those that begin a
 * scenario have its time, and so have those that end one. The journal has all facts. On a real cluster every change is
 * reported as it is made.
 */
export function lineOf(
  fact: ValidationFact,
  intended: ReadonlyMap<string, ActionIntended>,
  isReal: boolean,
): readonly string[] {
  if (fact.type === 'action-undone') return undoneLine(fact, intended.get(fact.id));
  const lines = linesOf(fact, isReal).map((line) => ofWhom(fact, line));
  return fact.type === 'scenario-predicted' ? lines.map((line) => `${line} (${timeOf(fact.at)})`) : lines;
}

/** In a run of several applications a line names those that it is about. */
export const ofWhom = ({ of }: Pick<ValidationFact, 'of'>, text: string): string =>
  of === undefined ? text : `${of.join(', ')}: ${text}`;

/** Only a failed undo is worth a line. */
function undoneLine({ state, because }: ActionUndone, action: ActionIntended | undefined): readonly string[] {
  if (state !== 'failed') return [];
  const of = action === undefined ? '' : ` ${action.action} of ${action.subject}:`;
  return [`NOT UNDONE:${of} ${because}`];
}

function linesOf(fact: ValidationFact, isReal: boolean): readonly string[] {
  switch (fact.type) {
    case 'check-finished':
      return checkLine(fact);
    case 'action-intended':
      return isReal ? [`${fact.scenario ?? phaseOf(fact)}: ${fact.action}: ${fact.subject}`] : [];
    case 'probes-placed':
      return placedLines(fact);
    case 'scenario-predicted':
      return [`${fact.scenario}: predicted ${clocksText(fact.prediction)}`];
    case 'application-verified':
      return fact.expectations.map(({ expected, observed }) => `phase 3: ${expected}: ${observed}`);
    case 'scenario-inconclusive':
      return [`${fact.scenario} ${endedWithout(fact)}: ${fact.because}`];
    case 'scenario-blocked':
      return fact.obstacles.map(({ observed }) => `${fact.scenario} is blocked: ${observed}`);
    case 'run-interrupted':
      return [`Stopped by ${fact.signal}. Undoing every change now.`];
    case 'run-aborted':
      return [`Ended early: ${fact.because}. Undoing every change now.`];
    case 'run-failed':
      return [`The run failed: ${fact.because}`];
    default:
      return [];
  }
}

/** Of an action that is no scenario's. */
const phaseOf = ({ action }: ActionIntended): string => (action === 'start-probe' ? 'phase 2' : 'phase 3');

function placedLines({
  vantages,
  without,
}: Extract<ValidationFact, { readonly type: 'probes-placed' }>): readonly string[] {
  return [
    `phase 2: probes: ${vantages.logs.map(({ name }) => name).join(', ')}`,
    ...without.map(({ zone, because }) => `phase 2: no probe in ${zone}: ${because}`),
  ];
}

/** A good finding is reported only for a mandatory check. */
function checkLine({ mandatory, finding }: CheckFinished): readonly string[] {
  const { severity, subject, expected, observed } = finding;
  const sentence = `${subject}: ${observed} (expected: ${expected})`;
  if (severity === 'info') return mandatory ? [`pre-check ok: ${sentence}`] : [];
  return [`${mandatory ? 'pre-check ' : ''}${severity}: ${sentence}`];
}
