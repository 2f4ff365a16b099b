import type { Output } from '../../host/host.ts';
import type { ScenarioResult } from '../../validation/judge/run-result.ts';
import { clocksText } from '../../validation/predict/predicted-text.ts';
import type { ActionIntended, ActionUndone, ValidationFact } from '../../validation/record/events.ts';
import { hangingIndent } from '../command/hanging-indent.ts';
import type { Paint } from '../command/text.ts';

type CheckFinished = Extract<ValidationFact, { readonly type: 'check-finished' }>;

/** Prints what a run is doing for people, on standard error, a line or a few a step. */
export interface Progress {
  readonly onFact: (fact: ValidationFact) => void;
  readonly scenarioEnded: (result: ScenarioResult) => void;
}

export function progress(talk: Output, colors: Paint, quiet: boolean): Progress {
  const print = (text: string): void => {
    if (!quiet) talk.write(`${text}\n`);
  };
  /** Every action intended so far, by its id: an undo names only the id. */
  const intended = new Map<string, ActionIntended>();
  let isReal = false;
  return {
    onFact(fact) {
      if (fact.type === 'run-started') isReal = fact.run.kind === 'cluster';
      if (fact.type === 'action-intended') intended.set(fact.id, fact);
      const text = fact.type === 'action-undone' ? undoneText(fact, intended.get(fact.id)) : textOf(fact, isReal);
      if (text !== undefined) print(colors.faint(text));
    },
    scenarioEnded({ verdict, title, downtime }) {
      const mark = { pass: colors.good, fail: colors.bad, inconclusive: colors.doubtful, 'not-tested': colors.faint }[
        verdict
      ];
      const seconds = downtime === null ? '' : `, ${downtime.seconds.toFixed(1)} s of downtime`;
      print(`${mark(verdict)} ${title}${seconds}`);
    },
  };
}

/** Only a failed undo is worth a line. Its advice has a command to copy, so that it is not wrapped. */
function undoneText({ state, because }: ActionUndone, action: ActionIntended | undefined): string | undefined {
  if (state !== 'failed') return undefined;
  const of = action === undefined ? '' : ` ${action.action} of ${action.subject}:`;
  return `NOT UNDONE:${of} ${because}`;
}

/** Only facts that a person waits for; the journal has all of them. */
function textOf(fact: ValidationFact, isReal: boolean): string | undefined {
  switch (fact.type) {
    case 'check-finished':
      return checkText(fact);
    // On a real cluster every change is shown as it is made.
    case 'action-intended':
      return isReal ? `${fact.scenario ?? 'phase 3'}: ${fact.action}: ${fact.subject}` : undefined;
    case 'scenario-predicted':
      return `${fact.scenario}: predicted ${clocksText(fact.prediction)}`;
    case 'application-verified':
      return fact.expectations.map(({ expected, observed }) => `phase 3: ${expected}: ${observed}`).join('\n');
    case 'scenario-inconclusive':
      return `${fact.scenario} ${fact.needless ? 'has nothing to disturb' : 'is inconclusive'}: ${fact.because}`;
    case 'run-interrupted':
      return `Stopped by ${fact.signal}. Undoing every change now.`;
    case 'run-aborted':
      return `Ended early: ${fact.because}. Undoing every change now.`;
    case 'run-failed':
      return `The run failed: ${fact.because}`;
    default:
      return undefined;
  }
}

/** A good finding is shown only for a mandatory check. */
function checkText({ mandatory, finding }: CheckFinished): string | undefined {
  const { severity, subject, expected, observed } = finding;
  const sentence = `${subject}: ${observed} (expected: ${expected})`;
  if (severity === 'info') return mandatory ? hangingIndent('', `pre-check ok: ${sentence}`, 4) : undefined;
  return hangingIndent('', `${mandatory ? 'pre-check ' : ''}${severity}: ${sentence}`, 4);
}
